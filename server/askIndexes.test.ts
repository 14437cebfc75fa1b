import { CompiledQuery } from 'kysely'
import { expect, test } from 'vitest'
import { readCallerState } from '#server/asking/callerState.ts'
import { aDatabase } from '#testing/database.ts'
import { ledgerStore } from '#server/usage/ledger.ts'
import { chunkStore, askStore, leaseStore } from '#server/asks/store.ts'
import { askLogStore } from '#server/asks/logStore.ts'
import { queueStore } from '#server/asks/queueStore.ts'
import { failureStore } from '#server/asks/failureStore.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { limitStore } from '#server/limits/store.ts'
import { statusStore } from '#server/status/meter.ts'

type Asked = [what: string, ask: (database: Database) => Promise<unknown>, ...indexes: string[]]

const WINDOW = { user_id: 1, source: 'openai_api', now: 1, since: 1, inherited: true } as const

/** However many asks there have been, none of these looks through them all. */
test.each<Asked>([
  [
    'who asks',
    database =>
      readCallerState(database, {
        ask_id: 'a',
        user_id: 1,
        source: 'openai_api',
        bounded: true,
      }),
    'INDEX sqlite_autoindex_asks_1 ',
    'INDEX asks_living_of_user ',
  ],
  [
    'how full the queues of a source are',
    database => queueStore(database).states({ source: 'openai_api', user_ids: [1, 2] }),
    'INDEX asks_living ',
  ],
  ['the rounds of people', database => queueStore(database).latestRounds([1, 2]), 'INDEX asks_living_of_user '],
  ['the order of a queue', database => queueStore(database).entries(2), 'INDEX asks_living '],
  ['the queues', database => queueStore(database).loads(), 'INDEX asks_living'],
  ['the meter of an account', database => statusStore(database).entriesWithNames(2), 'INDEX asks_living '],
  ['asks without a sign of life', database => leaseStore(database).abandoned(1), 'INDEX asks_living'],
  ['asks that are to stop', database => leaseStore(database).stopRequested('holder'), 'INDEX asks_living'],
  [
    'what a person has that is limited',
    database => limitStore(database).currentCounts({ user_id: 1, source: 'openai_api', bounded: true }),
    'INDEX asks_living_of_user ',
  ],
  ['what people do', database => askStore(database).statusOf([1, 2]), 'INDEX asks_living_of_user '],
  [
    'the conversations that are being answered',
    database => askStore(database).livingOf(1),
    'INDEX asks_living_of_user ',
  ],
  [
    'what a conversation waits for',
    database => askStore(database).livingIn('c'),
    'INDEX asks_conversation_id_create_time ',
  ],
  [
    'what broke off in a conversation',
    database => failureStore(database).brokenAsks('c'),
    'INDEX asks_conversation_id_create_time ',
  ],
  [
    'the conversations in which something broke off',
    database => failureStore(database).brokenOffOf(1, 1),
    'INDEX asks_counted ',
  ],
  ['the asks of a window', database => limitStore(database).asksSince(WINDOW), 'INDEX asks_counted '],
  ['what limits an ask', database => limitStore(database).countsAndAsks(WINDOW), 'INDEX asks_counted '],
  [
    'how long answers take',
    database => queueStore(database).recentTimes('openai_api', 'gpt_4'),
    'INDEX asks_answered ',
  ],
  ['what was written down of ended asks', database => chunkStore(database).removeOfEnded(), 'INDEX asks_living'],
  ['the end of an ask', database => askStore(database).close('a', ENDED), 'INDEX sqlite_autoindex_asks_1 '],
])('%s: read by an index', async (_, ask, ...indexes) => {
  const plan = (await planOf('asks', ask)).filter(detail => /\b(asks|a)\b/.test(detail))
  expect(plan[0]).toContain(indexes[0])
  for (const index of indexes)
    expect(
      plan.some(detail => detail.includes(index)),
      `${index}in ${plan.join()}`,
    ).toBe(true)
  expect(plan.filter(detail => detail.startsWith('SCAN asks ') && !detail.includes('INDEX'))).toEqual([])
})

/** Looked at every few seconds by everybody who is here. */
test.each<Asked>([
  ['how long the answers of an upstream take', database => askLogStore(database).recentTimes(2)],
  ['what it answered in a window', database => askLogStore(database).answeredSince({ id: 2, source: 'openai_web' }, 1)],
])('%s: read by an index', async (_, ask) => {
  const [step] = await planOf('ask_logs', ask)
  expect(step).toMatch(/^SEARCH ask_logs USING (COVERING )?INDEX ask_logs_answered /)
})

const COUNTED = { user_id: 1, source: 'openai_api', ask_id: 'a' } as const

/** What moved no count is in no index. */
test.each<Asked>([
  [
    'how the counts of a person changed',
    database => ledgerStore(database).page({ user_id: 1, source: null }, { limit: 50, offset: 0 }),
    'SEARCH ask_ledger USING INDEX ask_ledger_of_user ',
  ],
  [
    'whether a count was set since',
    database => ledgerStore(database).setSince(COUNTED, 'of_model', 'gpt_4'),
    'SEARCH reservation USING INDEX ask_ledger_of_ask ',
    'SEARCH later USING INDEX ask_ledger_of_user ',
  ],
])('the ledger, %s: read by an index', async (_, ask, ...steps) => {
  const plan = await planOf('ask_ledger', ask)
  for (const step of steps)
    expect(
      plan.some(detail => detail.startsWith(step)),
      `${step}in ${plan.join()}`,
    ).toBe(true)
  expect(plan.filter(detail => detail.startsWith('SCAN ask_ledger'))).toEqual([])
})

/** How SQLite goes about what is asked of a table. */
async function planOf(table: string, ask: (database: Database) => Promise<unknown>): Promise<string[]> {
  const statements: string[] = []
  const { database } = await aDatabase(sql => {
    if (sql.includes(`"${table}"`)) statements.push(sql)
  })
  statements.length = 0
  await ask(database)
  const { rows } = await database.executeQuery<{ detail: string }>(
    CompiledQuery.raw(`explain query plan ${statements.join(';')}`),
  )
  return rows.map(({ detail }) => `${detail} `)
}

const ENDED = {
  outcome: 'finished',
  failure_key: null,
  failure_values: null,
  first_token_time: 1,
  last_message_id: null,
  end_time: 2,
} as const
