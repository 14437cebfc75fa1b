import { sql, type RawBuilder } from 'kysely'
import type { Engine } from './definition.ts'
import { prepared } from './prepared.ts'
import type { Transaction } from './schema.ts'
import type { SearchedMessage, SearchHit, SearchQuestion } from './searchQuestion.ts'

/**
 * The search index of schema 1 to 7, which has whole words only. A database that has one uses it until the new index has all messages
 * (searchRebuild.ts). New databases have none.
 */
export function earlierIndex(engine: Engine): EarlierIndex {
  const { store, find } = engine === 'sqlite' ? onSqlite : onPostgresql
  return {
    store,
    find(question) {
      const terms = earlierTerms(question.words)
      return terms.length === 0 ? null : find(question, terms)
    },
  }
}

type EarlierIndex = {
  /** Adds messages that have a row in `searched_messages`. On PostgreSQL all its queries start at once. */
  store(trx: Transaction, known: readonly SearchedMessage[]): Promise<void>
  /** Null for a question without words. */
  find(question: SearchQuestion): RawBuilder<SearchHit> | null
}

export async function dropEarlierIndex(trx: Transaction, engine: Engine): Promise<void> {
  const statements =
    engine === 'sqlite'
      ? ['drop trigger searched_messages_forgotten', 'drop table message_grams']
      : ['alter table searched_messages drop column grams']
  for (const statement of statements) await sql.raw(statement).execute(trx)
}

type Words = Pick<SearchedMessage, 'conversation_id' | 'message_id'> & { kept: string }
type EarlierEngine = Pick<EarlierIndex, 'store'> & {
  find(question: SearchQuestion, terms: EarlierTerm[]): RawBuilder<SearchHit>
}

/** More words than anyone looks for; a text pasted into the search is cut here. */
const MAX_TERMS = 32

const addGrams = prepared((database, { conversation_id, message_id, kept }: Words) => ({
  compile: () =>
    sql`insert into message_grams (rowid, grams) select id, ${kept} from searched_messages
    where conversation_id = ${conversation_id} and message_id = ${message_id}`.compile(database),
}))

const onSqlite: EarlierEngine = {
  async store(trx, known) {
    for (const { text, ...key } of known) await addGrams.run(trx, { ...key, kept: keptGrams(text) })
  },
  find: ({ conversation_ids_of_user, limit, skip = 0 }, terms) => sql<SearchHit>`
    select conversation_id, message_id, count(*) over () as total
    from message_grams join searched_messages on searched_messages.id = message_grams.rowid
      join conversations using (conversation_id) join messages using (conversation_id, message_id)
    where message_grams match ${terms.map(({ gram, beginning }) => `"${gram}"${beginning ? '*' : ''}`).join(' ')}
      and conversations.user_id = ${conversation_ids_of_user} and conversations.is_valid
    order by message_grams.rank, messages.create_time desc, searched_messages.id desc limit ${limit} offset ${skip}`,
}

const setGrams = prepared((database, { conversation_id, message_id, kept }: Words) => ({
  compile: () =>
    sql`update searched_messages set grams = array_to_tsvector(string_to_array(${kept}, ' '))
    where conversation_id = ${conversation_id} and message_id = ${message_id}`.compile(database),
}))

const onPostgresql: EarlierEngine = {
  async store(trx, known) {
    await Promise.all(known.map(({ text, ...key }) => setGrams.run(trx, { ...key, kept: keptGrams(text) })))
  },
  // 1: the rank is divided by the logarithm of the length, so that a short message ranks above a long one.
  find: ({ conversation_ids_of_user, limit, skip = 0 }, terms) => sql<SearchHit>`
    select conversation_id, message_id, count(*) over ()::int as total
    from (select ${terms.map(({ gram, beginning }) => `'${gram}'${beginning ? ':*' : ''}`).join(' & ')}::tsquery as words) asked
      join searched_messages on searched_messages.grams @@ asked.words
      join conversations using (conversation_id) join messages using (conversation_id, message_id)
    where conversations.user_id = ${conversation_ids_of_user} and conversations.is_valid
    order by ts_rank(searched_messages.grams, asked.words, 1) desc, messages.create_time desc, searched_messages.id desc limit ${limit} offset ${skip}`,
}

/** Letters, digits and combining marks. Everything else separates words, so a gram never contains query syntax. */
const WORDS = /[\p{L}\p{N}\p{M}]+/gu

/** Chinese has no spaces: a run of Han characters is split into pairs, other characters of the same word are not. */
const RUNS = /\p{Script=Han}+|\P{Script=Han}+/gu

const HAN = /^\p{Script=Han}/u
const SOME_HAN = /\p{Script=Han}/u

/** Of longer words only the beginning is indexed. PostgreSQL takes none above 2,046 bytes. */
const MAX_WORD = 64

/** Total bytes of the distinct grams of a message; what comes after is not indexed. PostgreSQL takes at most 1 MiB. */
const MAX_BYTES = 1_000_000

/** The search terms of a text, separated by spaces: overlapping pairs of Han characters, and other words whole, in lower case. */
function grams(text: string): string {
  return runsOf(text).flatMap(gramsOfRun).join(' ')
}

/** The terms to index for a message. The last character of each Han run is added, so that every single character begins a gram. */
function keptGrams(text: string): string {
  const kept = new Set<string>()
  for (const run of runsOf(text)) addKept(kept, run)
  const joined = [...kept].join(' ')
  // A UTF-16 unit is at most three bytes of UTF-8, so only very long texts have to be counted.
  return joined.length * 3 <= MAX_BYTES ? joined : firstOf(kept)
}

function firstOf(grams: Iterable<string>): string {
  const first: string[] = []
  let bytes = 0
  for (const gram of grams) {
    bytes += Buffer.byteLength(gram)
    if (bytes > MAX_BYTES) break
    first.push(gram)
  }
  return first.join(' ')
}

type EarlierTerm = { gram: string; beginning: boolean }

/** A single Han character is matched as the beginning of a gram. */
function earlierTerms(words: string): EarlierTerm[] {
  const found = [...new Set(grams(words).split(' '))].filter(gram => gram !== '').slice(0, MAX_TERMS)
  return found.map(gram => ({ gram, beginning: HAN.test(gram) && [...gram].length === 1 }))
}

function runsOf(text: string): string[] {
  const plain = text.normalize('NFKC').toLowerCase()
  const words = plain.match(WORDS) ?? []
  return SOME_HAN.test(plain) ? words.flatMap(word => (SOME_HAN.test(word) ? (word.match(RUNS) ?? []) : word)) : words
}

function gramsOfRun(run: string): string[] {
  if (!HAN.test(run)) return [beginningOf(run)]
  const characters = [...run]
  return characters.length === 1
    ? characters
    : characters.slice(1).map((second, index) => `${characters[index]}${second}`)
}

const beginningOf = (word: string) => (word.length <= MAX_WORD ? word : [...word].slice(0, MAX_WORD).join(''))

function addKept(kept: Set<string>, run: string): void {
  if (!HAN.test(run)) {
    kept.add(beginningOf(run))
    return
  }
  let before = ''
  for (const character of run) {
    if (before !== '') kept.add(before + character)
    before = character
  }
  kept.add(before)
}
