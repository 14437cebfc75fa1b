import { sql, type RawBuilder } from 'kysely'
import type { Engine } from './definition.ts'
import { keptGrams, searchTerms, type SearchTerm } from './grams.ts'
import { prepared } from './prepared.ts'
import type { Database, Transaction } from './schema.ts'

export { grams } from './grams.ts'

export type SearchedMessage = { conversation_id: string; message_id: string; text: string }
export type SearchQuestion = { conversation_ids_of_user: number; words: string; limit: number; skip?: number }

/** A higher rank is a better match; ranks of different searches cannot be compared. `total` counts all matches. */
export type SearchHit = { conversation_id: string; message_id: string; rank: number; total: number }

export type SearchIndex = {
  /**
   * Indexes messages under these texts, in place of any earlier one; none of them twice. Call it in the transaction that stores them, after
   * everything else and once: SQLite writes its index out whenever something else comes between, at twice the price for two messages.
   */
  add(trx: Transaction, messages: readonly SearchedMessage[]): Promise<void>
  /** Removes messages from the index that stay in the database; those deleted there leave it by themselves. */
  remove(trx: Transaction, conversation_id: string, message_ids: readonly string[]): Promise<void>
  /** The messages with all the words in the user's own valid conversations, best match first, then latest first by the time of the message. */
  find(database: Database, question: SearchQuestion): Promise<SearchHit[]>
}

/** Rows of one statement, well below the bound of parameters of either database. */
const BATCH = 500
/** More words than anyone looks for; a text pasted into the search is cut here. */
const MOST_TERMS = 32

export function searchIndex(engine: Engine): SearchIndex {
  const { store, find } = engine === 'sqlite' ? onSqlite : onPostgresql
  return {
    add: store,
    async remove(trx, conversation_id, message_ids) {
      for (let start = 0; start < message_ids.length; start += BATCH) {
        await trx.deleteFrom('searched_messages')
          .where('conversation_id', '=', conversation_id).where('message_id', 'in', message_ids.slice(start, start + BATCH)).execute()
      }
    },
    async find(database, question) {
      const terms = searchTerms(question.words, MOST_TERMS)
      if (terms.length === 0) return []
      return (await find(question, terms).execute(database)).rows
    },
  }
}

type SearchEngine = {
  store(trx: Transaction, messages: readonly SearchedMessage[]): Promise<void>
  find(question: SearchQuestion, terms: SearchTerm[]): RawBuilder<SearchHit>
}

type Place = Pick<SearchedMessage, 'conversation_id' | 'message_id'>

const forget = prepared((database, { conversation_id, message_id }: Place) =>
  database.deleteFrom('searched_messages').where('conversation_id', '=', conversation_id).where('message_id', '=', message_id))
const know = prepared((database, place: Place) => database.insertInto('searched_messages').values(place).returning('id'))
const addGrams = prepared((database, { id, kept }: { id: number; kept: string }) =>
  ({ compile: () => sql`insert into message_grams (rowid, grams) values (${id}, ${kept})`.compile(database) }))

const onSqlite: SearchEngine = {
  async store(trx, messages) {
    const known: { id: number; text: string }[] = []
    for (const { conversation_id, message_id, text } of messages) {
      // Not an upsert: the grams of a contentless index are replaced by deleting them, which the trigger does.
      await forget.run(trx, { conversation_id, message_id })
      known.push({ ...await know.one(trx, { conversation_id, message_id }), text })
    }
    for (const { id, text } of known) await addGrams.run(trx, { id, kept: keptGrams(text) })
  },
  find: ({ conversation_ids_of_user, limit, skip = 0 }, terms) => sql<SearchHit>`
    select conversation_id, message_id, -message_grams.rank as rank, count(*) over () as total
    from message_grams join searched_messages on searched_messages.id = message_grams.rowid
      join conversations using (conversation_id) join messages using (conversation_id, message_id)
    where message_grams match ${terms.map(({ gram, beginning }) => `"${gram}"${beginning ? '*' : ''}`).join(' ')}
      and conversations.user_id = ${conversation_ids_of_user} and conversations.is_valid
    order by message_grams.rank, messages.create_time desc, searched_messages.id desc limit ${limit} offset ${skip}`,
}

const replace = prepared((database, { conversation_id, message_id, kept }: Place & { kept: string }) => ({
  compile: () => sql`insert into searched_messages (conversation_id, message_id, grams)
    values (${conversation_id}, ${message_id}, array_to_tsvector(string_to_array(${kept}, ' ')))
    on conflict (conversation_id, message_id) do update set grams = excluded.grams`.compile(database),
}))

const onPostgresql: SearchEngine = {
  async store(trx, messages) {
    await Promise.all(messages.map(({ text, ...place }) => replace.run(trx, { ...place, kept: keptGrams(text) })))
  },
  // Divided by the logarithm of the length (the 1): a short message with the word fits better than a long one.
  find: ({ conversation_ids_of_user, limit, skip = 0 }, terms) => sql<SearchHit>`
    select conversation_id, message_id, ts_rank(searched_messages.grams, asked.words, 1) as rank, count(*) over ()::int as total
    from (select ${terms.map(({ gram, beginning }) => `'${gram}'${beginning ? ':*' : ''}`).join(' & ')}::tsquery as words) asked
      join searched_messages on searched_messages.grams @@ asked.words
      join conversations using (conversation_id) join messages using (conversation_id, message_id)
    where conversations.user_id = ${conversation_ids_of_user} and conversations.is_valid
    order by rank desc, messages.create_time desc, searched_messages.id desc limit ${limit} offset ${skip}`,
}
