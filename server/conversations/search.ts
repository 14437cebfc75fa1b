import { sql } from 'kysely'
import { beginningOf, lastOf } from '#contract/cutText.ts'
import type { SearchResult, SearchResults } from '#contract/conversations.ts'
import { rangesOf } from '#contract/searchWords.ts'
import type { Database, OpenDatabase } from '#server/foundation/database/open.ts'
import {
  noFileTexts,
  type ReadFileTexts,
  searchedTextWithFiles,
  type SearchHit,
  type SearchIndex,
} from '#server/foundation/search/search.ts'
import type { SearchQueue } from '#server/foundation/search/searchQueue.ts'
import { iso, sourceOf, toMessage } from './history.ts'

/** Results of one answer. */
const AT_A_TIME = 50
/** Characters before and after the first hit. */
const BEFORE = 30
const AFTER = 90

/**
 * Characters that are searched at a time, since the first hit of a long text is mostly near its beginning. Pieces
 * overlap, so that no word is cut.
 */
const AT_ONCE = 4_000
const IN_COMMON = 100

/** Marks of Markdown that are left out of an excerpt. */
const MARKS = /\*\*|__|`{3}\w*|`|^#{1,6} /gm

type Dependencies = {
  open: OpenDatabase
  search: SearchIndex
  searchQueue: Pick<SearchQueue, 'flush'>
  readFileTexts?: ReadFileTexts
}

/** Full-text search in a person's own messages, Chinese included (how it is indexed: foundation/search/grams.ts). */
export function openConversationSearch({ open, search, searchQueue, readFileTexts = noFileTexts }: Dependencies) {
  return async (user_id: number, words: string, skip: number): Promise<SearchResults> => {
    await searchQueue.flush()
    const hits = await search.find(open.database, { conversation_ids_of_user: user_id, words, limit: AT_A_TIME, skip })
    return {
      results: await resultsOf(open.database, hits, words, readFileTexts),
      total: Math.max(hits[0]?.total ?? 0, hits.length),
    }
  }
}

async function resultsOf(
  database: Database,
  hits: readonly SearchHit[],
  words: string,
  readFileTexts: ReadFileTexts,
): Promise<SearchResult[]> {
  if (hits.length === 0) return []
  const conversation_ids = [...new Set(hits.map(hit => hit.conversation_id))]
  const [conversations, messages] = await Promise.all([
    database.selectFrom('conversations').selectAll().where('conversation_id', 'in', conversation_ids).execute(),
    database.selectFrom('messages').selectAll().where(areAmong(hits)).execute(),
  ])
  const conversationOf = new Map(conversations.map(row => [row.conversation_id, row]))
  const messageOf = new Map(messages.map(row => [`${row.conversation_id} ${row.message_id}`, row]))
  const found: SearchResult[] = []
  for (const { conversation_id, message_id } of hits) {
    const conversation = conversationOf.get(conversation_id)
    const message = messageOf.get(`${conversation_id} ${message_id}`)
    if (conversation === undefined || message === undefined) continue
    const searched = { ...toMessage(message, sourceOf(conversation)), conversation_id }
    const text = await searchedTextWithFiles(database, searched, readFileTexts)
    found.push({
      conversation_id,
      message_id,
      title: conversation.title,
      role: message.role,
      create_time: iso(message.create_time),
      excerpt: excerpt(text, words),
    })
  }
  return found
}

/** Looked up in pairs: two separate lists would be looked up in all combinations. */
const areAmong = (hits: readonly SearchHit[]) =>
  sql<boolean>`(conversation_id, message_id) in (values ${sql.join(hits.map(({ conversation_id, message_id }) => sql`(${conversation_id}, ${message_id})`))})`

/** Some words around the first place where one of the looked-for words stands, on one line. */
export function excerpt(text: string, words: string): string {
  const line = text.replace(MARKS, '').replace(/\s+/g, ' ').trim()
  const start = Math.max(0, firstMatch(line, words) - BEFORE)
  const rest = lastOf(line, line.length - start)
  const cut = beginningOf(rest, BEFORE + AFTER)
  return `${start > 0 ? '…' : ''}${cut}${cut.length < rest.length ? '…' : ''}`
}

function firstMatch(line: string, words: string): number {
  for (let from = 0; from < line.length; from += AT_ONCE) {
    const [first] = rangesOf(line.slice(from, from + AT_ONCE + IN_COMMON), words)
    if (first !== undefined) return from + first[0]
  }
  return 0
}
