import { Button } from '@mantine/core'
import { useEffect, useEffectEvent } from 'react'
import { toast } from '#web/foundation/toasts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { useLeaving } from '#web/kit/leaving.ts'
import { PromptFields } from './PromptFields.tsx'
import { usePromptForm } from './promptForm.ts'
import { type PromptTexts, savePrompt } from './prompts.ts'
import styles from './fields.module.css'

/** Keeps what is written as a prompt of one's own. */
export function PromptDialog({ text, onClose }: { text: string; onClose(): void }) {
  return <PromptEditor id={null} given={{ name: '', short_name: '', text }} onClose={onClose} onBack={onClose} />
}

type EditorProps = {
  /** Null for a new one. */
  id: number | null
  given: PromptTexts
  onClose(): void
  /** After it is saved, or left by its button. */
  onBack(): void
}

const LEAVING = { question: 'prompts.leave', verb: 'instructions.discard' } as const

/** A dialog to write a prompt. Leaving it with changes asks. */
export function PromptEditor({ id, given, onClose, onBack }: EditorProps) {
  const t = useTranslate()
  const { leave, setChanged } = useLeaving(LEAVING)
  return (
    <Dialog title={t(id === null ? 'prompts.new' : 'prompts.edit')} width={600} onClose={() => leave(onClose)}>
      <PromptForm id={id} given={given} onChanged={setChanged} onLeave={() => leave(onBack)} onSaved={onBack} />
    </Dialog>
  )
}

type FormProps = {
  /** Null for a new one. */
  id: number | null
  given: PromptTexts
  onChanged(changed: boolean): void
  onLeave(): void
  onSaved(): void
}

function PromptForm({ id, given, onChanged, onLeave, onSaved }: FormProps) {
  const t = useTranslate()
  const { typed, wrong, pending, isChanged, change, submit } = usePromptForm(given, async texts => {
    await savePrompt(id, texts)
    toast.success(t('prompts.saved', { name: texts.name.trim() }))
    onSaved()
  })
  const report = useEffectEvent(onChanged)
  useEffect(() => report(isChanged), [isChanged])
  return (
    <form className={styles.form} noValidate onSubmit={event => void submit(event)} data-testid="prompt-form">
      <PromptFields typed={typed} wrong={wrong} onChange={change} />
      <div className={styles.actions}>
        <span className={styles.hint}>{t('prompts.onlyYou')}</span>
        <Button variant="subtle" color="gray" onClick={onLeave}>
          {t('kit.cancel')}
        </Button>
        <Button type="submit" loading={pending}>
          {t('prompts.keep')}
        </Button>
      </div>
    </form>
  )
}
