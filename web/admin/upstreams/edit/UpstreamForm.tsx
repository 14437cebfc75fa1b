import { Switch } from '@mantine/core'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import type { Source } from '#contract/models.ts'
import type { UpstreamRead } from '#contract/upstreams.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { DrawerRow, DrawerSection, UnitInput } from '#web/admin/drawer/rows.tsx'
import type { Changes } from '#web/admin/form/useChanges.ts'
import styles from './edit.module.css'
import { enteredKey, type FieldName, type Fields, mistakesIn, TIMEOUTS } from './fields.ts'
import { KeyField } from './KeyField.tsx'
import { settableModels } from './modelSettings.ts'
import { ModelSettingsSection } from './ModelSettingsSection.tsx'
import { ModelsPicker } from './ModelsPicker.tsx'
import { TestPanel } from './TestPanel.tsx'
import type { ConnectionTest } from './useConnectionTest.ts'

type UpstreamFormProps = {
  form: Changes<Fields>
  connectionTest: ConnectionTest
  source: Source
  /** Null for one that is not stored. */
  upstream: UpstreamRead | null
  asksForKey: boolean
}

/** The form of an account or key beyond the first. */
export function UpstreamForm({ form, connectionTest, source, upstream, asksForKey }: UpstreamFormProps) {
  const t = useTranslate()
  const { secret } = form.values
  const hasKey = secret !== null && (enteredKey(secret) !== '' || upstream?._set.secret.set === true)
  return (
    <>
      <TextRow form={form} name="label" help={t('upstreams.field.label.help')} />
      <TextRow form={form} name="base_url" help={t('upstreams.field.base_url.help')} />
      <KeyField source={source} form={form} stored={upstream?._set.secret ?? null} isWanted={asksForKey} />
      <TestPanel connectionTest={connectionTest} saved={upstream !== null} hasKey={hasKey} />
      <Sharing form={form} />
      <DrawerSection title={t('upstreams.models')}>
        <ModelsPicker
          picked={form.values.models}
          listed={connectionTest.listed}
          isChanged={form.isChanged('models')}
          reading={source === 'openai_api' ? connectionTest : null}
          onChange={models => form.change({ models })}
        />
      </DrawerSection>
      <ModelSettingsSection
        form={form}
        source={source}
        models={settableModels(upstream?.model_settings ?? [], form.values.models, connectionTest.listed)}
      />
      <details className={styles.further}>
        <summary>{t('upstreams.further')}</summary>
        <TextRow form={form} name="key_header" help={t('upstreams.field.key_header.help')} />
        <TextRow form={form} name="query" help={t('upstreams.field.query.help')} />
        <TextRow form={form} name="proxy" help={t('upstreams.field.proxy.help')} />
        {TIMEOUTS.map(name => (
          <TextRow key={name} form={form} name={name} unit={t('upstreams.unit.seconds')} />
        ))}
      </details>
    </>
  )
}

function Sharing({ form }: { form: Changes<Fields> }) {
  const t = useTranslate()
  return (
    <DrawerSection title={t('upstreams.sharing')}>
      <TextRow form={form} name="concurrency" unit={t('upstreams.field.concurrency.unit')} />
      <DrawerRow
        label={t('upstreams.field.shared_limit')}
        changed={form.isChanged('shared_limit') || form.isChanged('window_hours')}
        below={t('upstreams.field.shared_limit.help')}
      >
        {id => (
          <span className={styles.two}>
            <FieldInput form={form} name="shared_limit" id={id} unit={t('upstreams.unit.asks')} />
            <span>{t('upstreams.in')}</span>
            <FieldInput form={form} name="window_hours" unit={t('upstreams.unit.hours')} />
          </span>
        )}
      </DrawerRow>
      <DrawerRow
        label={t('upstreams.field.enabled')}
        changed={form.isChanged('enabled')}
        below={t('upstreams.field.enabled.help')}
      >
        {id => (
          <Switch
            id={id}
            checked={form.values.enabled}
            onChange={event => form.change({ enabled: event.currentTarget.checked })}
          />
        )}
      </DrawerRow>
    </DrawerSection>
  )
}

type TextName = { [Name in FieldName]: Fields[Name] extends string ? Name : never }[FieldName]
type TextRowProps = { form: Changes<Fields>; name: TextName; help?: string; unit?: string }

function TextRow({ form, name, help, unit }: TextRowProps) {
  const t = useTranslate()
  return (
    <DrawerRow label={t(`upstreams.field.${name}`)} changed={form.isChanged(name)} below={help}>
      {id => <FieldInput form={form} name={name} id={id} {...(unit !== undefined && { unit })} />}
    </DrawerRow>
  )
}

/** Fields whose blank value means the value of the settings. */
const BY_SETTINGS: readonly FieldName[] = ['concurrency', 'proxy', ...TIMEOUTS]
const OPENAI = 'https://api.openai.com/v1/'

/** A blank field shows the value that applies. A mistake is shown once something is typed. */
function FieldInput({ form, name, id, unit }: Omit<TextRowProps, 'help'> & { id?: string }) {
  const t = useTranslate()
  const isWrong = form.isChanged(name) && mistakesIn(form.values, false, 'openai_api').includes(name)
  return (
    <UnitInput
      {...(id === undefined ? { 'aria-label': t(`upstreams.field.${name}`) } : { id })}
      inputMode={unit === undefined ? 'text' : 'decimal'}
      placeholder={name === 'base_url' ? OPENAI : BY_SETTINGS.includes(name) ? t('upstreams.asInSettings') : undefined}
      spellCheck={false}
      {...(unit !== undefined && { unit })}
      value={form.values[name]}
      error={isWrong ? t(`upstreams.wrong.${name}`) : null}
      onChange={value => form.change({ [name]: value })}
    />
  )
}
