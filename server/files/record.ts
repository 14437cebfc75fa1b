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
