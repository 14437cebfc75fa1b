import { useEffect, useRef, useState } from 'react'
import { toast } from '#web/foundation/toasts.ts'
import type { PlainKey } from '#web/i18n/dictionary.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'

/** What takes what is dropped on the page or pasted. */
type Takers = {
  onFiles(files: File[]): void
  /** Takes a long text that is pasted into the composer; null where it stays a text. */
  onText: ((text: string) => void) | null
  /** Something is dragged over the page. */
  onNear(): void
}

/** Characters: a longer text becomes a file when it is pasted. */
const LONG_TEXT = 4_000

/**
 * Takes files that are dropped on the page or pasted, and says why when the conversation accepts none. Without it a
 * browser would leave the page for a dropped file. Returns whether files are being dragged over the page.
 */
export function useDroppedFiles(closed: PlainKey | null, takers: Takers | null): boolean {
  const t = useTranslate()
  const [dragged, setDragged] = useState(false)
  const current = useRef<Takers>({ onFiles: () => undefined, onText: null, onNear: () => undefined })
  useEffect(() => {
    current.current = takers ?? {
      onFiles: () => toast.refusal(t('composer.noFiles'), closed === null ? '' : t(closed)),
      onText: null,
      onNear: () => undefined,
    }
  })
  useEffect(() => listen(() => current.current, setDragged), [])
  return dragged
}

/**
 * Returns what removes the listeners. An event that another listener has handled, such as a dialog that reads a file,
 * is left alone.
 */
function listen(takers: () => Takers, onDragged: (dragged: boolean) => void): () => void {
  const take = (event: Event, from: DataTransfer | null) => {
    const files = [...(from?.files ?? [])]
    if (event.defaultPrevented || files.length === 0) return
    event.preventDefault()
    if (!isCovered()) takers().onFiles(files)
  }
  const onDrop = (event: DragEvent) => {
    onDragged(false)
    take(event, event.dataTransfer)
  }
  const onPaste = (event: ClipboardEvent) => {
    // Text copied from an office program comes with a picture of itself; the text is what is wanted.
    if (event.clipboardData?.types.includes('text/plain') !== true) take(event, event.clipboardData)
    else takeText(event, event.clipboardData.getData('text/plain'))
  }
  const takeText = (event: ClipboardEvent, text: string) => {
    const { onText } = takers()
    const isIntoComposer = event.target instanceof HTMLElement && event.target.matches('[data-composer]')
    if (event.defaultPrevented || onText === null || text.length <= LONG_TEXT || !isIntoComposer) return
    event.preventDefault()
    onText(text)
  }
  const onDragOver = (event: DragEvent) => {
    if (event.dataTransfer?.types.includes('Files') !== true) return
    takers().onNear()
    onDragged(!event.defaultPrevented && !isCovered())
    event.preventDefault()
  }
  // Dragging on to another element of the page is not leaving it.
  const onDragLeave = ({ relatedTarget }: DragEvent) => {
    if (relatedTarget === null) onDragged(false)
  }
  const listening = new AbortController()
  const { signal } = listening
  window.addEventListener('drop', onDrop, { signal })
  window.addEventListener('paste', onPaste, { signal })
  window.addEventListener('dragover', onDragOver, { signal })
  window.addEventListener('dragleave', onDragLeave, { signal })
  return () => listening.abort()
}

/** Whether a modal dialog is open, under which files cannot be added. */
function isCovered(): boolean {
  return document.querySelector('[aria-modal=true]') !== null
}
