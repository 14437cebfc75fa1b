import { dropEarlierIndex } from '../earlierSearch.ts'
import type { Engine } from '../definition.ts'
import type { Migration } from './migration.ts'

/**
 * The search finds beginnings of words. Its index is made beside the earlier one, which answers until the new one has all messages (searchRebuild.ts);
 * a database without messages has the new one only.
 */
export const beginningsOfWords: Migration = {
  version: 8,
  name: '008-beginnings-of-words',
  statements: engine => [
    `alter table "searched_messages" add column "term_count" ${INTEGER[engine]} not null default 0`,
    `alter table "searched_messages" add column "create_time" ${INTEGER[engine]} not null default 0`,
    ...index[engine],
    `create table "search_rebuild" ("next_id" ${INTEGER[engine]} not null)${engine === 'sqlite' ? ' strict' : ''}`,
    'insert into search_rebuild (next_id) select id from searched_messages order by id desc limit 1',
  ],
  async finish(trx, engine) {
    const rebuild = await trx.selectFrom('search_rebuild').select('next_id').executeTakeFirst()
    if (rebuild === undefined) await dropEarlierIndex(trx, engine)
  },
}

const INTEGER: Record<Engine, string> = { sqlite: 'integer', postgresql: 'bigint' }

const index: Record<Engine, string[]> = {
  sqlite: [
    // A message has a term or has it not: where it stands is not kept.
    `create virtual table message_terms using fts5 (
       terms, content = '', contentless_delete = 1, detail = none, prefix = '3', tokenize = "ascii tokenchars '.~'")`,
    `create trigger searched_messages_terms_forgotten after delete on searched_messages
       begin delete from message_terms where rowid = old.id; end`,
  ],
  postgresql: [
    'alter table searched_messages alter column grams drop not null',
    'alter table searched_messages add column terms tsvector',
    'create index searched_messages_terms on searched_messages using gin (terms)',
  ],
}
