import type { ResultOf } from '#contract/call.ts'
import type { Configuration } from '#contract/configuration/configuration.ts'
import { MAX_LISTED, type listFiles, type OwnFile } from '#contract/ownFiles.ts'
import { askStore } from '#server/asks/store.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { Sources } from '#server/sources/source.ts'
import type { Disk } from './disk.ts'
import { type FileRow, fileStore } from './store.ts'

type Dependencies = {
  open: OpenDatabase
  disk: Disk
  configuration(): Configuration
  sources: Pick<Sources, 'all'>
  titlesOf(conversation_ids: readonly string[]): Promise<ReadonlyMap<string, string | null>>
}

/** What people have uploaded, as they see it. */
export function openOwnFiles({ open, disk, configuration, sources, titlesOf }: Dependencies) {
  const store = fileStore(open.database)

  async function isInUse({ used_time, conversation_id }: FileRow): Promise<boolean> {
    if (used_time === null || conversation_id === null) return false
    return (await askStore(open.database).livingIn(conversation_id)).length > 0
  }

  return {
    async list(user_id: number): Promise<ResultOf<typeof listFiles>> {
      const [rows, total, used_bytes] = await Promise.all([
        store.latestOf(user_id, MAX_LISTED),
        store.countOf(user_id),
        store.bytesOf(user_id),
      ])
      const used = rows.flatMap(({ conversation_id: id }) => (id === null ? [] : [id]))
      const titles = await titlesOf([...new Set(used)])
      return {
        files: rows.map(row => toOwnFile(row, titles)),
        total,
        used_bytes,
        most_bytes: configuration().data.max_upload_bytes_per_user,
      }
    },

    /**
     * Another user's is not found, like one that does not exist. What an upstream has of it stays: there is no call to
     * remove it.
     */
    async remove(user_id: number, id: string): Promise<void> {
      const row = await store.find(id)
      if (row === undefined || row.uploader_id !== user_id) throw new Refusal('resourceNotFound')
      if (await isInUse(row)) throw new Refusal('fileInUse')
      await store.remove(id)
      for (const { files } of sources.all) files?.stopSending(id)
      if (row.storage_path !== null) await disk.remove(row.storage_path)
    },
  }
}

function toOwnFile(row: FileRow, titles: ReadonlyMap<string, string | null>): OwnFile {
  const { conversation_id: id } = row
  const title = id === null ? undefined : titles.get(id)
  return {
    id: row.file_id,
    name: row.original_filename,
    size: row.size,
    content_type: row.content_type,
    upload_time: new Date(row.upload_time).toISOString(),
    is_here: row.storage_path !== null,
    web_file_id: row.download_url === null ? null : row.web_file_id,
    conversation: id === null || title === undefined ? null : { id, title },
  }
}
