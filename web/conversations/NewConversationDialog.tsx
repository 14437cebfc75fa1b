import { type FormEvent, useState } from 'react'
import { Button, TextInput } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { MAX_TITLE_LENGTH } from '#contract/conversations.ts'
import type { UserSetting } from '#contract/limits.ts'
import type { Source } from '#contract/models.ts'
import type { Portal } from '#contract/status.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog, DialogFooter } from '#web/kit/Dialog.tsx'
import { lazyComponent } from '#web/kit/lazyComponent.tsx'
import { modelChoices } from './choices.ts'
import { ModelOptions } from './ModelOptions.tsx'
import styles from './newConversation.module.css'
import { SourceOptions } from './SourceOptions.tsx'
import { mayHavePlugins, useNewConversationForm } from './useNewConversationForm.ts'

const PluginPicker = lazyComponent(() => import('./PluginPicker.tsx').then(module => module.PluginPicker))

export type Chosen = { source: Source; model: string; plugin_ids: string[]; title: string }

type NewConversationDialogProps = {
  portal: Portal
  setting: UserSetting
  onClose(): void
  onStart(chosen: Chosen): void
}

/** Source, model, plugins and title. */
export function NewConversationDialog({ portal, setting, onClose, onStart }: NewConversationDialogProps) {
  const t = useTranslate()
  const { form, chooseSource, chooseModel, choosePlugins, nameIt } = useNewConversationForm(portal, setting)
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
        {mayHavePlugins(form) && <PluginPicker chosen={plugin_ids} onChoose={choosePlugins} onLoadError={() => {}} />}
        <TextInput
          label={t('newConversation.titleField')}
          placeholder={t('newConversation.titleHint')}
          maxLength={MAX_TITLE_LENGTH}
          data-testid="new-conversation-title"
          value={title}
          onChange={event => nameIt(event.currentTarget.value)}
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
