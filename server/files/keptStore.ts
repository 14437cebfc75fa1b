import type { Insertable } from 'kysely'
import type { GoneReason } from '#contract/ownFiles.ts'
import type { Database, Tables } from '#server/foundation/database/open.ts'
import type { tables } from '#server/foundation/database/schema/schema.ts'
import { heldUsers } from '#server/users/store.ts'
import type { RowOf } from '#server/foundation/database/schema/definition.ts'
import { type FileRow, type FileUse, markUsed, NOT_KEPT } from './store.ts'

export type PageRow = RowOf<typeof tables.file_pages>
export type KeptFile = FileRow & { pages: PageRow[] }

/** Queries for files that may go with a question of any source, with their texts and pages. Takes a transaction too. */
export function keptFileStore(database: Database) {
  const files = () => database.selectFrom('uploaded_files')
  const ofPerson = (uploader_id: number) => files().where('uploader_id', '=', uploader_id)
  /** The pages of these files as pictures, in their order. */
  const pagesOf = (file_ids: readonly string[]) =>
    database
      .selectFrom('file_pages')
      .selectAll()
      .where('file_id', 'in', file_ids)
      .orderBy('file_id')
      .orderBy('page_number')
      .execute()
  return {
    pagesOf,

    /** Those of these files of the user that may go with a question of any source, gone ones too, with their pages. */
    async keptOf(uploader_id: number, file_ids: readonly string[]): Promise<KeptFile[]> {
      if (file_ids.length === 0) return []
      const [rows, pages] = await Promise.all([
        ofPerson(uploader_id)
          .selectAll()
          .where('file_id', 'in', file_ids)
          .where(({ eb, or }) => or([eb('content_hash', 'is not', null), eb('gone_time', 'is not', null)]))
          .execute(),
        pagesOf(file_ids),
      ])
      return rows.map(row => ({ ...row, pages: pages.filter(({ file_id }) => file_id === row.file_id) }))
    },

    textOf: (file_id: string) =>
      database
        .selectFrom('file_texts')
        .select('file_text')
        .where('file_id', '=', file_id)
        .executeTakeFirst()
        .then(row => row?.file_text ?? null),

    /** The one with this content. */
    withContent: (uploader_id: number, content_hash: string) =>
      ofPerson(uploader_id).selectAll().where('content_hash', '=', content_hash).executeTakeFirst(),

    /** Returns the bytes of the text that there was. */
    async replaceText(file_id: string, file_text: string): Promise<number> {
      const before = await database
        .deleteFrom('file_texts')
        .where('file_id', '=', file_id)
        .returning('file_text')
        .execute()
      await database.insertInto('file_texts').values({ file_id, file_text }).execute()
      return before.reduce((sum, row) => sum + Buffer.byteLength(row.file_text), 0)
    },

    change: (file_id: string, fields: Partial<FileRow>) =>
      database.updateTable('uploaded_files').set(fields).where('file_id', '=', file_id).execute(),

    findPage: (file_id: string, page_number: number) =>
      database
        .selectFrom('file_pages')
        .selectAll()
        .where('file_id', '=', file_id)
        .where('page_number', '=', page_number)
        .executeTakeFirst(),

    insertPage: (row: Insertable<Tables['file_pages']>) => database.insertInto('file_pages').values(row).execute(),

    removePage: (file_id: string, page_number: number) =>
      database.deleteFrom('file_pages').where('file_id', '=', file_id).where('page_number', '=', page_number).execute(),

    /** These went with a question. */
    used: (uploader_id: number, file_ids: readonly string[], use: FileUse) =>
      markUsed(database, uploader_id, { column: 'file_id', ids: file_ids }, use),

    /** Those that went with no question since this time; some of them. */
    usedBefore: (time: number, limit: number) =>
      files()
        .selectAll()
        .where('content_hash', 'is not', null)
        .where('used_time', '<', time)
        .where('uploader_id', 'not in', heldUsers(database))
        .orderBy('used_time')
        .limit(limit)
        .execute(),

    /**
     * Removes a file and all that is kept of it: of one that conversations name, the row stays. Returns the paths of
     * its bytes, which the caller removes. In a transaction.
     */
    async removeBytes(
      { file_id, storage_path, thumbnail_path, content_hash, used_time }: FileRow,
      gone_reason: GoneReason,
      gone_time: number,
    ): Promise<string[]> {
      const pages = await database
        .deleteFrom('file_pages')
        .where('file_id', '=', file_id)
        .returning('storage_path')
        .execute()
      await database.deleteFrom('file_texts').where('file_id', '=', file_id).execute()
      if (content_hash === null || used_time === null)
        await database.deleteFrom('uploaded_files').where('file_id', '=', file_id).execute()
      else
        await database
          .updateTable('uploaded_files')
          .set({ ...NOT_KEPT, gone_reason, gone_time, storage_path: null })
          .where('file_id', '=', file_id)
          .execute()
      return [storage_path, thumbnail_path, ...pages.map(page => page.storage_path)].filter(path => path !== null)
    },
  }
}

/** Queries for the lists of a person’s files. */
export function fileListStore(database: Database) {
  const ofPerson = (uploader_id: number) => database.selectFrom('uploaded_files').where('uploader_id', '=', uploader_id)
  return {
    pageNumbersOf: async (file_ids: readonly string[]) =>
      file_ids.length === 0
        ? []
        : database
            .selectFrom('file_pages')
            .select(['file_id', 'page_number'])
            .where('file_id', 'in', file_ids)
            .orderBy('page_number')
            .execute(),

    /** Those that are there, the latest first. */
    latestOf: (uploader_id: number, limit: number) =>
      ofPerson(uploader_id)
        .selectAll()
        .where('gone_time', 'is', null)
        .orderBy('upload_time', 'desc')
        .orderBy('file_id')
        .limit(limit)
        .execute(),

    /** The names of all of them, the latest first. */
    namesOf: (uploader_id: number) =>
      ofPerson(uploader_id)
        .select(['file_id', 'original_filename'])
        .where('gone_time', 'is', null)
        .orderBy('upload_time', 'desc')
        .orderBy('file_id')
        .execute(),

    /** These of the user, gone ones too. */
    namedOf: (uploader_id: number, file_ids: readonly string[]) =>
      ofPerson(uploader_id)
        .selectAll()
        .where('file_id', 'in', file_ids)
        .orderBy('upload_time', 'desc')
        .orderBy('file_id')
        .execute(),

    countOf: (uploader_id: number) =>
      ofPerson(uploader_id)
        .where('gone_time', 'is', null)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
        .then(({ count }) => count),

    /** All of the user’s, with those of thumbnails and pages. */
    async storedPathsOf(uploader_id: number): Promise<string[]> {
      const [own, pages] = await Promise.all([
        ofPerson(uploader_id).select(['storage_path', 'thumbnail_path']).execute(),
        database
          .selectFrom('file_pages')
          .innerJoin('uploaded_files', 'uploaded_files.file_id', 'file_pages.file_id')
          .select('file_pages.storage_path')
          .where('uploader_id', '=', uploader_id)
          .execute(),
      ])
      const paths = [
        ...own.flatMap(row => [row.storage_path, row.thumbnail_path]),
        ...pages.map(row => row.storage_path),
      ]
      return paths.filter(path => path !== null)
    },
  }
}
