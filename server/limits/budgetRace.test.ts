import { describe, expect, onTestFinished, test } from 'vitest'
import type { Database } from '#server/foundation/database/open.ts'
import { openDatabase } from '#server/foundation/database/open.ts'
import { planStore } from '#server/policy/planStore.ts'
import { firstUpstream } from '#testing/asks.ts'
import { aSimulator, emptyFolder } from '#testing/dataFolder.ts'
import { aPostgresqlAddress } from '#testing/database.ts'
import { type Person, question, signIn } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { startServer } from '#testing/server.ts'

const ASKS = 100
const PASSWORD = 'correct-horse-7'
/** Millionths: about ten of the asks. */
const BUDGET = 1_000

/** Nothing but the budget binds. */
const OPEN = {
  COMMONS_HTTP_MAX_SOCKETS_PER_USER: '400',
  COMMONS_ASKING_MAX_RUNNING_ASKS_PER_USER: '100',
  COMMONS_HTTP_REQUESTS_PER_MINUTE: '100000',
}

/** Asks as often as said, all at once, and gives how each ended. */
async function askAtOnce(askers: readonly Person[]): Promise<Map<string, number>> {
  const ends = new Map<string, number>()
  await Promise.all(
    Array.from({ length: ASKS }, async (_, index) => {
      const chat = await askers[index % askers.length]?.chat(
        question(`/simulate tokens=9 number ${index}`, { new_title: 'race', parameters: { max_tokens: 16 } }),
      )
      const last = await chat?.until(frame => frame.type === 'finished' || frame.type === 'error')
      const end = String(last?.['tip'] ?? last?.['outcome'])
      ends.set(end, (ends.get(end) ?? 0) + 1)
    }),
  )
  return ends
}

async function limit(database: Database, user_id: number): Promise<void> {
  const window = { kind: 'month' } as const
  await planStore(database).setOf(user_id, {
    own_limits: [{ source: 'openai_api', unit: 'money', amount: BUDGET, window, models: null, until: null }],
  })
}

const spentBy = async (database: Database, user_id: number): Promise<number> =>
  (await database.selectFrom('usage_ledger').select('cost').where('user_id', '=', user_id).execute()).reduce(
    (sum, { cost }) => sum + cost,
    0,
  )

/** Asks until nobody is let through any more. */
async function race(database: Database, user_id: number, askers: readonly Person[]): Promise<void> {
  let finished = 0
  for (;;) {
    const ends = await askAtOnce(askers)
    expect(await spentBy(database, user_id)).toBeLessThanOrEqual(BUDGET)
    const through = ends.get('finished') ?? 0
    expect(through + (ends.get('errors.budgetReached') ?? 0)).toBe(ASKS)
    finished += through
    if (through === 0) break
  }
  expect(finished).toBeGreaterThan(3)
  // What is left pays for no further ask.
  expect(await spentBy(database, user_id)).toBeGreaterThan(BUDGET / 2)
}

const PRICES = { prices: [{ model: 'gpt_4', input: 1, output: 4 }] }

describe(`${ASKS} asks at once at the last cent`, () => {
  test('spend no more than it, on SQLite', async () => {
    const { person, admin, app } = await startPortal({ environment: OPEN })
    const { database } = app.services.open
    const lin = await person()
    await admin.result('PUT', `/system/upstreams/${await firstUpstream(database)}/prices`, PRICES)
    await limit(database, lin.id)
    await race(database, lin.id, [lin])
  }, 120_000)

  test('spend no more than it, from three processes on PostgreSQL', async () => {
    const simulator = await aSimulator()
    const database_url = await aPostgresqlAddress()
    const env = {
      ...OPEN,
      COMMONS_DATA_DATA_DIR: await emptyFolder(),
      DATABASE_URL: database_url,
      OPENAI_BASE_URL: simulator.url,
      OPENAI_API_KEY: 'k',
      COMMONS_SECRET_KEY: 'r3Vb8q1TzLw0XnKc5yHd7uJm2pSg9fAe',
      COMMONS_COMMON_INITIAL_ADMIN_USER_PASSWORD: PASSWORD,
    }
    const servers = [await startServer(env), await startServer(env), await startServer(env)]
    const open = await openDatabase({ database_url })
    onTestFinished(() => open.close())
    const admin = await signIn(servers[0]?.url ?? '', 'admin', PASSWORD)
    const account = { username: 'lin', nickname: 'lin', email: 'lin@example.org', password: PASSWORD }
    const { id } = await admin.result<{ id: number }>('POST', '/auth/register', account)
    await admin.result('PUT', `/system/upstreams/${await firstUpstream(open.database)}/prices`, PRICES)
    await limit(open.database, id)
    await race(open.database, id, await Promise.all(servers.map(server => signIn(server.url, 'lin', PASSWORD))))
  }, 240_000)
})
