import { sql } from 'kysely'
import { foldedTitle, foldedAnywhere } from '#contract/searchWords.ts'
import { TYPES, tableDefinition, type Engine, type Table } from '../schema/definition.ts'
import type { Transaction } from '../schema/schema.ts'
import { type Migration, int, ms, no, ofConversation, ofUpstream, text, yes } from './migration.ts'

const deletions: Table = {
  columns: {
    id: { kind: 'id' },
    create_time: ms,
    deleted_by: int,
    of_all: { kind: 'bool', default: false },
  },
}

/** Everybody's conversations can be listed, searched by their titles, hidden together and restored together. */
export const hiddenConversations: Migration = {
  version: 15,
  name: '015-hidden-conversations',
  statements: engine => [
    ...tableDefinition(engine, 'deletions', deletions),
    `alter table conversations add column folded_title ${TYPES[engine].text}`,
    ...['hide_time', 'hidden_by', 'deletion_id'].map(
      name => `alter table conversations add column ${name} ${TYPES[engine].int}`,
    ),
    'create index "conversations_create_time_id_folded_title" on "conversations" ("create_time", "id", "folded_title")',
    'create index "conversations_of_deletion" on "conversations" ("deletion_id") where deletion_id is not null',
  ],
  finish: foldTitles,
}

/** Rows of one statement. */
const BATCH = 500

async function foldTitles(trx: Transaction): Promise<void> {
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

const changes: Table = {
  columns: {
    conversation_id: ofConversation,
    what: text,
    turn: { kind: 'int', default: 0 },
    failures: { kind: 'int', default: 0 },
    next_try: ms,
  },
  primaryKey: ['conversation_id', 'what'],
  indexes: [['next_try']],
}

/** Titles that people gave are kept, and what is changed here is sent to the upstream that keeps the conversation. */
export const conversationsAtUpstreams: Migration = {
  version: 16,
  name: '016-conversations-at-upstreams',
  statements: engine => [
    `alter table conversations add column has_own_title ${notYet[engine]}`,
    ...tableDefinition(engine, 'upstream_changes', changes),
  ],
}

const notYet: Record<Engine, string> = {
  sqlite: 'integer not null default 0',
  postgresql: 'boolean not null default false',
}

const disabledThen: Table = {
  columns: {
    upstream_id: ofUpstream,
    plugin_id: text,
  },
  primaryKey: ['upstream_id', 'plugin_id'],
}

/** A plugin that an account has may be kept from people. */
export const disabledPlugins: Migration = {
  version: 17,
  name: '017-disabled-plugins',
  statements: engine => tableDefinition(engine, 'disabled_plugins', disabledThen),
}

/** A sync finds the conversations that an upstream lists by what it calls them. */
export const conversationsFoundByUpstreams: Migration = {
  version: 18,
  name: '018-conversations-found-by-upstreams',
  statements: () => [
    'create index "conversations_at_upstream" on "conversations" ("upstream_conversation_id") where upstream_conversation_id is not null',
  ],
}

/** A file knows when and where it was asked about last. Those of before count as used. */
export const usedFiles: Migration = {
  version: 19,
  name: '019-used-files',
  statements: engine => [
    ...['source_id', 'conversation_id'].map(
      name => `alter table uploaded_files add column ${name} ${TYPES[engine].text}`,
    ),
    `alter table uploaded_files add column used_time ${TYPES[engine].int}`,
    'update uploaded_files set used_time = upload_time where download_url is not null',
  ],
}

/** The key of a further upstream says who entered it and when, as stored credentials do. */
export const whoSetKeys: Migration = {
  version: 20,
  name: '020-who-set-keys',
  statements: engine =>
    ['secret_by', 'secret_time'].map(
      name => `alter table "upstreams" add column "${name}" ${engine === 'postgresql' ? 'bigint' : 'integer'}`,
    ),
}

/** People are found as titles are, without regard to accents. */
export const usersWithoutAccents: Migration = {
  version: 21,
  name: '021-people-without-accents',
  statements: () => [],
  finish: foldUsers,
}

async function foldUsers(trx: Transaction): Promise<void> {
  const { rows } = await sql<{ id: number; search_text: string }>`select id, search_text from users`.execute(trx)
  for (const { id, search_text } of rows)
    await sql`update users set search_text = ${foldedAnywhere(search_text)} where id = ${id}`.execute(trx)
}

/**
 * What an upstream does not know is no longer taken from its owner. The earlier rule hid such conversations with a time
 * and without a person: they are listed again. What a person hid, or earlier versions without a time, stays hidden.
 */
export const conversationsUnknownUpstream: Migration = {
  version: 22,
  name: '022-conversations-unknown-upstream',
  statements: engine => [
    ...['gone_upstream_time', 'gizmo_refused_time'].map(
      name => `alter table conversations add column ${name} ${TYPES[engine].int}`,
    ),
    `update conversations set is_valid = ${yes[engine]}, gone_upstream_time = hide_time, hide_time = null
     where is_valid = ${no[engine]} and hide_time is not null and hidden_by is null and deletion_id is null
     and source = 'openai_web' and upstream_conversation_id is not null`,
  ],
}

const search_refold: Table = { columns: { next_id: int } }

/**
 * The search finds Straße by strasse, and traditional Chinese by simplified. Titles and people are folded at once,
 * messages by the job that fills the index (searchReindex.ts).
 */
export const textsFoldedFurther: Migration = {
  version: 23,
  name: '023-texts-folded-further',
  statements: engine => [
    ...tableDefinition(engine, 'search_refold', search_refold),
    'insert into search_refold (next_id) select id from searched_messages order by id desc limit 1',
  ],
  async finish(trx) {
    await foldTitles(trx)
    await foldUsers(trx)
  },
}

/** A purge in several transactions says so first, so that the next start finishes what a kill cut short. */
export const unfinishedDeletions: Migration = {
  version: 24,
  name: '024-unfinished-deletions',
  statements: engine => [
    `alter table conversations add column vanish_time ${TYPES[engine].int}`,
    'create index "conversations_vanishing" on "conversations" ("vanish_time") where vanish_time is not null',
    `alter table users add column erase_time ${TYPES[engine].int}`,
  ],
}

const learnedThen: Table = {
  columns: {
    upstream_id: ofUpstream,
    model_name: text,
    address_digest: text,
    tokens: int,
    update_time: ms,
  },
  primaryKey: ['upstream_id', 'model_name'],
}

/** What refusals say of the length of a model's context is kept. */
export const learnedContexts: Migration = {
  version: 25,
  name: '025-learned-contexts',
  statements: engine => tableDefinition(engine, 'learned_contexts', learnedThen),
}
