import { MAX_ATTACHMENTS, MAX_IMAGES } from '#contract/asking.ts'
import { isPictureType, MAX_FILE_BYTES } from '#contract/files.ts'
import type { Attachment } from '#contract/messages.ts'
import type { RefusalValues } from '#contract/refusals.ts'
import type { Translate } from '#web/i18n/dictionary.ts'
import { isReadBy, type SeeingModel, seesPictures, typeOf } from './askFiles.ts'

/** A key of the language files and its values, as in a refusal. */
export type Reason = { message: string; values: RefusalValues | null }

export type UploadState =
  /** It waits until fewer uploads run at once. */
  | { phase: 'waiting' }
  /** `share` of the bytes has been sent, from 0 to 1. */
  | { phase: 'uploading'; share: number }
  /** All bytes are sent; the server passes the file on to the upstream. */
  | { phase: 'storing' }
  | { phase: 'ready'; attachment: Attachment }
  /** It may succeed when it is tried again. */
  | { phase: 'failed'; reason: Reason }
  /** It can never succeed. */
  | { phase: 'refused'; reason: Reason }

export type UploadEvent =
  | { type: 'progress'; share: number }
  | { type: 'sent' }
  | { type: 'stored'; attachment: Attachment }
  | { type: 'failed'; reason: Reason }
  /** The server refused the question because of this file. */
  | { type: 'notTaken'; reason: Reason }
  | { type: 'again' }

/** One file of a draft. */
export type Upload = {
  id: string
  name: string
  /** Bytes. */
  size: number
  mime_type: string
  /** The model that was chosen when the file was added; null when `file` is. */
  model: SeeingModel
  /** Null for a file that was uploaded earlier, with a question that was withdrawn. */
  file: File | null
  state: UploadState
}

/** Pure. Events of an earlier attempt change nothing. */
export function afterEvent(state: UploadState, event: UploadEvent): UploadState {
  switch (event.type) {
    case 'progress':
      return state.phase === 'waiting' || state.phase === 'uploading'
        ? { phase: 'uploading', share: event.share }
        : state
    case 'sent':
      return isUnderWay(state) ? { phase: 'storing' } : state
    case 'stored':
      return isUnderWay(state) ? { phase: 'ready', attachment: event.attachment } : state
    case 'failed':
      return isUnderWay(state) ? { phase: 'failed', reason: event.reason } : state
    case 'notTaken':
      return state.phase === 'ready' ? { phase: 'failed', reason: event.reason } : state
    case 'again':
      return state.phase === 'failed' ? { phase: 'waiting' } : state
  }
}

/** Whether it will become ready or fail without the user doing anything. */
export function isUnderWay({ phase }: UploadState): boolean {
  return phase === 'waiting' || phase === 'uploading' || phase === 'storing'
}

export function readyAttachments(uploads: readonly Upload[]): Attachment[] {
  return uploads.flatMap(({ state }) => (state.phase === 'ready' ? [state.attachment] : []))
}

/** The added files, and how many were too many. */
type AddedFiles = { added: Omit<Upload, 'id'>[]; beyond: { files: number; pictures: number } }

/** Pure. Keeps the order. A file that can never be uploaded is added too, so that its row gives the reason. */
export function addFiles(files: readonly File[], present: readonly Upload[], model: SeeingModel): AddedFiles {
  const added: AddedFiles['added'] = []
  const beyond = { files: 0, pictures: 0 }
  for (const file of files) {
    const { name, size } = file
    const mime_type = typeOf(file)
    const all = [...present, ...added]
    if (all.length >= MAX_ATTACHMENTS) beyond.files += 1
    else if (seesPictures(model) && isPictureType(mime_type) && countPictures(all) >= MAX_IMAGES) beyond.pictures += 1
    else added.push({ name, size, mime_type, model, file, state: firstState(size, mime_type, model) })
  }
  return { added, beyond }
}

function countPictures(uploads: readonly Pick<Upload, 'mime_type' | 'state'>[]): number {
  return uploads.filter(({ mime_type, state }) => isPictureType(mime_type) && state.phase !== 'refused').length
}

function firstState(size: number, mime_type: string, model: SeeingModel): UploadState {
  if (size > MAX_FILE_BYTES)
    return { phase: 'refused', reason: { message: 'errors.fileTooLarge', values: { max_bytes: MAX_FILE_BYTES } } }
  if (size === 0) return { phase: 'refused', reason: { message: 'errors.fileEmpty', values: null } }
  if (!isReadBy(model, mime_type)) return { phase: 'refused', reason: { message: 'files.notRead', values: null } }
  return { phase: 'waiting' }
}

/**
 * Why a question cannot be sent with these files to this model; null when it can. The model may have been changed since
 * they were added.
 */
export function uploadsDisabledReason(uploads: readonly Upload[], model: SeeingModel, t: Translate): string | null {
  const underWay = uploads.filter(({ state }) => isUnderWay(state)).length
  if (underWay > 0) return t('files.underWay', { count: underWay })
  if (uploads.some(({ state }) => state.phase !== 'ready')) return t('files.someFailed')
  if (seesPictures(model) && countPictures(uploads) > MAX_IMAGES) return t('files.mostPictures', { most: MAX_IMAGES })
  const unread = uploads.find(({ mime_type }) => !isReadBy(model, mime_type))
  return unread === undefined ? null : t('files.unread', { name: unread.name })
}
