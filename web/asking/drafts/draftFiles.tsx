import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { UserSetting } from '#contract/limits.ts'
import type { ModelChoice, Source } from '#contract/models.ts'
import type { Selection } from '#web/conversations/choices.ts'
import { type AskFiles, askFiles } from '#web/files/askFiles.ts'
import { FileButton, UploadList } from '#web/files/UploadList.tsx'
import { attachFiles, useUploads } from '#web/files/uploads.ts'
import { readyAttachments, type Upload, uploadsDisabledReason } from '#web/files/uploadState.ts'
import { useModel } from '#web/foundation/portal.ts'
import { useSession } from '#web/foundation/session.ts'
import { toast } from '#web/foundation/toasts.ts'
import type { PlainKey } from '#web/i18n/dictionary.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { pageSource } from '#web/sources/list/list.ts'

export type DraftFiles = {
  /** The parts of the composer that show files. */
  above: ReactNode
  button: ReactNode
  /** Why the question cannot be sent with its files. */
  disabledReason: string | null
  /** The fields of the request. */
  forAsk: AskFiles
}

const NO_UPLOADS: readonly Upload[] = []
const NO_CHOICE = { source: 'openai_api', model: null } as const

/** The files of the question that is being written. */
export function useDraftFiles(conversation: string, choice: Selection | null): DraftFiles {
  const t = useTranslate()
  const { user } = useSession()
  const uploads = useUploads(all => all[conversation]) ?? NO_UPLOADS
  const model = useModel(choice ?? NO_CHOICE)
  const closed = choice === null || user === null ? null : noFilesBecause(choice.source, model, user.setting)
  const add =
    choice === null || user === null || closed !== null
      ? null
      : (files: File[]) => attachFiles(conversation, files, model)
  const isDraggedOver = useDroppedFiles(closed, add)
  if (choice === null || (add === null && uploads.length === 0))
    return { above: null, button: null, disabledReason: null, forAsk: {} }
  return {
    above: <UploadList uploads={uploads} isDraggedOver={isDraggedOver} />,
    button: add && <FileButton count={uploads.length} model={model} onFiles={add} />,
    disabledReason: closed === null ? uploadsDisabledReason(uploads, model, t) : t(closed),
    forAsk: askFiles(model, readyAttachments(uploads)),
  }
}

/** Why no files can be added with this model; null when they can. */
export function noFilesBecause(source: Source, model: ModelChoice | null, setting: UserSetting) {
  const { files } = pageSource(source)
  return files === null ? 'composer.noFilesWithApi' : files.disabledReason(model, setting)
}

/**
 * Takes files that are dropped on the page or pasted, and says why when the conversation accepts none. Without it a
 * browser would leave the page for a dropped file. Returns whether files are being dragged over the page.
 */
function useDroppedFiles(closed: PlainKey | null, onFiles: ((files: File[]) => void) | null): boolean {
  const t = useTranslate()
  const [dragged, setDragged] = useState(false)
  const take = useRef<(files: File[]) => void>(() => undefined)
  useEffect(() => {
    take.current = files => {
      if (onFiles !== null) onFiles(files)
      else toast.refusal(t('composer.noFiles'), closed === null ? '' : t(closed))
    }
  })
  useEffect(() => listen(files => take.current(files), setDragged), [])
  return dragged
}

/**
 * Returns what removes the listeners. An event that another listener has handled, such as a dialog that reads a file,
 * is left alone.
 */
function listen(onFiles: (files: File[]) => void, onDragged: (dragged: boolean) => void): () => void {
  const take = (event: Event, from: DataTransfer | null) => {
    const files = [...(from?.files ?? [])]
    if (event.defaultPrevented || files.length === 0) return
    event.preventDefault()
    if (!isCovered()) onFiles(files)
  }
  const onDrop = (event: DragEvent) => {
    onDragged(false)
    take(event, event.dataTransfer)
  }
  const onPaste = (event: ClipboardEvent) => {
    // Text copied from an office program comes with a picture of itself; the text is what is wanted.
    if (event.clipboardData?.types.includes('text/plain') !== true) take(event, event.clipboardData)
  }
  const onDragOver = (event: DragEvent) => {
    if (event.dataTransfer?.types.includes('Files') !== true) return
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
