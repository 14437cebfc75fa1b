import type { Insertable } from 'kysely'
import type { UseCase } from '#contract/files.ts'
import type { Database, Tables } from '#server/foundation/database/open.ts'
import type { tables } from '#server/foundation/database/schema.ts'
import type { RowOf } from '#server/foundation/database/tables.ts'

export type FileRow = RowOf<typeof tables.uploaded_files>

type Relayed = { web_file_id: string; use_case: UseCase; download_url: string }

/** Queries and nothing else. Takes a transaction as well as the database. */
export function fileStore(database: Database) {
  return {
    insert: (row: Insertable<Tables['uploaded_files']>) => database.insertInto('uploaded_files').values(row).execute(),

    find: (file_id: string) =>
      database.selectFrom('uploaded_files').selectAll().where('file_id', '=', file_id).executeTakeFirst(),

    findAtWeb: (web_file_id: string) =>
      database.selectFrom('uploaded_files').selectAll().where('web_file_id', '=', web_file_id).executeTakeFirst(),

    /** The browser has uploaded it to the web service. */
    complete: (file_id: string, download_url: string) =>
      database
        .updateTable('uploaded_files')
        .set({ upload_url: null, download_url })
        .where('file_id', '=', file_id)
        .execute(),

    /** This server has uploaded it to the web service. */
    relayed: (file_id: string, relayed: Relayed) =>
      database.updateTable('uploaded_files').set(relayed).where('file_id', '=', file_id).execute(),

    /** Which upstreams have those of these files that the user has completed, one for each file. */
    holdersOfCompleted: (uploader_id: number, web_file_ids: readonly string[]) =>
      database
        .selectFrom('uploaded_files')
        .select('upstream_id')
        .where('uploader_id', '=', uploader_id)
        .where('web_file_id', 'in', web_file_ids)
        .where('download_url', 'is not', null)
        .execute()
        .then(rows => rows.map(({ upstream_id }) => upstream_id)),

    /** Returns what they were. */
    removeAtWeb: (web_file_ids: readonly string[], uploader_ids: readonly number[]) =>
      database
        .deleteFrom('uploaded_files')
        .where('web_file_id', 'in', web_file_ids)
        .where('uploader_id', 'in', uploader_ids)
        .returning('storage_path')
        .execute(),

    allOf: (uploader_id: number) =>
      database
        .selectFrom('uploaded_files')
        .selectAll()
        .where('uploader_id', '=', uploader_id)
        .orderBy('upload_time')
        .execute(),

    storedPathsOf: (uploader_id: number) =>
      database
        .selectFrom('uploaded_files')
        .select('storage_path')
        .where('uploader_id', '=', uploader_id)
        .where('storage_path', 'is not', null)
        .execute()
        .then(rows => rows.map(row => row.storage_path)),

    /** How many files the user has on this server, and their size. */
    sumOf: (uploader_id: number) =>
      database
        .selectFrom('uploaded_files')
        .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number | null>('size').as('bytes')])
        .where('uploader_id', '=', uploader_id)
        .where('storage_path', 'is not', null)
        .executeTakeFirstOrThrow()
        .then(({ count, bytes }) => ({ count, bytes: Number(bytes ?? 0) })),

    /** The size of the user's files on this server. */
    bytesOf: (uploader_id: number) =>
      database
        .selectFrom('uploaded_files')
        .select(({ fn }) => fn.sum<number | null>('size').as('bytes'))
        .where('uploader_id', '=', uploader_id)
        .where('storage_path', 'is not', null)
        .executeTakeFirstOrThrow()
        .then(row => Number(row.bytes ?? 0)),
  }
}
export type FileStore = ReturnType<typeof fileStore>
