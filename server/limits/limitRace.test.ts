import { describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import type { Person } from '#testing/person.ts'
import { question, signIn } from '#testing/person.ts'
import { aPostgresqlAddress } from '#testing/database.ts'
import { startPortal } from '#testing/portal.ts'
import { startServer } from '#testing/server.ts'
import { aSimulator, emptyFolder } from '#testing/dataFolder.ts'

/**
 * RACE_ROUNDS looks longer: each round is 200 asks that race for the same ten, and so one more attempt at what the one
 * before did.
 */
const ROUNDS = Number(process.env['RACE_ROUNDS'] ?? 6)
const ASKS = 200
const LEFT = 10
const PASSWORD = 'correct-horse-7'

/** Nothing but the count binds. */
const OPEN = {
  COMMONS_HTTP_MAX_SOCKETS_PER_USER: '400',
  COMMONS_ASKING_MAX_RUNNING_ASKS_PER_USER: '100',
  COMMONS_HTTP_REQUESTS_PER_MINUTE: '100000',
}

/** Asks as often as said, all at once, and gives how each ended. */
async function askAtOnce(askers: readonly Person[], asks: number): Promise<Map<string, number>> {
  const ends = new Map<string, number>()
  await Promise.all(
    Array.from({ length: asks }, async (_, index) => {
      const chat = await askers[index % askers.length]?.chat(
        question(`/simulate tokens=3 number ${index}`, { new_title: 'race' }),
      )
      const last = await chat?.until(frame => frame.type === 'finished' || frame.type === 'error')
      const end = String(last?.['tip'] ?? last?.['outcome'])
      ends.set(end, (ends.get(end) ?? 0) + 1)
    }),
  )
  return ends
}

const exactly = new Map([
  ['finished', LEFT],
  ['errors.noAvailableTotalAskCount', ASKS - LEFT],
])

describe(`${ASKS} asks at once against ${LEFT} left`, () => {
  test('let exactly as many through, every time, on SQLite', async () => {
    const { person, admin, simulator, app } = await startPortal({ environment: OPEN })
    const lin = await person()
    for (let round = 1; round <= ROUNDS; round++) {
      await admin.result('PATCH', `/user/${lin.id}/setting`, { openai_api: { total_ask_count: LEFT } })
      expect(await askAtOnce([lin], ASKS)).toEqual(exactly)
      expect(simulator.journal.length).toBe(round * LEFT)
      const {
        rows: [sum],
      } = await sql<{
        change: number
      }>`select sum(change) as change from ask_ledger where user_id = ${lin.id} and of_total`.execute(
        app.services.open.database,
      )
      expect(sum?.change).toBe(0)
    }
  }, 120_000)

  test('let exactly as many through, every time, from two processes on PostgreSQL', async () => {
    const simulator = await aSimulator()
    const env = {
      ...OPEN,
      COMMONS_DATA_DATA_DIR: await emptyFolder(),
      DATABASE_URL: await aPostgresqlAddress(),
      OPENAI_BASE_URL: simulator.url,
      OPENAI_API_KEY: 'k',
      COMMONS_SECRET_KEY: 'r3Vb8q1TzLw0XnKc5yHd7uJm2pSg9fAe',
      COMMONS_COMMON_INITIAL_ADMIN_USER_PASSWORD: PASSWORD,
    }
    const servers = [await startServer(env), await startServer(env)]
    const admins = await Promise.all(servers.map(server => signIn(server.url, 'admin', PASSWORD)))
    const { id } = (await admins[0]?.result<{ id: number }>('POST', '/auth/register', {
      username: 'lin',
      nickname: 'lin',
      email: 'lin@example.org',
      password: PASSWORD,
    })) ?? { id: 0 }
    const lins = await Promise.all(servers.map(server => signIn(server.url, 'lin', PASSWORD)))
    for (let round = 1; round <= ROUNDS; round++) {
      await admins[0]?.result('PATCH', `/user/${id}/setting`, { openai_api: { total_ask_count: LEFT } })
      expect(await askAtOnce(lins, ASKS)).toEqual(exactly)
      // Each process has read the list of models as well.
      expect(simulator.journal.filter(({ path }) => path.endsWith('/chat/completions'))).toHaveLength(round * LEFT)
    }
  }, 240_000)
})
