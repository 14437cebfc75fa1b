import { sql } from 'kysely'
import { foldedAnywhere } from '#contract/searchWords.ts'
import type { Transaction } from '../schema/schema.ts'
import type { Migration } from './migration.ts'

/** People are found as titles are, without regard to accents. */
export const peopleWithoutAccents: Migration = {
  version: 21,
  name: '021-people-without-accents',
  statements: () => [],
  finish: foldPeople,
}

export async function foldPeople(trx: Transaction): Promise<void> {
  const { rows } = await sql<{ id: number; search_text: string }>`select id, search_text from users`.execute(trx)
  for (const { id, search_text } of rows)
    await sql`update users set search_text = ${foldedAnywhere(search_text)} where id = ${id}`.execute(trx)
}
