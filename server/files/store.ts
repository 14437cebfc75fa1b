import type { Insertable } from 'kysely'
import type { UseCase } from '#contract/files.ts'
import type { Database, Tables } from '#server/foundation/database/open.ts'
import type { tables } from '#server/foundation/database/schema/schema.ts'
import { heldUsers } from '#server/users/store.ts'
import type { RowOf } from '#server/foundation/database/schema/definition.ts'

export type FileRow = RowOf<typeof tables.uploaded_files>
/** Of a file that is not kept for questions of any source. */
export const NOT_KEPT = {
  content_hash: null,
  page_count: null,
  text_tokens: null,
  thumbnail_path: null,
  extra_bytes: 0,
  gone_time: null,
  gone_reason: null,
} as const satisfies Partial<FileRow>

type Relayed = {
  web_file_id: string
  use_case: UseCase
  download_url: string
  upstream_id: number
  source_id: string | null
}

/** The latest question that a file went with. */
export type FileUse = { used_time: number; conversation_id: string | null }

/** Those of a person's files, by their ids here or at the upstream. */
type FileIds = { column: 'file_id' | 'web_file_id'; ids: readonly string[] }

export const markUsed = (database: Database, uploader_id: number, { column, ids }: FileIds, use: FileUse) =>
  database
    .updateTable('uploaded_files')
    .set(use)
    .where('uploader_id', '=', uploader_id)
    .where(column, 'in', ids)
    .execute()

/** Queries and nothing else. Takes a transaction as well as the database. */
export function fileStore(database: Database) {
  const files = () => database.selectFrom('uploaded_files')
  const ofPerson = (uploader_id: number) => files().where('uploader_id', '=', uploader_id)
  return {
    insert: (row: Insertable<Tables['uploaded_files']>) => database.insertInto('uploaded_files').values(row).execute(),

    find: (file_id: string) => files().selectAll().where('file_id', '=', file_id).executeTakeFirst(),

    findAtUpstream: (web_file_id: string) =>
      files().selectAll().where('web_file_id', '=', web_file_id).executeTakeFirst(),

    /** The browser has uploaded it to the upstream. */
    complete: (file_id: string, download_url: string) =>
      database
        .updateTable('uploaded_files')
        .set({ upload_url: null, download_url })
        .where('file_id', '=', file_id)
        .execute(),

    /** This server has uploaded it to the upstream. */
    relayed: (file_id: string, relayed: Relayed) =>
      database.updateTable('uploaded_files').set(relayed).where('file_id', '=', file_id).execute(),

    /** The completed files of the user among these. */
    completedOf: (uploader_id: number, web_file_ids: readonly string[]) =>
      ofPerson(uploader_id)
        .select(['web_file_id', 'original_filename', 'content_type', 'upstream_id'])
        .where('web_file_id', 'in', web_file_ids)
        .where('download_url', 'is not', null)
        .execute(),

    /** The account of the latest of the user's files that went with no question yet. */
    latestUnused: (uploader_id: number, since: number) =>
      ofPerson(uploader_id)
        .select(['upstream_id', 'source_id'])
        .where('upstream_id', 'is not', null)
        .where('used_time', 'is', null)
        .where('upload_time', '>=', since)
        .orderBy('upload_time', 'desc')
        .limit(1)
        .executeTakeFirst(),

    used: (uploader_id: number, web_file_ids: readonly string[], use: FileUse) =>
      markUsed(database, uploader_id, { column: 'web_file_id', ids: web_file_ids }, use),

    /** Files that went with no question, of before this time; some of them. */
    unusedBefore: (time: number, limit: number) =>
      files()
        .select('file_id')
        .where('used_time', 'is', null)
        .where('upload_time', '<', time)
        .where('uploader_id', 'not in', heldUsers(database))
        .limit(limit)
        .execute()
        .then(rows => rows.map(({ file_id }) => file_id)),

    /** Removes those of these files that no question has used meanwhile. Returns what they were. */
    removeUnused: (file_ids: readonly string[]) =>
      database
        .deleteFrom('uploaded_files')
        .where('file_id', 'in', file_ids)
        .where('used_time', 'is', null)
        .returning(['storage_path', 'thumbnail_path'])
        .execute(),

    allOf: (uploader_id: number) => ofPerson(uploader_id).selectAll().orderBy('upload_time').execute(),

    /** How many files the user has on this server, and their size. */
    sumOf: (uploader_id: number) =>
      ofPerson(uploader_id)
        .select(({ eb, fn }) => [
          fn.countAll<number>().as('count'),
          fn.sum<number | null>(eb('size', '+', eb.ref('extra_bytes'))).as('bytes'),
        ])
        .where('storage_path', 'is not', null)
        .executeTakeFirstOrThrow()
        .then(({ count, bytes }) => ({ count, bytes: Number(bytes ?? 0) })),

    /** The size of the user's files on this server. */
    bytesOf: (uploader_id: number) =>
      ofPerson(uploader_id)
        .select(({ eb, fn }) => fn.sum<number | null>(eb('size', '+', eb.ref('extra_bytes'))).as('bytes'))
        .where('storage_path', 'is not', null)
        .executeTakeFirstOrThrow()
        .then(row => Number(row.bytes ?? 0)),
  }
}
export type FileStore = ReturnType<typeof fileStore>
