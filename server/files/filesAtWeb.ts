import { cleanName, toUploadedFile } from './uploadedFile.ts'
import type { Readable } from 'node:stream'
import type { ResultOf } from '#contract/call.ts'
import type { Configuration } from '#contract/configuration.ts'
import type { startUpload, UploadedFile, UploadStart, UploadStrategy, UseCase } from '#contract/files.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { newId } from '#server/foundation/ids.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { typeByName } from './contentType.ts'
import type { Disk } from './disk.ts'
import type { Reader } from './localFiles.ts'
import { type FileRow, fileStore } from './store.ts'
import type { UploadRules } from './uploadRules.ts'

/** The files of the shared web account. Each call throws the refusal of its upstream. */
export type WebFiles = {
  /** Announces a file; returns its id at the web service and where to upload it. */
  begin(file: {
    file_name: string
    file_size: number
    use_case: UseCase
  }): Promise<{ file_id: string; upload_url: string }>
  /** Uploads it. */
  put(upload_url: string, file: { content: Readable; size: number; content_type: string }): Promise<void>
  /** Confirms the upload; only once. */
  complete(file_id: string): Promise<{ download_url: string }>
  /** A short-lived URL. */
  downloadUrl(file_id: string): Promise<string>
}

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  disk: Disk
  configuration(): Configuration
  uploading: UploadRules
  web: WebFiles | null
}

/** Uploads to the web service: started, then completed. Refused without the service. */
export function filesAtWeb({ open, clock, disk, configuration, uploading, web }: Dependencies) {
  const store = fileStore(open.database)

  function requireWeb(): WebFiles {
    if (web === null) throw new Refusal('chatTypeNotEnabled')
    return web
  }

  /** Another user's is not found, like one that does not exist. */
  async function requireOwn(user_id: number, id: string): Promise<FileRow> {
    const row = await store.find(id)
    if (row === undefined || row.uploader_id !== user_id) throw new Refusal('resourceNotFound')
    return row
  }

  async function begin(
    uploader_id: number,
    { file_name, file_size, use_case, width, height }: UploadStart,
  ): Promise<UploadedFile> {
    const original_filename = cleanName(file_name)
    const { file_id, upload_url } = await requireWeb().begin({ file_name: original_filename, file_size, use_case })
    const row: FileRow = {
      file_id: newId(),
      uploader_id,
      original_filename,
      size: file_size,
      content_type: typeByName(original_filename),
      width: width ?? null,
      height: height ?? null,
      upload_time: clock.now(),
      storage_path: null,
      web_file_id: file_id,
      use_case,
      upload_url,
      download_url: null,
      upstream_id: null,
    }
    await store.insert(row)
    return toUploadedFile(row)
  }

  async function relay({ file_id, original_filename, size, content_type }: FileRow, storage_path: string) {
    const service = requireWeb()
    const content = (await disk.open(storage_path))?.createReadStream() ?? null
    if (content === null) throw new Refusal('resourceNotFound')
    try {
      const use_case = 'my_files'
      const upload = await service.begin({ file_name: original_filename, file_size: size, use_case })
      await service.put(upload.upload_url, { content, size, content_type })
      const sent = { web_file_id: upload.file_id, use_case, ...(await service.complete(upload.file_id)) } as const
      await store.relayed(file_id, sent)
      return sent
    } finally {
      content.destroy()
    }
  }

  return {
    /** The specification, section 5: with an upload_file_info the browser uploads to the web service, without one to this server. */
    async start(user_id: number, upload: UploadStart): Promise<ResultOf<typeof startUpload>> {
      await uploading.requireAllowed(user_id)
      const {
        openai_web: { file_upload_strategy: strategy },
        data: { max_file_upload_size: file_max_size },
      } = configuration()
      const exceeds = upload.file_size > file_max_size
      if (strategy === 'server_upload_only' && exceeds) throw new Refusal('fileTooLarge', { max_bytes: file_max_size })
      return {
        strategy,
        file_max_size,
        upload_file_info: goesByBrowser(strategy, exceeds) ? await begin(user_id, upload) : null,
      }
    },

    async complete(user_id: number, id: string): Promise<UploadedFile> {
      const row = await requireOwn(user_id, id)
      if (row.web_file_id === null || row.upload_url === null) throw new Refusal('invalidRequest')
      const { download_url } = await requireWeb().complete(row.web_file_id)
      await store.complete(id, download_url)
      return toUploadedFile({ ...row, upload_url: null, download_url })
    },

    /** Uploads a file of this server to the web service, once. */
    async relay(user_id: number, id: string): Promise<UploadedFile> {
      const row = await requireOwn(user_id, id)
      const { storage_path, web_file_id } = row
      if (storage_path === null || web_file_id !== null) throw new Refusal('invalidRequest')
      await uploading.requireAllowed(user_id)
      return toUploadedFile({ ...row, ...(await uploading.limitConcurrency(user_id, () => relay(row, storage_path))) })
    },

    async downloadUrl(reader: Reader, web_file_id: string): Promise<string> {
      const row = await store.findAtWeb(web_file_id)
      if (row === undefined || (row.uploader_id !== reader.id && !reader.is_superuser))
        throw new Refusal('resourceNotFound')
      return requireWeb().downloadUrl(web_file_id)
    },
  }
}

function goesByBrowser(strategy: UploadStrategy, exceeds: boolean): boolean {
  switch (strategy) {
    case 'browser_upload_only':
      return true
    case 'server_upload_only':
      return false
    case 'browser_upload_when_file_size_exceed':
      return exceeds
  }
}
