import type { Database } from '#server/foundation/database/open.ts'
import { heldUsers } from '#server/users/store.ts'

/** Queries about files that go, as no message names them any more or their time is over. Takes a transaction too. */
export function unnamedFileStore(database: Database) {
  const files = () => database.selectFrom('uploaded_files')
  return {
    /** Those that went with no question since this time, and their bytes. */
    sumOfUsedBefore: (time: number) =>
      files()
        .select(({ fn, eb }) => [
          fn.countAll<number>().as('count'),
          fn.sum<number | null>(eb('size', '+', eb.ref('extra_bytes'))).as('bytes'),
        ])
        .where('content_hash', 'is not', null)
        .where('used_time', '<', time)
        .where('uploader_id', 'not in', heldUsers(database))
        .executeTakeFirstOrThrow()
        .then(({ count, bytes }) => ({ count: Number(count), bytes: Number(bytes ?? 0) })),

    lastUsedIn: (conversation_id: string, uploader_ids: readonly number[]): Promise<string[]> =>
      files()
        .select('file_id')
        .where('uploader_id', 'in', uploader_ids)
        .where('conversation_id', '=', conversation_id)
        .where('web_file_id', 'is', null)
        .execute()
        .then(rows => rows.map(({ file_id }) => file_id)),

    /**
     * Removes those of these files, by their ids here or at their upstreams, that are these people’s. Returns the paths
     * of their bytes, which the caller removes. In a transaction.
     */
    async remove(
      ids: readonly string[],
      uploader_ids: readonly number[],
    ): Promise<{ removed: number; paths: string[] }> {
      const rows = await files()
        .select(['file_id', 'storage_path', 'thumbnail_path'])
        .where('uploader_id', 'in', uploader_ids)
        .where(({ eb, or }) => or([eb('file_id', 'in', ids), eb('web_file_id', 'in', ids)]))
        .execute()
      const file_ids = rows.map(({ file_id }) => file_id)
      if (file_ids.length === 0) return { removed: 0, paths: [] }
      const pages = await database
        .selectFrom('file_pages')
        .select('storage_path')
        .where('file_id', 'in', file_ids)
        .execute()
      await database.deleteFrom('uploaded_files').where('file_id', 'in', file_ids).execute()
      const paths = [
        ...rows.flatMap(row => [row.storage_path, row.thumbnail_path]),
        ...pages.map(page => page.storage_path),
      ]
      return { removed: file_ids.length, paths: paths.filter(path => path !== null) }
    },
  }
}
