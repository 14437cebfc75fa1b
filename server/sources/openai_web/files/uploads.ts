import { Readable } from 'node:stream'
import type { ResultOf } from '#contract/call.ts'
import type { Configuration } from '#contract/configuration/configuration.ts'
import type { startUpload, UploadedFile, UploadStart, UploadStrategy, UseCase } from '#contract/files.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { newId } from '#server/foundation/ids.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { fileBounds } from '#server/files/bounds.ts'
import { typeByName } from '#server/files/contentType.ts'
import type { Disk } from '#server/files/disk.ts'
import type { Sends } from './sends.ts'
import { type FileRow, fileStore, NOT_KEPT } from '#server/files/store.ts'
import { cleanName, toUploadedFile } from '#server/files/uploadedFile.ts'
import type { FileAccount, FileAccounts } from './accounts.ts'

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  disk: Disk
  configuration(): Configuration
  requireAllowed(user_id: number): Promise<void>
  sends: Sends
  web: FileAccounts
}

/** Who uploads, for which of their conversations, and the origin under which their browser knows the portal. */
type Upload = { user_id: number; conversation_id: string | null; origin: string }

/** The content of a file as a browser sends it, and its type. `length`: bytes, where that is known beforehand. */
type Arriving = { content: Readable; content_type: string; length: number | null }

/** `use_case`: by default a picture is one that a model looks at. */
type Relay = Omit<Upload, 'origin'> & { use_case: UseCase | null }

/** Uploads to the web service: started, then completed. */
export function openUploads({ open, clock, disk, configuration, requireAllowed, sends, web }: Dependencies) {
  const store = fileStore(open.database)

  /** Another user's file is not found, like one that does not exist. */
  async function requireOwn(user_id: number, id: string): Promise<FileRow> {
    const row = await store.find(id)
    if (row === undefined || row.uploader_id !== user_id) throw new Refusal('resourceNotFound')
    return row
  }

  /** A file of one's own that has been begun and not completed. */
  async function requireBegun(user_id: number, id: string): Promise<{ row: FileRow; upload_url: string; at: AtWeb }> {
    const row = await requireOwn(user_id, id)
    const at = atWeb(row)
    if (at === null || row.upload_url === null) throw new Refusal('invalidRequest')
    await requireAllowed(user_id)
    return { row, upload_url: row.upload_url, at }
  }

  async function begin({ user_id, conversation_id, origin }: Upload, start: UploadStart): Promise<UploadedFile> {
    const { file_name, file_size, use_case, width, height } = start
    const original_filename = cleanName(file_name)
    const account = await web.choose(user_id, conversation_id)
    const { file_id, upload_url } = await web.begin(account, { file_name: original_filename, file_size, use_case })
    const row: FileRow = {
      file_id: newId(),
      uploader_id: user_id,
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
      ...account,
      used_time: null,
      conversation_id: null,
      ...NOT_KEPT,
    }
    await store.insert(row)
    return toUploadedFile({ ...row, upload_url: addressFor(row, origin, configuration()) })
  }

  async function relay(
    { file_id, original_filename, size, content_type }: FileRow,
    storage_path: string,
    { account, use_case }: { account: FileAccount; use_case: UseCase },
    signal: AbortSignal,
  ) {
    const content = (await disk.open(storage_path))?.createReadStream({ highWaterMark: READ_BYTES }) ?? null
    if (content === null) throw new Refusal('resourceNotFound')
    try {
      const upload = await web.begin(account, { file_name: original_filename, file_size: size, use_case })
      await web.put(account, upload.upload_url, { content, size, content_type }, signal)
      const { download_url } = await web.complete(account, upload.file_id)
      const sent = { web_file_id: upload.file_id, use_case, download_url, ...account } as const
      await store.relayed(file_id, sent)
      return sent
    } finally {
      content.destroy()
    }
  }

  return {
    /** The specification, section 5: with an upload_file_info the browser uploads there, without one here. */
    async start(upload: Upload, start: UploadStart): Promise<ResultOf<typeof startUpload>> {
      await requireAllowed(upload.user_id)
      const {
        openai_web: { file_upload_strategy: strategy },
      } = configuration()
      const { one: file_max_size } = await fileBounds(open.database, configuration(), upload.user_id)
      if (start.file_size === 0) throw new Refusal('fileEmpty')
      const exceeds = start.file_size > file_max_size
      if (strategy === 'server_upload_only' && exceeds) throw new Refusal('fileTooLarge', { max_bytes: file_max_size })
      return {
        strategy,
        file_max_size,
        upload_file_info: goesByBrowser(strategy, exceeds) ? await begin(upload, start) : null,
      }
    },

    /** Passes the content on to the storage host: exactly the bytes that were announced. */
    async send(user_id: number, id: string, { content, content_type, length }: Arriving): Promise<void> {
      const { row, upload_url, at } = await requireBegun(user_id, id)
      const { size } = row
      if (length !== null && length !== size) throw sizeDiffers(size, length)
      await sends.during(row, signal =>
        wholeOf(content, size, whole =>
          web.put(at.account, upload_url, { content: whole, size, content_type }, signal),
        ),
      )
    },

    async complete(user_id: number, id: string): Promise<UploadedFile> {
      const { row, at } = await requireBegun(user_id, id)
      const { download_url } = await web.complete(at.account, at.web_file_id)
      await store.complete(id, download_url)
      return toUploadedFile({ ...row, upload_url: null, download_url })
    },

    /** Uploads a file of this server to the web service, once. */
    async relay({ user_id, conversation_id, use_case }: Relay, id: string): Promise<UploadedFile> {
      const row = await requireOwn(user_id, id)
      const { storage_path, web_file_id, content_type } = row
      if (storage_path === null || web_file_id !== null) throw new Refusal('invalidRequest')
      await requireAllowed(user_id)
      const to = {
        account: await web.choose(user_id, conversation_id),
        use_case: use_case ?? (content_type.startsWith('image/') ? 'multimodal' : 'my_files'),
      } as const
      const sent = await sends.during(row, signal => relay(row, storage_path, to, signal))
      return toUploadedFile({ ...row, ...sent })
    },
  }
}

/** Bytes of a file that are read, or held, at once. */
const READ_BYTES = 256 * 1024

/**
 * Where the browser sends the content: through the portal, unless the administrator lets browsers contact the storage
 * host.
 */
function addressFor({ file_id, upload_url }: FileRow, origin: string, { openai_web }: Configuration): string {
  const isAllowed = upload_url !== null && openai_web.upload_origins.includes(URL.parse(upload_url)?.origin ?? '')
  return isAllowed ? upload_url : `${origin}/api/files/openai-web/upload/${file_id}`
}

/** Sends a content that has to be of this size. The storage host is not to blame where it is not. */
async function wholeOf(content: Readable, size: number, send: (whole: Readable) => Promise<void>): Promise<void> {
  const whole = Readable.from(exactly(content, size), { objectMode: false, highWaterMark: READ_BYTES })
  try {
    await send(whole)
  } catch (cause) {
    throw whole.errored instanceof Refusal ? whole.errored : cause
  } finally {
    whole.destroy()
  }
}

/** Fails where there is less, or more; of what is too much nothing is passed on. */
async function* exactly(content: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let arrived = 0
  for await (const piece of content) {
    arrived += piece.length
    if (arrived > size) throw new Refusal('fileSizeDiffers', { announced: size })
    yield piece
  }
  if (arrived < size) throw sizeDiffers(size, arrived)
}

const sizeDiffers = (announced: number, arrived: number): Refusal =>
  new Refusal('fileSizeDiffers', { announced, arrived })

type AtWeb = { web_file_id: string; account: FileAccount }

/** Where it is, once the web service knows of it. */
export function atWeb({ web_file_id, upstream_id, source_id }: FileRow): AtWeb | null {
  return web_file_id === null || upstream_id === null ? null : { web_file_id, account: { upstream_id, source_id } }
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
