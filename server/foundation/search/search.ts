import { sql, type RawBuilder, type Expression, type SqlBool } from 'kysely'
import { attachmentsOf, type Message, textOf, withoutPictures } from '#contract/messages.ts'
import { wordsAnywhere } from '#contract/searchWords.ts'
import type { Engine } from '../database/schema/definition.ts'
import { prepared } from '../database/schema/prepared.ts'
import type { Database, Transaction } from '../database/schema/schema.ts'
import { grams, PART, type QueryTerm, queryTerms } from './grams.ts'

export type SearchIndex = {
  /**
   * Indexes messages under these texts, in place of earlier ones; each message once. Call it once, at the end of the
   * transaction that stores them: SQLite writes its index out before each other statement, which costs as much again.
   */
  add(trx: Transaction, messages: readonly SearchedMessage[]): Promise<void>
  /** The same for messages whose terms are known. */
  addIndexed(trx: Transaction, messages: readonly IndexedMessage[]): Promise<void>
  /**
   * Removes messages from the index, and from the queue for it, that stay in the database. Deleted messages leave the
   * index by a trigger.
   */
  remove(trx: Transaction, conversation_id: string, message_ids: readonly string[]): Promise<void>
  /**
   * The messages with all the words in the user's own valid conversations. Those that have them whole come first, then
   * those in which words only begin with them; of these the shorter before the longer, then the latest first.
   */
  find(database: Database, question: SearchQuestion): Promise<SearchHit[]>
}

/** Rows of one statement, well below the most parameters that either database takes. */
const BATCH = 500
/** More words than anyone looks for; a text pasted into the search is cut here. */
const MAX_TERMS = 32

export function searchIndex(engine: Engine): SearchIndex {
  const { store, find } = engine === 'sqlite' ? onSqlite : onPostgresql
  return {
    add: (trx, messages) => store(trx, messages.map(indexed)),
    addIndexed: store,
    async remove(trx, conversation_id, message_ids) {
      for (let start = 0; start < message_ids.length; start += BATCH) {
        for (const table of ['searched_messages', 'search_queue'] as const) {
          await trx
            .deleteFrom(table)
            .where('conversation_id', '=', conversation_id)
            .where('message_id', 'in', message_ids.slice(start, start + BATCH))
            .execute()
        }
      }
    },
    async find(database, question) {
      const terms = queryTerms(question.words, MAX_TERMS)
      return terms.length === 0 ? [] : (await find(question, terms).execute(database)).rows
    },
  }
}

type SearchEngine = {
  store(trx: Transaction, messages: readonly IndexedMessage[]): Promise<void>
  /** The messages that have all the terms. */
  find(question: SearchQuestion, terms: readonly QueryTerm[]): RawBuilder<SearchHit>
}

export type Indexed = { terms: string; term_count: number }
export type IndexedMessage = SearchedMessage & Indexed

/** Of the text of a file that goes with a message: its beginning says what it is about. */
export const MAX_SEARCHED_OF_FILE = 20_000

/** How the files of a conversation’s person begin that are kept here, by their ids. */
export type ReadFileTexts = (
  database: Database,
  conversation_id: string,
  file_ids: readonly string[],
) => Promise<ReadonlyMap<string, string>>

/** For what has no files. */
export const noFileTexts: ReadFileTexts = () => Promise.resolve(new Map())

type SearchedContent = Pick<Message, 'content' | 'metadata'>

/**
 * The part of a message that is searched, with the names of its files and what they say. Unknown kinds of content have
 * no words.
 */
export function searchedText(message: SearchedContent, fileTexts: ReadonlyMap<string, string> = new Map()): string {
  const files = attachmentsOf(message).flatMap(({ id, name }) => [name, fileTexts.get(id) ?? ''])
  return [withoutPictures(textOf(message) ?? ''), ...files].filter(text => text !== '').join('\n')
}

/** The same with the texts of what went with it. */
export async function searchedTextWithFiles(
  database: Database,
  { conversation_id, ...message }: SearchedContent & { conversation_id: string },
  read: ReadFileTexts,
): Promise<string> {
  const file_ids = attachmentsOf(message).map(({ id }) => id)
  const texts = file_ids.length === 0 ? undefined : await read(database, conversation_id, file_ids)
  return searchedText(message, texts)
}

export const indexed = (message: SearchedMessage): IndexedMessage => ({ ...message, ...indexedOf(message.text) })

export function indexedOf(text: string): Indexed {
  const terms = grams(text)
  return { terms: terms.join(' '), term_count: terms.length }
}

/** Indexes messages that have a row in `searched_messages`. On SQLite they are not in the index yet. */
export async function indexKnown(
  trx: Transaction,
  engine: Engine,
  known: readonly (Indexed & { id: number })[],
): Promise<void> {
  if (engine === 'postgresql') {
    await Promise.all(known.map(({ id, terms, term_count }) => setTerms.run(trx, { id, terms, term_count })))
    return
  }
  for (const { id, term_count } of known) await addRank.run(trx, { id, term_count })
  // Last, so that the index is written once for all.
  for (const { id, terms } of known) await addTerms.run(trx, { id, terms })
}

const forget = prepared((database, { conversation_id, message_id }: MessageKey) =>
  database
    .deleteFrom('searched_messages')
    .where('conversation_id', '=', conversation_id)
    .where('message_id', '=', message_id),
)
const know = prepared((database, key: MessageKey) =>
  database.insertInto('searched_messages').values(key).returning('id'),
)
const addRank = prepared((database, { id, term_count }: { id: number; term_count: number }) => ({
  compile: () =>
    sql`insert into message_ranks (id, conversation, term_count, create_time)
    select searched_messages.id, conversations.id, ${term_count}, coalesce(messages.create_time, 0)
    from searched_messages join conversations using (conversation_id) left join messages using (conversation_id, message_id)
    where searched_messages.id = ${id}`.compile(database),
}))
const addTerms = prepared((database, { id, terms }: { id: number; terms: string }) => ({
  compile: () => sql`insert into message_terms (rowid, terms) values (${id}, ${terms})`.compile(database),
}))

/**
 * Both forms of a query: the one that a message must match, and the one that it matches when it has the words whole.
 */
function matches(
  terms: readonly QueryTerm[],
  and: string,
  write: (term: string, kind: QueryTerm['kind']) => string,
): { loose: string; strict: string } {
  return {
    loose: terms.map(({ term, kind }) => write(term, kind)).join(and),
    strict: terms.map(({ term, kind }) => write(term, kind === 'character' ? kind : 'pair')).join(and),
  }
}

const onSqlite: SearchEngine = {
  async store(trx, messages) {
    const known: (Indexed & { id: number })[] = []
    for (const { conversation_id, message_id, terms, term_count } of messages) {
      const key = { conversation_id, message_id }
      // Not an upsert: the terms of a contentless index are replaced by deleting them, which the trigger does.
      await forget.run(trx, key)
      known.push({ ...(await know.one(trx, key)), terms, term_count })
    }
    await indexKnown(trx, 'sqlite', known)
  },
  find({ conversation_ids_of_user, limit, skip = 0 }, terms) {
    const { loose, strict } = matches(terms, ' AND ', (term, kind) => {
      if (kind === 'short') return `("${term}" OR "${term}${PART}")`
      return `"${term}"${kind === 'pair' ? '' : '*'}`
    })
    const whole =
      loose === strict
        ? sql`true`
        : sql`message_ranks.id in (select rowid from message_terms where message_terms match ${strict})`
    return sql<SearchHit>`
      select conversation_id, message_id, total from (
        select message_ranks.*, ${whole} as whole, count(*) over () as total
        from message_terms join message_ranks on message_ranks.id = message_terms.rowid
        where message_terms match ${loose} and conversation in (select id from conversations where user_id = ${conversation_ids_of_user} and is_valid)
        order by whole desc, term_count, create_time desc, message_ranks.id desc limit ${limit} offset ${skip}
      ) found join searched_messages using (id) order by whole desc, term_count, create_time desc, id desc`
  },
}

const timeOf = ({ conversation_id, message_id }: MessageKey) =>
  sql<number>`coalesce((select create_time from messages where conversation_id = ${conversation_id} and message_id = ${message_id}), 0)`

const replace = prepared((database, { terms, term_count, ...key }: MessageKey & Indexed) => ({
  compile: () =>
    sql`insert into searched_messages (conversation_id, message_id, terms, term_count, create_time)
    values (${key.conversation_id}, ${key.message_id}, array_to_tsvector(string_to_array(${terms}, ' ')), ${term_count}, ${timeOf(key)})
    on conflict (conversation_id, message_id) do update
      set terms = excluded.terms, term_count = excluded.term_count, create_time = excluded.create_time`.compile(
      database,
    ),
}))

const setTerms = prepared((database, { id, terms, term_count }: Indexed & { id: number }) => ({
  compile: () =>
    sql`update searched_messages set terms = array_to_tsvector(string_to_array(${terms}, ' ')), term_count = ${term_count},
    create_time = coalesce((select messages.create_time from messages where messages.conversation_id = searched_messages.conversation_id
      and messages.message_id = searched_messages.message_id), 0)
    where id = ${id}`.compile(database),
}))

const onPostgresql: SearchEngine = {
  async store(trx, messages) {
    await Promise.all(
      messages.map(({ conversation_id, message_id, terms, term_count }) =>
        replace.run(trx, { conversation_id, message_id, terms, term_count }),
      ),
    )
  },
  find({ conversation_ids_of_user, limit, skip = 0 }, terms) {
    const { loose, strict } = matches(terms, ' & ', (term, kind) => {
      if (kind === 'short') return `('${term}' | '${term}${PART}')`
      return `'${term}'${kind === 'pair' ? '' : ':*'}`
    })
    return sql<SearchHit>`
      select searched_messages.conversation_id, message_id, count(*) over ()::int as total
      from searched_messages join conversations on conversations.conversation_id = searched_messages.conversation_id
      where searched_messages.terms @@ ${loose}::tsquery and conversations.user_id = ${conversation_ids_of_user} and conversations.is_valid
      order by (searched_messages.terms @@ ${strict}::tsquery) desc, searched_messages.term_count, searched_messages.create_time desc,
        searched_messages.id desc limit ${limit} offset ${skip}`
  },
}

export type MessageKey = { conversation_id: string; message_id: string }
export type SearchedMessage = MessageKey & { text: string }
type SearchQuestion = { conversation_ids_of_user: number; words: string; limit: number; skip?: number }

/** `total` counts all matches. */
export type SearchHit = { conversation_id: string; message_id: string; total: number }

/** Words that are looked for: more than a person types add nothing. */
const MAX_WORDS = 16

/**
 * Whether a folded text holds each of the words, in any order. The search for a text inside another knows no wildcards,
 * so that all characters stand for themselves.
 */
export function holdsWords(text: Expression<string | null>, words: string, engine: Engine): Expression<SqlBool>[] {
  const position = sql.raw(engine === 'sqlite' ? 'instr' : 'strpos')
  return wordsAnywhere(words)
    .slice(0, MAX_WORDS)
    .map(word => sql<SqlBool>`${position}(${text}, ${word}) > 0`)
}
