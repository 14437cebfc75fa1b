import { tableDefinition, type Engine } from '../definition.ts'
import { tables } from '../schema.ts'
import type { Table } from '../tables.ts'
import type { Migration } from './migration.ts'

/**
 * Makes the tables as they are described. When the description of a released table changes, its old description moves in
 * here, before the migration that changes it: `{ ...tables, users: usersOfTheFirstSchema }`.
 */
const described: Record<string, Table> = tables

/** The words of the searched messages, kept as each database searches best. They go when their message goes. */
const searchDefinition: Record<Engine, string[]> = {
  sqlite: [
    `create virtual table message_grams using fts5 (grams, content = '', contentless_delete = 1, tokenize = 'ascii')`,
    `create trigger searched_messages_forgotten after delete on searched_messages
       begin delete from message_grams where rowid = old.id; end`,
  ],
  postgresql: [
    'alter table searched_messages add column grams tsvector not null',
    'create index searched_messages_grams on searched_messages using gin (grams)',
  ],
}

export const initial: Migration = {
  version: 1,
  name: '001-initial',
  statements: engine => [
    ...Object.entries(described).flatMap(([name, table]) => tableDefinition(engine, name, table)),
    ...searchDefinition[engine],
  ],
}
