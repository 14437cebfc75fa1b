import { foldedTitle } from '#contract/searchWords.ts'
import { tableDefinition, type Engine } from '../schema/definition.ts'
import type { Transaction } from '../schema/schema.ts'
import { table } from '../schema/tables.ts'
import type { Migration } from './migration.ts'

/** As it was made then: what the table becomes later is another migration's. */
const deletions = table({
  columns: {
    id: { kind: 'id' },
    create_time: { kind: 'ms' },
    deleted_by: { kind: 'int' },
    of_all: { kind: 'bool', default: false },
  },
})

/** Everybody's conversations can be listed, searched by their titles, hidden together and restored together. */
export const hiddenConversations: Migration = {
  version: 15,
  name: '015-hidden-conversations',
  statements: engine => [
    ...tableDefinition(engine, 'deletions', deletions),
    `alter table conversations add column folded_title ${text[engine]}`,
    ...['hide_time', 'hidden_by', 'deletion_id'].map(
      name => `alter table conversations add column ${name} ${integer[engine]}`,
    ),
    'create index "conversations_create_time_id_folded_title" on "conversations" ("create_time", "id", "folded_title")',
    'create index "conversations_of_deletion" on "conversations" ("deletion_id") where deletion_id is not null',
  ],
  finish: foldTitles,
}

const integer: Record<Engine, string> = { sqlite: 'integer', postgresql: 'bigint' }
const text: Record<Engine, string> = { sqlite: 'text', postgresql: 'text collate "C"' }

/** Rows of one statement. */
const BATCH = 500

export async function foldTitles(trx: Transaction): Promise<void> {
  for (let after = 0; ;) {
    const rows = await trx
      .selectFrom('conversations')
      .select(['id', 'title'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(BATCH)
      .execute()
    for (const { id, title } of rows)
      await trx
        .updateTable('conversations')
        .set({ folded_title: foldedTitle(title) })
        .where('id', '=', id)
        .execute()
    after = rows.at(-1)?.id ?? after
    if (rows.length < BATCH) return
  }
}
