import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { openConversationSearch } from '#server/conversations/search.ts'
import { messageStore } from '#server/conversations/messageStore.ts'
import { openDatabase, type OpenDatabase } from '#server/foundation/database/open.ts'
import { searchIndex } from '#server/foundation/search/search.ts'
import { storedConversation, storedUser } from '../../testing/rows.ts'
import { megabytes, median, printGoal, printTable, threeDigits, sum } from '../figures.ts'
import { type Corpus, searchCorpus } from './corpus.ts'

const MESSAGES = 100_000
const IN_A_CONVERSATION = 50
const PEOPLE = 20
/** Repetitions of a search: each takes milliseconds, which other work on the machine disturbs. */
const IN_A_ROUND = 10

/** The time of a search with its excerpts among many messages, and the size of its index. SQLite only. */
export async function searchSection({ rounds, quick }: { rounds: number; quick: boolean }): Promise<void> {
  const messages = quick ? MESSAGES / 20 : MESSAGES
  const data_dir = await mkdtemp(join(tmpdir(), 'commons-bench-'))
  const open = await openDatabase({ data_dir })
  try {
    const corpus = searchCorpus()
    const user_id = await fill(open, corpus, messages)
    const rows = await searches(open, corpus, user_id, rounds)
    printTable(
      `Searches among ${messages} messages, half of them the searcher’s and half those of ${PEOPLE - 1} others`,
      ['script', 'words', 'found', 'ms'],
      rows.map(({ script, words, found, time }) => [script, words, String(found), threeDigits(time)]),
    )
    const size = await sizeOf(open, 'message_terms', 'message_ranks')
    printTable('The index', ['of', 'size'], [['beginnings of words', megabytes(size)]])
    printGoal('median of the searches', median(rows.map(({ time }) => time)), 10, 'at most', ' ms')
  } finally {
    await open.close()
    await rm(data_dir, { recursive: true, force: true })
  }
}

/** Stores the messages, half of them of one searcher, whose id is returned. */
async function fill(open: OpenDatabase, corpus: Corpus, messages: number): Promise<number> {
  const index = searchIndex(open.engine)
  const people: number[] = []
  for (let person = 0; person < PEOPLE; person += 1) people.push(await storedUser(open.database))
  const [searcher = 0, ...others] = people
  for (let at = 0; at < messages; at += IN_A_CONVERSATION) {
    const turn = at / IN_A_CONVERSATION
    const conversation_id = await storedConversation(open.database, {
      user_id: turn % 2 === 0 ? searcher : others[turn % others.length],
    })
    const texts = Array.from({ length: IN_A_CONVERSATION }, (_, offset) => ({
      conversation_id,
      message_id: `m${at + offset}`,
      text: corpus.text(at + offset),
    }))
    await open.transaction(async trx => {
      await messageStore(trx).add(
        conversation_id,
        texts.map(({ message_id, text }, offset) => ({
          id: message_id,
          source: 'openai_api',
          role: offset % 2 === 0 ? 'user' : 'assistant',
          author_name: null,
          model: null,
          parent: null,
          children: [],
          create_time: new Date(Date.UTC(2026, 0, 1) + (at + offset) * 60_000).toISOString(),
          content: { content_type: 'text', text },
          metadata: null,
        })),
      )
      await index.add(trx, texts)
    })
  }
  return searcher
}

type Search = { script: string; words: string; found: number; time: number }

async function searches(open: OpenDatabase, corpus: Corpus, user_id: number, rounds: number): Promise<Search[]> {
  const search = openConversationSearch({
    open,
    search: searchIndex(open.engine),
    searchQueue: { flush: async () => {} },
  })
  const searched: Search[] = []
  for (const { script, words } of queriesOf(corpus)) {
    const times: number[] = []
    let found = 0
    for (let time = 0; time <= rounds * IN_A_ROUND; time += 1) {
      const began = performance.now()
      found = (await search(user_id, words, 0)).total
      if (time > 0) times.push(performance.now() - began)
    }
    searched.push({ script, words, found, time: median(times) })
  }
  return searched
}

/**
 * For each script a frequent, an occasional and a rare word; for Latin also beginnings, one of three letters, and a
 * part of a name.
 */
function queriesOf({ scripts }: Corpus): Pick<Search, 'script' | 'words'>[] {
  const [latin, han, kana] = scripts.map(
    ({ words }) =>
      (rank: number, shape: RegExp, length = Infinity) =>
        words
          .slice(rank)
          .find(word => shape.test(word))
          ?.slice(0, length) ?? '',
  )
  if (latin === undefined || han === undefined || kana === undefined) throw new Error('three scripts were asked for')
  const part = /[A-Z].*$/.exec(latin(900, /^[a-z]+[A-Z]/))?.[0] ?? ''
  const version = latin(300, /^v\d\.\d\d/).slice(1)
  return [
    ...[latin(40, /^[a-z]{5,}$/), latin(400, /^[a-z]{7,}$/, 5), latin(2_000, /^[a-z]{5,}$/, 3), part, version].map(
      words => ({ script: 'Latin', words }),
    ),
    ...[han(60, /^..$/), han(1_500, /^...$/), `${han(30, /^..$/)} ${han(200, /^..$/)}`].map(words => ({
      script: 'Han',
      words,
    })),
    ...[kana(100, /^[ァ-ヶ]{3,}$/), kana(3_000, /^[ァ-ヶ]{3,}$/)].map(words => ({ script: 'kana', words })),
  ]
}

/** Bytes of the tables and indexes whose names start so. */
async function sizeOf({ database }: OpenDatabase, ...beginnings: string[]): Promise<number> {
  const { rows } = await sql<{
    name: string
    bytes: number
  }>`select name, sum(pgsize) as bytes from dbstat group by name`.execute(database)
  return sum(
    rows.filter(({ name }) => beginnings.some(beginning => name.startsWith(beginning))).map(({ bytes }) => bytes),
  )
}
