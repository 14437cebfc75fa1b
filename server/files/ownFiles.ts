import type { QueryOf, ResultOf } from '#contract/call.ts'
import type { Configuration } from '#contract/configuration/configuration.ts'
import { GoneReason, MAX_LISTED, type listFiles, type OwnFile } from '#contract/ownFiles.ts'
import { hasAnywhere } from '#contract/searchWords.ts'
import { recordAudit } from '#server/audit/audit.ts'
import { askStore } from '#server/asks/store.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import { isRaster } from '#server/foundation/pictures.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { Sources } from '#server/sources/source.ts'
import { requireNotHeld, userStore } from '#server/users/store.ts'
import { fileBounds } from './bounds.ts'
import type { Disk } from './disk.ts'
import { fileListStore, keptFileStore } from './keptStore.ts'
import { type FileRow, fileStore } from './store.ts'

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  disk: Disk
  configuration(): Configuration
  sources: Pick<Sources, 'all'>
  titlesOf(conversation_ids: readonly string[]): Promise<ReadonlyMap<string, string | null>>
  forgetText: ForgetText
}

/** What a file said is to be found no more. In the transaction that removes it. */
export type ForgetText = (trx: Transaction, file: Pick<FileRow, 'uploader_id' | 'file_id'>) => Promise<void>

/** What people have uploaded, as they see it. */
export function openOwnFiles({ open, clock, disk, configuration, sources, titlesOf, forgetText }: Dependencies) {
  const store = fileStore(open.database)
  const lists = fileListStore(open.database)

  async function isInUse(trx: Transaction, { used_time, conversation_id }: FileRow): Promise<boolean> {
    if (used_time === null || conversation_id === null) return false
    return (await askStore(trx).livingIn(conversation_id)).length > 0
  }

  /** Returns the paths of its bytes. No question of its owner is admitted meanwhile, which could use it. */
  const removeRow = (user_id: number, id: string): Promise<string[]> =>
    open.transaction(async trx => {
      await userStore(trx).lock(user_id, open.engine)
      const row = await fileStore(trx).find(id)
      if (row === undefined || row.uploader_id !== user_id || row.gone_time !== null)
        throw new Refusal('resourceNotFound')
      await requireNotHeld(trx, [user_id])
      if (await isInUse(trx, row)) throw new Refusal('fileInUse')
      await forgetText(trx, row)
      await recordAudit(trx, { action: 'file.deleted', subject: { kind: 'file', id }, before: { size: row.size } })
      return keptFileStore(trx).removeBytes(row, 'deleted', clock.now())
    })

  async function found(user_id: number, { ids, search = '' }: QueryOf<typeof listFiles>): Promise<FileRow[]> {
    if (ids !== undefined) return lists.namedOf(user_id, [...new Set(ids.split(','))])
    if (search.trim() === '') return lists.latestOf(user_id, MAX_LISTED)
    const named = (await lists.namesOf(user_id)).filter(({ original_filename }) =>
      hasAnywhere(original_filename, search),
    )
    const wanted = named.slice(0, MAX_LISTED).map(({ file_id }) => file_id)
    return wanted.length === 0 ? [] : lists.namedOf(user_id, wanted)
  }

  /** The rows as their owner sees them. */
  async function shown(rows: readonly FileRow[]): Promise<OwnFile[]> {
    if (rows.length === 0) return []
    const used = rows.flatMap(({ conversation_id: id }) => (id === null ? [] : [id]))
    const [titles, pages] = await Promise.all([
      titlesOf([...new Set(used)]),
      lists.pageNumbersOf(rows.filter(({ page_count }) => page_count !== null).map(({ file_id }) => file_id)),
    ])
    const numbers = Map.groupBy(pages, ({ file_id }) => file_id)
    return rows.map(row => ({
      ...toOwnFile(row, titles),
      page_pictures: (numbers.get(row.file_id) ?? []).map(({ page_number }) => page_number),
    }))
  }

  return {
    async one(row: FileRow): Promise<OwnFile> {
      const [file] = await shown([row])
      if (file === undefined) throw new Refusal('resourceNotFound')
      return file
    },

    async list(user_id: number, query: QueryOf<typeof listFiles>): Promise<ResultOf<typeof listFiles>> {
      const [rows, total, used_bytes, { all }] = await Promise.all([
        found(user_id, query),
        lists.countOf(user_id),
        store.bytesOf(user_id),
        fileBounds(open.database, configuration(), user_id),
      ])
      return {
        files: await shown(rows),
        total,
        used_bytes,
        most_bytes: all,
      }
    },

    /**
     * Another user's is not found, like one that does not exist. What an upstream has of it stays: there is no call to
     * remove it. Of one that conversations name its row stays, which says that it is gone.
     */
    async remove(user_id: number, id: string): Promise<void> {
      const paths = await removeRow(user_id, id)
      for (const { files } of sources.all) files?.stopSending(id)
      for (const path of paths) await disk.remove(path)
    },
  }
}

function toOwnFile(row: FileRow, titles: ReadonlyMap<string, string | null>): Omit<OwnFile, 'page_pictures'> {
  const { conversation_id: id, gone_time } = row
  const title = id === null ? undefined : titles.get(id)
  const reason = GoneReason.safeParse(row.gone_reason).data ?? 'deleted'
  return {
    id: row.file_id,
    name: row.original_filename,
    size: row.size,
    content_type: row.content_type,
    upload_time: new Date(row.upload_time).toISOString(),
    is_here: row.storage_path !== null,
    web_file_id: row.download_url === null ? null : row.web_file_id,
    conversation: id === null || title === undefined ? null : { id, title },
    is_attachable: row.content_hash !== null,
    kind: isRaster(row.content_type) ? 'picture' : 'document',
    width: row.width,
    height: row.height,
    pages: row.page_count,
    tokens: row.text_tokens,
    has_thumbnail: row.thumbnail_path !== null,
    gone: gone_time === null ? null : { time: new Date(gone_time).toISOString(), reason },
  }
}
