import { type Engine, tableDefinition } from '../schema/definition.ts'
import { table } from '../schema/tables.ts'
import type { Migration } from './migration.ts'

/** As it was made then: what the table becomes later is another migration's. */
const searchIndexThen = table({ columns: { version: { kind: 'int' }, next_id: { kind: 'int', nullable: true } } })

/**
 * There is one search index, of a version. The one that schema 7 had goes, where it is still beside it; a database in which not all messages
 * have the terms of then is of the version before, so that the job indexes them anew.
 */
export const oneSearchIndex: Migration = {
  version: 30,
  name: '030-one-search-index',
  statements: engine => [
    ...EARLIER_INDEX[engine],
    ...tableDefinition(engine, 'search_index', searchIndexThen),
    `insert into search_index (version)
       select case when exists (select 1 from search_rebuild) or exists (select 1 from search_refold) then 1 else 2 end`,
    'drop table search_rebuild',
    'drop table search_refold',
  ],
}

const EARLIER_INDEX: Record<Engine, readonly string[]> = {
  sqlite: ['drop trigger if exists searched_messages_forgotten', 'drop table if exists message_grams'],
  postgresql: ['alter table searched_messages drop column if exists grams'],
}
