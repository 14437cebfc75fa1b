import type { UploadedFile } from '#contract/files.ts'
import { typeOf } from './askFiles.ts'
import type { Upload } from './uploadState.ts'

export function aFile(name: string, size = 3, type = ''): File {
  const file = new File(['abc'], name, { type })
  Object.defineProperty(file, 'size', { value: size })
  return file
}

export function anUpload(file: File, more: Partial<Upload> = {}): Upload {
  return {
    id: file.name,
    name: file.name,
    size: file.size,
    mime_type: typeOf(file),
    model: { takes_pictures: true },
    file,
    state: { phase: 'waiting' },
    ...more,
  }
}

export const UPLOAD_ID = '0f1e2d3c-4b5a-4978-8899-aabbccddeeff'

/** A file that the upstream has. */
export function anUploadedFile(more: Partial<UploadedFile> = {}): UploadedFile {
  return {
    id: UPLOAD_ID,
    original_filename: 'a.csv',
    size: 3,
    storage_path: null,
    content_type: 'text/csv',
    upload_time: '2026-11-20T06:00:00.000Z',
    uploader_id: 7,
    openai_web_info: {
      file_id: 'file-a1',
      use_case: 'my_files',
      upload_url: null,
      download_url: 'https://files.example/a',
    },
    extra_info: null,
    ...more,
  }
}
