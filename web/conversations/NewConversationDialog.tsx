import { type FormEvent, useState } from 'react'
import { Button, TextInput } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { MAX_TITLE_LENGTH } from '#contract/conversations.ts'
import type { UserSetting } from '#contract/limits.ts'
import { PLUGIN_MODEL, type Source } from '#contract/models.ts'
import type { Portal } from '#contract/status.ts'
import { lastSelection } from '#web/foundation/stored.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog, DialogFooter } from '#web/kit/Dialog.tsx'
import { lazyComponent } from '#web/kit/lazyComponent.tsx'
import { bestSelection, modelChoices } from './choices.ts'
import styles from './newConversation.module.css'
import { ModelOptions, SourceOptions } from './NewConversationOptions.tsx'

const PluginPicker = lazyComponent(() => import('#web/plugins/PluginPicker.tsx').then(module => module.PluginPicker))

export type Chosen = { source: Source; model: string; plugin_ids: string[]; title: string }

type NewConversationDialogProps = {
  portal: Portal
  setting: UserSetting
  onClose(): void
  onStart(chosen: Chosen): void
}

/** Asks for source, model, plugins and title. */
export function NewConversationDialog({ portal, setting, onClose, onStart }: NewConversationDialogProps) {
  const t = useTranslate()
  const { form, chooseSource, chooseModel, choosePlugins, setTitle } = useNewConversationForm(portal, setting)
  const [tried, setTried] = useState(false)
  const { source, model, plugin_ids, title } = form
  const models = source === null ? [] : modelChoices(portal, setting, source)
  const start = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (source !== null && model !== null) onStart({ source, model, plugin_ids, title: title.trim() })
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
        {mayHavePlugins(form) && (
          <PluginPicker chosen={plugin_ids} onChoose={choosePlugins} onLoadError={() => undefined} />
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

type NewConversationForm = { source: Source | null; model: string | null; plugin_ids: string[]; title: string }

function mayHavePlugins({ source, model }: Pick<NewConversationForm, 'source' | 'model'>): boolean {
  return source === 'openai_web' && model === PLUGIN_MODEL
}

/** The specification, section 2: the last selection is restored; choosing another source clears the model, another model the plugins. */
function useNewConversationForm(portal: Portal, setting: UserSetting) {
  const [form, setForm] = useState<NewConversationForm>(() => ({
    source: null,
    model: null,
    ...bestSelection(portal, setting, lastSelection(), new Date()),
    plugin_ids: [],
    title: '',
  }))
  return {
    form,
    chooseSource: (source: Source) =>
      setForm(now => (now.source === source ? now : { ...now, source, model: null, plugin_ids: [] })),
    chooseModel: (model: string) => setForm(now => (now.model === model ? now : { ...now, model, plugin_ids: [] })),
    choosePlugins: (plugin_ids: string[]) => setForm(now => ({ ...now, plugin_ids })),
    setTitle: (title: string) => setForm(now => ({ ...now, title })),
  }
}
