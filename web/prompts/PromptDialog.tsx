import { Button } from '@mantine/core'
import { toast } from '#web/foundation/toasts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { PromptFields } from './PromptFields.tsx'
import { usePromptForm } from './promptForm.ts'
import { type PromptTexts, savePrompt } from './prompts.ts'
import styles from './fields.module.css'

/** Keeps what is written as a prompt of one's own. */
export function PromptDialog({ text, onClose }: { text: string; onClose(): void }) {
  const t = useTranslate()
  return (
    <Dialog title={t('prompts.new')} onClose={onClose}>
      <PromptForm id={null} given={{ name: '', short_name: '', text }} onClose={onClose} />
    </Dialog>
  )
}

type FormProps = {
  /** Null for a new one. */
  id: number | null
  given: PromptTexts
  onClose(): void
}

export function PromptForm({ id, given, onClose }: FormProps) {
  const t = useTranslate()
  const { typed, wrong, pending, change, submit } = usePromptForm(given, async texts => {
    await savePrompt(id, texts)
    toast.success(t('prompts.saved', { name: texts.name.trim() }))
    onClose()
  })
  return (
    <form className={styles.form} noValidate onSubmit={event => void submit(event)} data-testid="prompt-form">
      <PromptFields typed={typed} wrong={wrong} onChange={change} />
      <div className={styles.actions}>
        <span className={styles.hint}>{t('prompts.onlyYou')}</span>
        <Button variant="subtle" color="gray" onClick={onClose}>
          {t('kit.cancel')}
        </Button>
        <Button type="submit" loading={pending}>
          {t('prompts.keep')}
        </Button>
      </div>
    </form>
  )
}
