import { tableDefinition, type Engine } from '../definition.ts'
import { dropEarlierIndex } from '../earlierSearch.ts'
import { table } from '../tables.ts'
import type { Migration } from './migration.ts'

/**
 * The search finds beginnings of words. Its index is made beside the earlier one, which answers until the new one has all messages (searchRebuild.ts);
 * a database without messages has the new one only.
 */
export const beginningsOfWords: Migration = {
  version: 8,
  name: '008-beginnings-of-words',
  statements: engine => [
    ...index[engine],
    ...tableDefinition(engine, 'search_rebuild', search_rebuild),
    'insert into search_rebuild (next_id) select id from searched_messages order by id desc limit 1',
  ],
  async finish(trx, engine) {
    const rebuild = await trx.selectFrom('search_rebuild').select('next_id').executeTakeFirst()
    if (rebuild === undefined) await dropEarlierIndex(trx, engine)
  },
}

/** As it was made then: what the table becomes later is another migration's. */
const search_rebuild = table({ columns: { next_id: { kind: 'int' } } })

const index: Record<Engine, string[]> = {
  sqlite: [
    // A message has a term or has it not: where it stands is not kept.
    `create virtual table message_terms using fts5 (
       terms, content = '', contentless_delete = 1, detail = none, prefix = '3', tokenize = "ascii tokenchars '.~'")`,
    // By what hits are chosen and ordered, apart from the long ids: a search reads a row of it for each message that has the words.
    `create table message_ranks (
       id integer primary key, conversation integer not null, term_count integer not null, create_time integer not null) strict`,
    `create trigger searched_messages_terms_forgotten after delete on searched_messages
       begin delete from message_terms where rowid = old.id; delete from message_ranks where id = old.id; end`,
  ],
  postgresql: [
    'alter table searched_messages alter column grams drop not null',
    'alter table searched_messages add column terms tsvector, add column term_count bigint, add column create_time bigint',
    'create index searched_messages_terms on searched_messages using gin (terms)',
  ],
}
