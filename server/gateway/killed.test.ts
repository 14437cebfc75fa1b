import { describe, expect, test } from 'vitest'
import { withKeys } from '#server/keys/keys.testing.ts'
import { type Database, type DatabaseStorage, openDatabase } from '#server/foundation/database/open.ts'
import { planStore } from '#server/policy/planStore.ts'
import type { Simulator } from '#simulator/simulator.ts'
import { firstUpstream } from '#testing/asks.ts'
import { aSimulator, emptyFolder } from '#testing/dataFolder.ts'
import { eachStorage } from '#testing/database.ts'
import { PATIENCE } from '#testing/patience.ts'
import type { Person } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { type Server, startServer } from '#testing/server.ts'
import { until } from '#testing/until.ts'
import { DIALECTS, questionIn, sendTo } from './gateway.testing.ts'

const [PEOPLE, KEYS_EACH, ANSWERED_AT_ONCE] = [10, 5, 40]
const STREAMS = PEOPLE * KEYS_EACH
const [ASKS_EACH, CREDITS, MILLION] = [100, 50, 1_000_000]

const ENV = {
  COMMONS_SECRET_KEY: 'r3Vb8q1TzLw0XnKc5yHd7uJm2pSg9fAe',
  // No process is away for so long.
  COMMONS_ASKING_LEASE_SECONDS: '600',
  COMMONS_ASKING_MAX_RUNNING_ASKS_PER_USER: String(KEYS_EACH),
  COMMONS_OPENAI_API_MAX_COMPLETION_CONCURRENCY: String(ANSWERED_AT_ONCE),
  COMMONS_MONEY_CREDITS_AS_MONEY: 'true',
}

type OwnedKey = { id: number; key: string; owner: Person }

/** Keys of people who have a number of asks, and who pay with credits. */
async function preparedKeys(storage: DatabaseStorage, simulator: Simulator): Promise<OwnedKey[]> {
  const { app, admin, person, make, close } = await withKeys(
    await startPortal({ storage, simulator, environment: ENV }),
    KEYS_EACH,
  )
  const { database } = app.services.open
  const upstream = `/system/upstreams/${await firstUpstream(database)}`
  await admin.result('PATCH', upstream, { dialects: ['chat', 'messages'] })
  await admin.result('PUT', `${upstream}/prices`, { prices: [{ model: 'gpt_4', input: 10, output: 10 }] })
  const money = { source: 'openai_api', unit: 'money', window: { kind: 'day' }, models: null, until: null } as const
  const keys: OwnedKey[] = []
  for (let count = 0; count < PEOPLE; count++) {
    const owner = await person()
    const setting = { credits: CREDITS, openai_api: { total_ask_count: ASKS_EACH } }
    await admin.result('PATCH', `/user/${owner.id}/setting`, setting)
    await planStore(database).setOf(owner.id, { own_limits: [{ ...money, amount: 0.001 * MILLION }] })
    for (let of = 0; of < KEYS_EACH; of++) keys.push({ ...(await make({}, owner)), owner })
  }
  await close()
  return keys
}

type ToolStream = OwnedKey & {
  server: Server
  /** All that came, when it has ended in one way or another. */
  whole: Promise<string>
  text: string
}

/** Asks as a tool does; resolves when it has an answer, or is told its place in the queue. */
async function opened(server: Server, owned: OwnedKey, at: number): Promise<ToolStream> {
  const [path, body] = questionIn[DIALECTS[at % DIALECTS.length]!](`/simulate tokens=3000\nquestion ${at}.`, 5_000)
  const response = await sendTo(server.url, owned.key, path, { body: { ...body, stream: true } })
  expect(response.status).toBe(200)
  const read = async (): Promise<string> => {
    try {
      for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) stream.text += piece
    } catch {
      // its server was killed
    }
    return stream.text
  }
  const stream: ToolStream = { ...owned, server, text: '', whole: Promise.resolve('') }
  stream.whole = read()
  return stream
}

const END = /data: \[DONE\]\n\n$|event: (response\.completed|message_stop)\n.*\n\n$/

/** Everything that is counted, read when no server runs. */
async function countsIn(database: Database) {
  const [asks, logs, lines, sums, months, counted, chunks, credits] = await Promise.all([
    database.selectFrom('asks').selectAll().execute(),
    database.selectFrom('ask_logs').selectAll().execute(),
    database.selectFrom('usage_ledger').selectAll().execute(),
    database.selectFrom('usage_sums').selectAll().execute(),
    database.selectFrom('usage_months').selectAll().execute(),
    database.selectFrom('ask_ledger').selectAll().where('ask_id', 'is not', null).execute(),
    database.selectFrom('ask_chunks').selectAll().execute(),
    database.selectFrom('user_credits').selectAll().execute(),
  ])
  return { asks, logs, lines, sums, months, counted, chunks, credits }
}

const sumOf = <R, K extends keyof R>(rows: readonly R[], column: K): number =>
  rows.reduce((sum, row) => sum + Number(row[column]), 0)

eachStorage((name, newStorage) => {
  // On SQLite there is one process.
  const [processes, killed] = name === 'SQLite' ? [1, 1] : [3, 2]

  describe(`when ${killed} of ${processes} servers die with ${STREAMS} streams of tools open`, () => {
    test('nothing is lost or charged twice, and what was reserved is settled', { timeout: 4 * PATIENCE }, async () => {
      const where = await newStorage()
      const simulator = await aSimulator(50)
      const keys = await preparedKeys(where, simulator)
      const start = async () =>
        startServer({
          ...ENV,
          COMMONS_DATA_DATA_DIR: 'data_dir' in where ? where.data_dir : await emptyFolder(),
          ...('database_url' in where && { DATABASE_URL: where.database_url }),
          OPENAI_BASE_URL: simulator.url,
          OPENAI_API_KEY: 'test-key',
        })
      const servers: Server[] = []
      for (let count = 0; count < processes; count++) servers.push(await start())
      const streams = await Promise.all(keys.map((key, at) => opened(servers[at % processes]!, key, at)))
      const running = () => simulator.journal.filter(({ sent }) => sent.length > 200)
      await until(() => expect(running()).toHaveLength(ANSWERED_AT_ONCE))

      const dead = servers.slice(0, killed)
      for (const server of dead) server.kill('SIGKILL')
      await Promise.all(dead.map(({ ended }) => ended))
      const left = streams.filter(({ server }) => !dead.includes(server))
      const lost = streams.filter(({ server }) => dead.includes(server))
      for (const { whole } of lost) expect(await whole).not.toMatch(END)
      if (name === 'PostgreSQL') await expireLeases(where, lost)
      simulator.setPace(0)
      const restarted = await start()
      // Those who asked elsewhere never notice.
      for (const { whole } of left) expect(await whole).toMatch(END)

      // Everybody asks on at once, and is as free to as ever.
      const again = await Promise.all(keys.map((key, at) => opened(restarted, key, STREAMS + at)))
      for (const { whole } of again) expect(await whole).toMatch(END)
      const questions = simulator.journal.map(({ body }) => /question \d+\./.exec(JSON.stringify(body))?.[0])
      const asked = questions.filter(question => question !== undefined)
      expect(new Set(asked).size).toBe(asked.length)

      for (const server of [...servers.slice(killed), restarted]) {
        server.kill('SIGTERM')
        expect(await server.ended).toMatchObject({ code: 0, errors: '' })
      }
      await expectSettled(where, { lost, finished: [...left, ...again] })
    })
  })
})

/** As when their time has passed. */
async function expireLeases(where: DatabaseStorage, lost: readonly ToolStream[]): Promise<void> {
  const open = await openDatabase(where)
  const key_ids = lost.map(({ id }) => id)
  await open.database.updateTable('asks').set({ lease_until: 0 }).where('key_id', 'in', key_ids).execute()
  await open.close()
}

type Streams = { lost: readonly ToolStream[]; finished: readonly ToolStream[] }

async function expectSettled(where: DatabaseStorage, { lost, finished }: Streams): Promise<void> {
  const open = await openDatabase(where)
  const { asks, logs, lines, sums, months, counted, chunks, credits } = await countsIn(open.database)
  await open.close()
  const outcomes = Map.groupBy(asks, ({ outcome }) => outcome)
  expect([outcomes.get('finished')?.length, outcomes.get('interrupted')?.length]).toEqual([
    finished.length,
    lost.length,
  ])
  expect([asks.length, logs.length, chunks.length]).toEqual([2 * STREAMS, 2 * STREAMS, 0])

  // An ask whose answer had begun is charged once, whatever became of its process; any other costs nothing.
  const charged = asks.filter(({ first_token_time }) => first_token_time !== null)
  expect(charged.length).toBeGreaterThan(finished.length)
  expect(lines.map(({ ask_id }) => ask_id).toSorted()).toEqual(charged.map(({ ask_id }) => ask_id).toSorted())
  expect(charged.length).toBeLessThan(asks.length)
  for (const { ask_id, tokens } of lines) expect(tokens, ask_id ?? '').toBeGreaterThan(0)
  for (const { ask_id } of asks) {
    const changes = counted.filter(entry => entry.ask_id === ask_id).map(({ change }) => change)
    expect(changes.toSorted(), ask_id).toEqual(lines.some(line => line.ask_id === ask_id) ? [-1] : [-1, 1])
  }

  // The same in every sum of it.
  for (const column of ['asks', 'input_tokens', 'output_tokens', 'cost', 'credit_cost'] as const) {
    const inLines = sumOf(lines, column)
    expect([column, sumOf(sums, column), sumOf(months, column)]).toEqual([column, inLines, inLines])
  }
  expect(sumOf(logs, 'completion_tokens')).toBe(sumOf(lines, 'output_tokens'))
  expect(sumOf(lines, 'credit_cost')).toBeGreaterThan(0)
  for (const { id } of new Set(finished.map(({ owner }) => owner))) {
    const paid = sumOf(
      lines.filter(({ user_id }) => user_id === id),
      'credit_cost',
    )
    expect(credits.find(({ user_id }) => user_id === id)?.credits).toBeCloseTo(CREDITS - paid / MILLION, 6)
  }
}
