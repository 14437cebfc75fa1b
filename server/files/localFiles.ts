import type { Configuration } from '#contract/configuration/configuration.ts'
import type { UploadedFile } from '#contract/files.ts'
import { userStore } from '#server/users/store.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { Database, OpenDatabase } from '#server/foundation/database/open.ts'
import type { Download } from '#server/foundation/http/download.ts'
import { newId } from '#server/foundation/ids.ts'
import type { ArrivingFile } from '#server/foundation/http/upload.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { Sources } from '#server/sources/source.ts'
import { fileBounds } from './bounds.ts'
import { detectType } from './contentType.ts'
import { type Disk, storagePath } from './disk.ts'
import { type FileRow, fileStore, NOT_KEPT } from './store.ts'
import { cleanName, toUploadedFile } from './uploadedFile.ts'
import type { UploadLimit } from './uploadLimit.ts'
import { atMost } from './writing.ts'

export type Reader = { id: number; is_superuser: boolean }

/** Refuses superusers a file of somebody else of whom no conversation is open to them. */
export type MayReadOf = (
  reader: Reader,
  file: { owner_id: number | null; conversation_id: string | null },
) => Promise<void>

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  disk: Disk
  configuration(): Configuration
  sources: Pick<Sources, 'all'>
  limitUploads: UploadLimit
  mayReadOf: MayReadOf
}

/** Files that this server stores. */
export function openLocalFiles({ open, clock, disk, configuration, sources, limitUploads, mayReadOf }: Dependencies) {
  /** What is uploaded is for a source that takes files of this person. */
  async function requireAllowed(user_id: number): Promise<void> {
    for (const { files } of sources.all) if (await files?.isAllowed(user_id)) return
    throw new Refusal('uploadingNotAllowed')
  }

  /** A file exists once its row is stored; bytes without a row are removed by the next sweep. */
  async function write(uploader_id: number, { filename, content }: ArrivingFile): Promise<FileRow> {
    const file_id = newId()
    const storage_path = storagePath(uploader_id, file_id)
    const { one } = await fileBounds(open.database, configuration(), uploader_id)
    const { size, head } = await disk.write(storage_path, atMost(content, one))
    const original_filename = cleanName(filename)
    const row: FileRow = {
      file_id,
      uploader_id,
      original_filename,
      size,
      ...detectType(original_filename, head),
      upload_time: clock.now(),
      storage_path,
      web_file_id: null,
      use_case: null,
      upload_url: null,
      download_url: null,
      upstream_id: null,
      source_id: null,
      used_time: null,
      conversation_id: null,
      ...NOT_KEPT,
    }
    try {
      await insert(row)
    } catch (cause) {
      await disk.remove(storage_path)
      throw cause
    }
    return row
  }

  /** The account may have been removed during the upload. */
  const insert = (row: FileRow): Promise<void> =>
    open.transaction(async trx => {
      const store = fileStore(trx)
      // One file of a user is inserted at a time, so that the space is checked against all others.
      await userStore(trx).lock(row.uploader_id, open.engine)
      if (!(await userStore(trx).find(row.uploader_id))?.is_active) throw new Refusal('loginExpired')
      await requireSpace(trx, row.uploader_id, row.size)
      await store.insert(row)
    })

  async function requireSpace(trx: Database, uploader_id: number, size: number): Promise<void> {
    const { all: max_bytes } = await fileBounds(trx, configuration(), uploader_id)
    if ((await fileStore(trx).bytesOf(uploader_id)) + size > max_bytes)
      throw new Refusal('uploadSpaceUsedUp', { max_bytes })
  }

  return {
    async keep(uploader_id: number, file: ArrivingFile): Promise<UploadedFile> {
      await requireAllowed(uploader_id)
      if (!sources.all.some(({ files }) => files?.takesHere())) throw new Refusal('invalidRequest')
      await requireSpace(open.database, uploader_id, 1) // room for the smallest file
      return toUploadedFile(await limitUploads(uploader_id, () => write(uploader_id, file)))
    },

    /**
     * Another user's file and one that is not on this server are not found, like an unknown one. Superusers may read
     * all.
     */
    async read(reader: Reader, id: string): Promise<Download> {
      const row = await fileStore(open.database).find(id)
      if (row === undefined || row.storage_path === null || (row.uploader_id !== reader.id && !reader.is_superuser))
        throw new Refusal('resourceNotFound')
      await mayReadOf(reader, { owner_id: row.uploader_id, conversation_id: row.conversation_id })
      const content = await disk.open(row.storage_path)
      if (content === null) throw new Refusal('resourceNotFound')
      return {
        content,
        size: row.size,
        content_type: row.content_type,
        name: row.original_filename,
        tag: row.file_id,
      }
    },
  }
}
