import { type FormEvent, type ReactNode, useState } from 'react'
import { Button, TextInput } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { MAX_TITLE_LENGTH } from '#contract/conversations.ts'
import type { Allowance } from '#contract/allowance.ts'
import type { UserSetting } from '#contract/limits.ts'
import type { ModelChoice, Source } from '#contract/models.ts'
import type { Portal } from '#contract/status.ts'
import { lastSelection } from '#web/foundation/stored.ts'
import { loadTexts, useTranslate } from '#web/i18n/useTranslate.ts'
import { lazyComponent } from '#web/kit/lazyComponent.tsx'
import { Dialog, DialogFooter } from '#web/kit/Dialog.tsx'
import type { AskFields } from '#web/sources/source.ts'
import { pageSource } from '#web/sources/list/list.ts'
import { remainingOf, sourceOf, useAllowance, verdictFor } from '#web/users/allowance.ts'
import { useMomentText } from '#web/foundation/moments.ts'
import { useModelName } from '#web/foundation/portal.ts'
import { useNow } from '#web/foundation/times.ts'
import { IconCheck } from '#web/kit/icons.ts'
import { bestSelection, modelChoices, remainingOf as remainingBySetting, sourceChoices } from './choices.ts'
import styles from './newConversation.module.css'

export type NewConversationChoice = { source: Source; model: string; fields: AskFields; title: string }

type NewConversationDialogProps = {
  portal: Portal
  setting: UserSetting
  onClose(): void
  onStart(chosen: NewConversationChoice): void
}

/** Asks for source, model, title, and what else the source lets a conversation begin with. */
export function NewConversationDialog({ portal, setting, onClose, onStart }: NewConversationDialogProps) {
  const t = useTranslate()
  const { form, chooseSource, chooseModel, chooseFields, setTitle } = useNewConversationForm(portal, setting)
  const [tried, setTried] = useState(false)
  const { source, model, fields, title } = form
  const slot = source === null ? null : pageSource(source).newConversation
  const models = source === null ? [] : modelChoices(portal, setting, source)
  const start = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (source !== null && model !== null) onStart({ source, model, fields, title: title.trim() })
  }
  return (
    <Dialog title={t('newConversation.title')} onClose={onClose}>
      <form className={styles.form} onSubmit={start}>
        <SourceOptions portal={portal} setting={setting} chosen={{ value: source, choose: chooseSource }} />
        {source !== null && models.length > 0 && (
          <ModelOptions models={models} setting={setting} chosen={{ value: model, choose: chooseModel }} />
        )}
        {source !== null && models.length === 0 && (
          <p className={styles.error} role="alert">
            {t('newConversation.noModels')}
          </p>
        )}
        {tried && model === null && models.length > 0 && (
          <p className={styles.error} role="alert">
            {t('newConversation.chooseModel')}
          </p>
        )}
        {slot?.hasFields(model) && (
          <slot.Fields fields={fields} onChange={chooseFields} onLoadError={() => undefined} />
        )}
        <TextInput
          label={t('newConversation.titleField')}
          placeholder={t('newConversation.titleHint')}
          maxLength={MAX_TITLE_LENGTH}
          data-testid="new-conversation-title"
          value={title}
          onChange={event => setTitle(event.currentTarget.value)}
        />
        <DialogFooter>
          <Button variant="subtle" color="gray" onClick={onClose}>
            {t('newConversation.cancel')}
          </Button>
          <Button type="submit" data-testid="new-conversation-confirm" disabled={source === null}>
            {t('newConversation.start')}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}

type NewConversationForm = { source: Source | null; model: string | null; fields: AskFields; title: string }

/**
 * The specification, section 2: the last selection is restored; choosing another source clears the model, another model
 * the fields.
 */
function useNewConversationForm(portal: Portal, setting: UserSetting) {
  const [form, setForm] = useState<NewConversationForm>(() => ({
    source: null,
    model: null,
    ...bestSelection(portal, setting, lastSelection(), new Date()),
    fields: {},
    title: '',
  }))
  return {
    form,
    chooseSource: (source: Source) =>
      setForm(now => (now.source === source ? now : { ...now, source, model: null, fields: {} })),
    chooseModel: (model: string) => setForm(now => (now.model === model ? now : { ...now, model, fields: {} })),
    chooseFields: (fields: AskFields) => setForm(now => ({ ...now, fields })),
    setTitle: (title: string) => setForm(now => ({ ...now, title })),
  }
}

/** What a model can, in columns. The list is of use without it. */
const ModelFacts = lazyComponent(async () => {
  const [module] = await Promise.all([import('#web/attachments/ModelFacts.tsx'), loadTexts('attachments')])
  return module.ModelFacts
})
const ignore = () => undefined

type Option<Value extends string> = {
  value: Value
  title: string
  hint: ReactNode
  disabled: boolean
  facts?: ReactNode
}

type OptionsProps<Value extends string> = {
  /** The visible and accessible name of the group. */
  label: string
  testid: string
  shape: 'cards' | 'rows'
  options: readonly Option<Value>[]
  /**
   * `first`: the chosen option gets the initial focus of the dialog, so that Enter submits it and a phone shows no
   * keyboard.
   */
  chosen: { value: Value | null; first?: boolean; choose(value: Value): void }
}

/** Radio buttons that look like cards or rows: arrow keys move, a click anywhere on one chooses it. */
function Options<Value extends string>({ label, testid, shape, options, chosen }: OptionsProps<Value>) {
  return (
    <fieldset className={styles.group} role="radiogroup" data-testid={testid} aria-label={label}>
      <legend className={styles.label}>{label}</legend>
      <div className={styles[shape]}>
        {options.some(({ facts }) => facts !== undefined) && <ModelFacts model={null} onLoadError={ignore} />}
        {options.map(({ value, title, hint, disabled, facts }) => (
          <label key={value} className={styles.option} data-value={value} data-disabled={disabled || undefined}>
            <input
              type="radio"
              name={testid}
              value={value}
              checked={value === chosen.value}
              disabled={disabled}
              onChange={() => chosen.choose(value)}
              data-autofocus={(chosen.first && value === chosen.value) || undefined}
            />
            <span className={styles.title}>{title}</span>
            {shape === 'cards' && <IconCheck className={styles.check} size={16} aria-hidden />}
            <span className={styles.hint}>{hint}</span>
            {facts}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

type SourceOptionsProps = {
  portal: Portal
  setting: UserSetting
  chosen: { value: Source | null; choose(source: Source): void }
}

/** A source that this user may not use is shown with the reason. */
function SourceOptions({ portal, setting, chosen }: SourceOptionsProps) {
  const t = useTranslate()
  const now = useNow()
  const hintOf = (source: Source) => {
    const { hint } = pageSource(source)
    return hint === null ? null : t(hint)
  }
  const options = sourceChoices(portal, setting, now).map(({ source, disabledReason }) => ({
    value: source,
    title: t(`sources.${source}`),
    hint: disabledReason === null ? hintOf(source) : t(`newConversation.${disabledReason}`),
    disabled: disabledReason !== null,
  }))
  return (
    <Options
      label={t('newConversation.source')}
      testid="new-conversation-source"
      shape="cards"
      options={options}
      chosen={chosen}
    />
  )
}

type ModelOptionsProps = {
  models: readonly ModelChoice[]
  setting: UserSetting
  chosen: { value: string | null; choose(model: string): void }
}

/**
 * The models of a source, with what remains of each, or when it can be asked again; such a model can be chosen all the
 * same.
 */
function ModelOptions({ models, setting, chosen }: ModelOptionsProps) {
  const t = useTranslate()
  const modelName = useModelName()
  const momentText = useMomentText()
  const allowanceQuery = useAllowance()
  const isKnown = models.some(
    ({ takes_pictures, takes_files, context_length }) =>
      takes_pictures !== null || takes_files !== null || context_length !== null,
  )
  const options = models.map(model => {
    const { source, code } = model
    const available = availabilityOf(allowanceQuery?.allowance, setting, source, code)
    return {
      value: code,
      title: modelName(code),
      hint: hintOf(available),
      disabled: available.count === 0 && available.opens_at === null,
      ...(isKnown && { facts: <ModelFacts model={model} onLoadError={ignore} /> }),
    }
  })
  return (
    <Options
      label={t('newConversation.model')}
      testid="new-conversation-model"
      shape="rows"
      options={options}
      chosen={{ ...chosen, first: true }}
    />
  )

  function hintOf({ count, window_seconds, opens_at }: Availability): string {
    if (opens_at !== null)
      return t(count === 0 ? 'allowance.usedUpUntil' : 'allowance.opens', { time: momentText(opens_at) })
    if (count === null) return t('newConversation.unlimited')
    if (count === 0) return t('newConversation.usedUp')
    return window_seconds === null
      ? t('newConversation.remaining', { count })
      : t('allowance.remainingInWindow', { count, window_seconds })
  }
}

/**
 * How many asks of a model are left for a new conversation, null meaning unlimited. `opens_at` only while it cannot be
 * asked.
 */
type Availability = { count: number | null; window_seconds: number | null; opens_at: string | null }

/** Computed from the allowance; until that is loaded, from the counts of the account. */
export function availabilityOf(
  allowance: Allowance | undefined,
  setting: UserSetting,
  source: Source,
  model: string,
): Availability {
  const of = allowance === undefined ? null : sourceOf(allowance, source)
  if (allowance === undefined || of === null)
    return { count: remainingBySetting(setting, source, model), window_seconds: null, opens_at: null }
  const { opens_at } = verdictFor(allowance, { source, model, isNew: false })
  const left = remainingOf(of, model)
  return { count: left?.count ?? null, window_seconds: left?.window_seconds ?? null, opens_at }
}
