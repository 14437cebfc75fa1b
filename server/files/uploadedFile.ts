import { extname } from 'node:path'
import { beginningOf } from '#contract/cutText.ts'
import { type UploadedFile, UseCase } from '#contract/files.ts'
import type { FileRow } from './store.ts'

export function toUploadedFile(row: FileRow): UploadedFile {
  const { file_id, uploader_id, original_filename, size, storage_path, content_type, width, height } = row
  return {
    id: file_id,
    original_filename,
    size,
    storage_path,
    content_type,
    uploader_id,
    upload_time: new Date(row.upload_time).toISOString(),
    openai_web_info: webInfo(row),
    extra_info: width === null && height === null ? null : { width, height },
  }
}

function webInfo({ web_file_id, use_case, upload_url, download_url }: FileRow): UploadedFile['openai_web_info'] {
  return web_file_id === null
    ? null
    : { file_id: web_file_id, use_case: UseCase.parse(use_case), upload_url, download_url }
}

/** UTF-16 units, as in the contract. */
const MAX_NAME = 255

/** Invisible characters: controls, and those that change the writing direction. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu

/** A file's name as it is shown and downloaded: never a path, on no system. It is not the storage path. */
export function cleanName(given: string): string {
  const own = given.toWellFormed().replaceAll(UNSEEN, '').split(/[/\\]/).at(-1)?.trim() ?? ''
  if (own === '' || /^\.+$/.test(own)) return 'file'
  if (own.length <= MAX_NAME) return own
  const end = beginningOf(extname(own), 20)
  return beginningOf(own, MAX_NAME - end.length) + end
}
