import { type FormEvent, useState } from 'react'
import { Button, TextInput } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { MAX_TITLE_LENGTH } from '#contract/conversations.ts'
import type { UserSetting } from '#contract/limits.ts'
import type { Source } from '#contract/models.ts'
import type { Portal } from '#contract/status.ts'
import { lastSelection } from '#web/foundation/stored.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog, DialogFooter } from '#web/kit/Dialog.tsx'
import type { AskFields } from '#web/sources/source.ts'
import { pageSource } from '#web/sources/list/list.ts'
import { bestSelection, modelChoices } from './choices.ts'
import styles from './newConversation.module.css'
import { ModelOptions, SourceOptions } from './NewConversationOptions.tsx'

export type Chosen = { source: Source; model: string; fields: AskFields; title: string }

type NewConversationDialogProps = {
  portal: Portal
  setting: UserSetting
  onClose(): void
  onStart(chosen: Chosen): void
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
