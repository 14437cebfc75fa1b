import { Readable } from 'node:stream'
import type { Configuration } from '#contract/configuration/configuration.ts'
import { roughTokens } from '#contract/context.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { Database, OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import type { ArrivingPart } from '#server/foundation/http/parts.ts'
import { newId } from '#server/foundation/ids.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { Sources } from '#server/sources/source.ts'
import { userStore } from '#server/users/store.ts'
import { fileBounds } from './bounds.ts'
import type { Disk } from './disk.ts'
import { type ArrivedForm, MAX_BESIDE, readForm } from './form.ts'
import { fileListStore, keptFileStore } from './keptStore.ts'
import { type FileRow, fileStore, NOT_KEPT } from './store.ts'
import { cleanName } from './uploadedFile.ts'
import type { UploadLimit } from './uploadLimit.ts'
import { writeFile } from './writing.ts'

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  disk: Disk
  configuration(): Configuration
  sources: Pick<Sources, 'all'>
  limitUploads: UploadLimit
}

/** How many a person may keep. */
const MAX_FILES = 10_000

/** As it comes from the upstream. */
type AnswerPicture = { name: string; bytes: Buffer; conversation_id: string }

/** Files that go with questions of any source: stored once a person and content. */
export function openKeptFiles({ open, clock, disk, configuration, sources, limitUploads }: Dependencies) {
  function requireAllowed(): void {
    const settings = configuration()
    const isTaken = sources.all.some(each => each.filesAre === 'here' && each.takesUploads(settings))
    if (!isTaken) throw new Refusal('uploadingNotAllowed')
  }

  /** Only one change of a person’s files at a time, so that their space is checked against all others. */
  async function lockOwner(trx: Transaction, uploader_id: number): Promise<void> {
    await userStore(trx).lock(uploader_id, open.engine)
    if (!(await userStore(trx).find(uploader_id))?.is_active) throw new Refusal('loginExpired')
  }

  async function requireSpace(trx: Database, uploader_id: number, bytes: number): Promise<void> {
    const { all: max_bytes } = await fileBounds(trx, configuration(), uploader_id)
    if ((await fileStore(trx).bytesOf(uploader_id)) + bytes > max_bytes)
      throw new Refusal('uploadSpaceUsedUp', { max_bytes })
  }

  /** Of the same content the row that there is, with what was read in it now. */
  const insert = (uploader_id: number, form: ArrivedForm): Promise<{ row: FileRow; unused: string[] }> =>
    open.transaction(async trx => {
      const { file, thumbnail, text, page_count } = form
      const store = keptFileStore(trx)
      await lockOwner(trx, uploader_id)
      const present = await store.withContent(uploader_id, file.content_hash)
      const read = {
        page_count: page_count ?? present?.page_count ?? null,
        text_tokens: text === null ? (present?.text_tokens ?? null) : roughTokens(text),
        thumbnail_path: thumbnail?.storage_path ?? present?.thumbnail_path ?? null,
      }
      const added = Buffer.byteLength(text ?? '') + (thumbnail?.size ?? 0)
      await requireSpace(trx, uploader_id, added + (present === undefined ? file.size : 0))
      const row: FileRow = present ?? (await newRow(trx, uploader_id, form))
      // A backup that was put back may know it without its bytes.
      const isLost = present?.storage_path != null && (await disk.about(present.storage_path)) === null
      const storage_path = isLost ? file.storage_path : row.storage_path
      const replaced = text === null ? 0 : await store.replaceText(row.file_id, text)
      const changed = { ...read, storage_path, extra_bytes: Math.max(0, row.extra_bytes + added - replaced) }
      await store.change(row.file_id, changed)
      const unused = present === undefined || isLost ? [] : [file.storage_path]
      if (thumbnail !== null && present?.thumbnail_path != null) unused.push(present.thumbnail_path)
      return { row: { ...row, ...changed }, unused }
    })

  async function newRow(trx: Transaction, uploader_id: number, { name, file }: ArrivedForm): Promise<FileRow> {
    if ((await fileListStore(trx).countOf(uploader_id)) >= MAX_FILES)
      throw new Refusal('tooManyFiles', { most: MAX_FILES })
    const { size, content_type, width, height, storage_path, content_hash } = file
    const row: FileRow = {
      ...NOT_KEPT,
      ...{ file_id: newId(), uploader_id, original_filename: name, size, content_type, width, height },
      ...{ upload_time: clock.now(), storage_path, content_hash },
      ...{ web_file_id: null, use_case: null, upload_url: null, download_url: null, upstream_id: null },
      ...{ source_id: null, used_time: null, conversation_id: null },
    }
    await fileStore(trx).insert(row)
    return row
  }

  async function store(uploader_id: number, parts: AsyncIterable<ArrivingPart>): Promise<FileRow> {
    const written: string[] = []
    const { attached } = await fileBounds(open.database, configuration(), uploader_id)
    try {
      const form = await readForm(parts, async (name, content, max_bytes = attached) => {
        const file = await writeFile(disk, uploader_id, name, content, max_bytes)
        written.push(file.storage_path)
        return file
      })
      const { row, unused } = await insert(uploader_id, form)
      await Promise.all(unused.map(disk.remove))
      return row
    } catch (cause) {
      await Promise.all(written.map(disk.remove))
      throw cause
    }
  }

  return {
    lockOwner,
    requireSpace,

    /**
     * A picture that a model has made, of the person who asked: within their space, and theirs to delete. It counts as
     * no upload of theirs. Refuses what is no picture. Returns its id.
     */
    async keepOfAnswer(uploader_id: number, { name, bytes, conversation_id }: AnswerPicture): Promise<string> {
      const content = Readable.from([bytes])
      const { attached } = await fileBounds(open.database, configuration(), uploader_id)
      const file = await writeFile(disk, uploader_id, `${cleanName(name)}.png`, content, attached)
      try {
        const form = { name: cleanName(name), file, thumbnail: null, text: null, page_count: null }
        const { row, unused } = await insert(uploader_id, form)
        await keptFileStore(open.database).used(uploader_id, [row.file_id], { used_time: clock.now(), conversation_id })
        await Promise.all(unused.map(disk.remove))
        return row.file_id
      } catch (cause) {
        await disk.remove(file.storage_path)
        throw cause
      }
    },

    /** `length`: of the whole form in bytes, where that is known beforehand. */
    async keep(uploader_id: number, parts: AsyncIterable<ArrivingPart>, length: number | null): Promise<FileRow> {
      requireAllowed()
      const { attached: max_bytes } = await fileBounds(open.database, configuration(), uploader_id)
      if (length !== null && length > max_bytes + MAX_BESIDE) throw new Refusal('fileTooLarge', { max_bytes })
      await requireSpace(open.database, uploader_id, 1) // room for the smallest file
      return limitUploads(uploader_id, () => store(uploader_id, parts))
    },
  }
}
export type KeptFiles = ReturnType<typeof openKeptFiles>
