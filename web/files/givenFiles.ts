import { MAX_ATTACHMENTS, MAX_IMAGES } from '#contract/asking.ts'
import { MAX_FILE_BYTES } from '#contract/files.ts'
import { isPicture, isReadBy, looksAtPictures, typeOf } from './fileTypes.ts'
import type { Reason, Upload, UploadState } from './uploadState.ts'

/** The result of adding files: those attached now, and how many were too many. */
export type Taken = { taken: Omit<Upload, 'id'>[]; beyond: { files: number; pictures: number } }

/** Pure. Files in the order in which they were added. A file that can never be uploaded is added too, so that its row says why. */
export function takeFiles(files: readonly File[], present: readonly Upload[], model: string): Taken {
  const taken: Taken['taken'] = []
  const beyond = { files: 0, pictures: 0 }
  for (const file of files) {
    const mime_type = typeOf(file)
    const all = [...present, ...taken]
    if (all.length >= MAX_ATTACHMENTS) beyond.files += 1
    else if (looksAtPictures(model) && isPicture(mime_type) && picturesAmong(all) >= MAX_IMAGES) beyond.pictures += 1
    else
      taken.push({ name: file.name, size: file.size, mime_type, model, file, state: beginning(file, mime_type, model) })
  }
  return { taken, beyond }
}

export function picturesAmong(uploads: readonly Pick<Upload, 'mime_type' | 'state'>[]): number {
  return uploads.filter(({ mime_type, state }) => isPicture(mime_type) && state.phase !== 'refused').length
}

const NOT_READ: Reason = { message: 'files.notRead', values: null }
const TOO_LARGE: Reason = { message: 'errors.fileTooLarge', values: { max_bytes: MAX_FILE_BYTES } }

function beginning({ size }: File, mime_type: string, model: string): UploadState {
  const reason = size > MAX_FILE_BYTES ? TOO_LARGE : isReadBy(model, mime_type) ? null : NOT_READ
  return reason === null ? { phase: 'waiting' } : { phase: 'refused', reason }
}
