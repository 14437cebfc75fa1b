import { useEffect, useRef, useState } from 'react'
import { FILE_MODELS } from '#contract/files.ts'
import type { UserSetting } from '#contract/limits.ts'
import { useSession } from '#web/foundation/session.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { toast } from '#web/foundation/toasts.ts'
import type { ModelChoices } from '../composer/modelChoice.tsx'

/** Why this conversation takes no files; null when it does. */
export function noFilesBecause(choice: Pick<ModelChoices, 'source' | 'model'>, setting: UserSetting) {
  if (choice.source !== 'openai_web') return 'composer.noFilesWithApi'
  if (setting.openai_web.disable_uploading) return 'composer.noFilesForYou'
  return FILE_MODELS.includes(choice.model) ? null : 'composer.noFilesWithModel'
}

/**
 * Files that are dropped on the screen or pasted go to whoever takes them. Where nobody does it is said why; and a browser
 * that is left alone with a dropped file would leave the page for it. Answers whether files are held over the screen now.
 */
export function useGivenFiles(choice: ModelChoices | null, onFiles: ((files: File[]) => void) | null): boolean {
  const t = useTranslate()
  const [held, setHeld] = useState(false)
  const take = useRef<(files: File[]) => void>(() => undefined)
  useEffect(() => {
    take.current = files => {
      const { user } = useSession.getState()
      const reason = choice === null || user === null ? null : noFilesBecause(choice, user.setting)
      if (reason === null && onFiles !== null) onFiles(files)
      else toast.refusal(t('composer.noFiles'), reason === null ? '' : t(reason))
    }
  })
  useEffect(() => listen(files => take.current(files), setHeld), [])
  return held
}

/** Answers with what ends it. What has been taken by others, such as a dialog that reads a file, is theirs. */
function listen(onFiles: (files: File[]) => void, onHeld: (held: boolean) => void): () => void {
  const given = (event: DragEvent | ClipboardEvent, from: DataTransfer | null) => {
    const files = [...(from?.files ?? [])]
    // What is copied from a text program is a picture as well: the words are meant.
    if (
      event.defaultPrevented ||
      files.length === 0 ||
      (event.type === 'paste' && from?.types.includes('text/plain') === true)
    )
      return
    event.preventDefault()
    if (!isCovered()) onFiles(files)
  }
  const onDrop = (event: DragEvent) => {
    onHeld(false)
    given(event, event.dataTransfer)
  }
  const onDragOver = (event: DragEvent) => {
    if (event.dataTransfer?.types.includes('Files') !== true) return
    onHeld(!event.defaultPrevented && !isCovered())
    event.preventDefault()
  }
  // Between two elements of the page it is left for the next one; only out of the window for none.
  const onDragLeave = ({ relatedTarget }: DragEvent) => {
    if (relatedTarget === null) onHeld(false)
  }
  const listening = new AbortController()
  const { signal } = listening
  window.addEventListener('drop', onDrop, { signal })
  window.addEventListener('paste', event => given(event, event.clipboardData), { signal })
  window.addEventListener('dragover', onDragOver, { signal })
  window.addEventListener('dragleave', onDragLeave, { signal })
  return () => listening.abort()
}

/** Under a dialog there is nothing to put a file on. */
function isCovered(): boolean {
  return document.querySelector('[aria-modal=true]') !== null
}
