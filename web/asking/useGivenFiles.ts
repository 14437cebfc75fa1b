import { useEffect, useRef } from 'react'
import type { UserSetting } from '#contract/limits.ts'
import { useSession } from '#web/foundation/session.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { toast } from '#web/kit/toast.ts'
import type { ModelChoices } from './useModelChoice.ts'

/** The models that read files (the specification, section 2). */
const READERS: readonly string[] = ['gpt_4', 'gpt_4_code_interpreter']

/** Why this conversation takes no files; null when it does. */
export function noFilesBecause(choice: Pick<ModelChoices, 'source' | 'model'>, setting: UserSetting) {
  if (choice.source !== 'openai_web') return 'composer.noFilesWithApi'
  if (setting.openai_web.disable_uploading) return 'composer.noFilesForYou'
  return READERS.includes(choice.model) ? null : 'composer.noFilesWithModel'
}

/**
 * Files that are dropped on the screen or pasted go to whoever takes them. Where nobody does it is said why; and a browser
 * that is left alone with a dropped file would leave the page for it.
 */
export function useGivenFiles(choice: ModelChoices | null, onFiles: ((files: File[]) => void) | null): void {
  const t = useTranslate()
  const take = useRef<(files: File[]) => void>(() => undefined)
  useEffect(() => {
    take.current = files => {
      const { user } = useSession.getState()
      const reason = choice === null || user === null ? null : noFilesBecause(choice, user.setting)
      if (reason === null && onFiles !== null) onFiles(files)
      else toast.refusal(t('composer.noFiles'), reason === null ? '' : t(reason))
    }
  })
  useEffect(() => {
    const given = (event: DragEvent | ClipboardEvent, from: DataTransfer | null) => {
      const files = [...from?.files ?? []]
      // What is copied from a text program is a picture as well: the words are meant.
      if (files.length === 0 || (event.type === 'paste' && from?.types.includes('text/plain') === true)) return
      event.preventDefault()
      take.current(files)
    }
    const onDrop = (event: DragEvent) => given(event, event.dataTransfer)
    const onPaste = (event: ClipboardEvent) => given(event, event.clipboardData)
    const onDragOver = (event: DragEvent) => { if (event.dataTransfer?.types.includes('Files') === true) event.preventDefault() }
    window.addEventListener('drop', onDrop)
    window.addEventListener('paste', onPaste)
    window.addEventListener('dragover', onDragOver)
    return () => {
      window.removeEventListener('drop', onDrop)
      window.removeEventListener('paste', onPaste)
      window.removeEventListener('dragover', onDragOver)
    }
  }, [])
}
