import { sql } from 'kysely'
import type { Database } from '#server/foundation/database/open.ts'
import { MAX_SEARCHED_OF_FILE } from '#server/foundation/search/search.ts'

/** How those of these files begin that are the person’s own: what is found by the search. */
export async function searchedTextsOf(
  database: Database,
  uploader_id: number,
  file_ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await database
    .selectFrom('file_texts')
    .innerJoin('uploaded_files', 'uploaded_files.file_id', 'file_texts.file_id')
    .select('file_texts.file_id')
    .select(sql<string>`substr(file_texts.file_text, 1, ${sql.lit(MAX_SEARCHED_OF_FILE)})`.as('beginning'))
    .where('uploaded_files.uploader_id', '=', uploader_id)
    .where('file_texts.file_id', 'in', [...file_ids])
    .execute()
  return new Map(rows.map(({ file_id, beginning }) => [file_id, beginning]))
}
