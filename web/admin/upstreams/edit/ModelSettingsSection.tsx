import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import type { Source } from '#contract/models.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { DrawerRow, DrawerSection, UnitInput } from '#web/admin/drawer/rows.tsx'
import type { Changes } from '#web/admin/form/useChanges.ts'
import styles from './edit.module.css'
import type { Fields } from './fields.ts'
import {
  ABILITIES,
  nothingSet,
  type SettableModel,
  shownCapabilities,
  JSON_TYPED,
  TYPED,
  type TypedName,
  type TypedSettings,
  wrongIn,
} from './modelSettings.ts'

type SectionProps = { form: Changes<Fields>; models: readonly SettableModel[]; source: Source }

/** What the models of an account take and can: as it says itself, unless it is set here. */
export function ModelSettingsSection({ form, models, source }: SectionProps) {
  const t = useTranslate()
  const settings = form.values.model_settings
  if (models.length === 0) return null
  return (
    <DrawerSection title={t('upstreams.can')}>
      <div className={styles.models} data-changed={form.isChanged('model_settings') || undefined}>
        {models.map(model => {
          const typed = settings.find(({ name }) => name === model.name) ?? nothingSet(model)
          return (
            <ModelDetails
              key={model.name}
              model={model}
              typed={typed}
              takesFields={source === 'openai_api'}
              onChange={changed => form.change({ model_settings: replaced(settings, { ...typed, ...changed }) })}
            />
          )
        })}
      </div>
    </DrawerSection>
  )
}

function replaced(settings: readonly TypedSettings[], one: TypedSettings): readonly TypedSettings[] {
  const isKnown = settings.some(({ name }) => name === one.name)
  return isKnown ? settings.map(each => (each.name === one.name ? one : each)) : [...settings, one]
}

type DetailsProps = {
  model: SettableModel
  typed: TypedSettings
  /** Whether further fields can go with its requests. */
  takesFields: boolean
  onChange(changed: Partial<TypedSettings>): void
}

/** Folded, it says what is known of the model; its fields are made when it is opened: an account may have hundreds. */
function ModelDetails({ model, typed, takesFields, onChange }: DetailsProps) {
  const [isOpen, setOpen] = useState(false)
  const summary = useSummary(model, typed)
  return (
    <details
      className={styles.further}
      data-testid="model-settings"
      onToggle={event => setOpen(event.currentTarget.open)}
    >
      <summary>
        <span className={styles.modelName}>{model.name}</span> {summary}
      </summary>
      {isOpen && (
        <>
          {ABILITIES.map(name => (
            <AbilityRow key={name} {...{ name, model, typed, onChange }} />
          ))}
          {TYPED.filter(name => takesFields || !JSON_TYPED.includes(name)).map(name => (
            <TypedRow key={name} {...{ name, model, typed, onChange }} />
          ))}
        </>
      )}
    </details>
  )
}

function useSummary({ read, learned_context_length: learned }: SettableModel, typed: TypedSettings): string {
  const t = useTranslate()
  const shown = shownCapabilities(typed, read)
  const { context_length, thinking_levels } = shown
  return [
    ...ABILITIES.filter(name => shown[name] === true).map(name => t(`upstreams.can.${name}`)),
    ...(thinking_levels !== null && thinking_levels.length > 0 ? [t('upstreams.can.thinks')] : []),
    ...(context_length === null ? [] : [t('upstreams.models.context', { count: context_length })]),
    ...(learned !== null && learned < (context_length ?? Infinity)
      ? [t('upstreams.models.learned', { count: learned })]
      : []),
  ].join(t('kit.comma'))
}

type RowProps<Name extends keyof TypedSettings> = Omit<DetailsProps, 'takesFields'> & { name: Name }

function AbilityRow({ name, model, typed, onChange }: RowProps<(typeof ABILITIES)[number]>) {
  const t = useTranslate()
  const said = (value: boolean | null) =>
    t(value === null ? 'upstreams.can.unknown' : value ? 'upstreams.can.yes' : 'upstreams.can.no')
  return (
    <DrawerRow label={t(`upstreams.can.${name}`)}>
      {id => (
        <NativeSelect
          id={id}
          size="xs"
          value={typed[name] === null ? 'read' : String(typed[name])}
          data={[
            { value: 'read', label: t('upstreams.can.asRead', { value: said(model.read[name]) }) },
            { value: 'true', label: said(true) },
            { value: 'false', label: said(false) },
          ]}
          onChange={event => {
            const { value } = event.currentTarget
            onChange({ [name]: value === 'read' ? null : value === 'true' })
          }}
        />
      )}
    </DrawerRow>
  )
}

const EXAMPLES = {
  request_fields: '{"temperature": 0.2}',
  thinking_fields: '{"off": {"enable_thinking": false}}',
}

function TypedRow({ name, model, typed, onChange }: RowProps<TypedName>) {
  const t = useTranslate()
  const read = { context_length: model.read.context_length, thinking_levels: model.read.thinking_levels?.join(', ') }
  const isJson = name === 'request_fields' || name === 'thinking_fields'
  return (
    <DrawerRow
      label={t(`upstreams.can.${name}`)}
      below={isJson ? t(`upstreams.can.${name}.help`, { example: EXAMPLES[name] }) : undefined}
    >
      {id => (
        <UnitInput
          id={id}
          inputMode={name === 'context_length' ? 'numeric' : 'text'}
          spellCheck={false}
          placeholder={isJson ? '' : String(read[name] ?? t('upstreams.can.unknown'))}
          {...(name === 'context_length' && { unit: t('upstreams.models.tokens') })}
          value={typed[name]}
          error={wrongIn(typed).includes(name) ? t(`upstreams.can.wrong.${name}`) : null}
          onChange={value => onChange({ [name]: value })}
        />
      )}
    </DrawerRow>
  )
}
