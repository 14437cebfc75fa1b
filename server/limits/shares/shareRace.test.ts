import { describe, expect, onTestFinished, test } from 'vitest'
import { type OpenDatabase, openDatabase } from '#server/foundation/database/open.ts'
import { firstUpstream } from '#testing/asks.ts'
import { aSimulator, emptyFolder } from '#testing/dataFolder.ts'
import { aPostgresqlAddress } from '#testing/database.ts'
import { type Person, question, signIn } from '#testing/person.ts'
import { startServer } from '#testing/server.ts'
import { aSharedAccount, asks, changeSharing, linesOf, sharesOf } from '#testing/sharedAccount.ts'
import { until } from '#testing/until.ts'

const PASSWORD = 'correct-horse-7'
const PEOPLE = 3
/** Of each person, all of them at once. */
const ASKS = 20

/** Nothing but the account binds. */
const OPEN = {
  COMMONS_HTTP_MAX_SOCKETS_PER_USER: '400',
  COMMONS_ASKING_MAX_RUNNING_ASKS_PER_USER: '100',
  COMMONS_ASKING_MAX_QUEUE_LENGTH: '1000',
  COMMONS_HTTP_REQUESTS_PER_MINUTE: '100000',
}

/** Everybody asks as often as said, all at once; gives how often each was answered, and all other ends. */
async function askAtOnce(askers: readonly (readonly Person[])[], each: number) {
  const [answered, refused] = [new Map<number, number>(), new Set<unknown>()]
  await Promise.all(
    askers.flatMap(processes =>
      Array.from({ length: each }, async (_, at) => {
        const person = processes[at % processes.length]
        const chat = await person?.chat(question(`/simulate tokens=3 number ${at}`, { new_title: 'race' }))
        const last = await chat?.until(frame => frame.type === 'finished' || frame.type === 'error')
        if (last?.['outcome'] !== 'finished') return refused.add(last?.['tip'])
        return answered.set(person?.id ?? 0, (answered.get(person?.id ?? 0) ?? 0) + 1)
      }),
    ),
  )
  return { answered, refused }
}

const counted = <T>(rows: readonly T[], key: (row: T) => unknown) =>
  new Map([...Map.groupBy(rows, key)].map(([value, found]) => [value, found.length]))

const total = (counts: ReadonlyMap<unknown, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0)

/**
 * Three people know of each other by an ask of each. Then all of them ask at once: first where each has their share and
 * no more, then where nothing is kept.
 */
async function race(
  { database }: Pick<OpenDatabase, 'database'>,
  upstream_id: number,
  askers: readonly (readonly Person[])[],
  setSharing: (amount: number, keep: 'share' | 'nothing') => Promise<void>,
): Promise<void> {
  for (const [person] of askers) await person?.ask('hello', { new_title: 'race' })
  await setSharing(4 * PEOPLE, 'share')
  const first = await askAtOnce(askers, ASKS)
  expect(first.answered).toEqual(new Map(askers.map(([person]) => [person?.id, 3])))
  expect([...first.refused].filter(tip => tip !== 'errors.shareUsed' && tip !== 'errors.poolEmpty')).toEqual([])
  const lines = await linesOf(database, upstream_id)
  expect(counted(lines, line => line.user_id)).toEqual(new Map(askers.map(([person]) => [person?.id, 4])))
  expect(lines.filter(line => line.borrowed_key !== null)).toEqual([])

  await setSharing(10 * PEOPLE, 'nothing')
  const second = await askAtOnce(askers.slice(0, 2), ASKS)
  expect(total(second.answered)).toBe(6 * PEOPLE)
  const all = await linesOf(database, upstream_id)
  expect(all).toHaveLength(10 * PEOPLE)
  for (const [user_id, used] of counted(all, line => line.user_id)) {
    const borrowed = all.filter(line => line.user_id === user_id && line.borrowed_key !== null)
    expect(borrowed.length).toBe(Math.max(0, used - 10))
    for (const line of borrowed) expect(line).toMatchObject({ borrowed: 1_000, charged: 1_000 })
  }
}

describe(`${PEOPLE * ASKS} asks at once of ${PEOPLE} people at what an account has left`, () => {
  test('give each their share, and never more than it has, on SQLite', async () => {
    const account = await aSharedAccount([asks(100)], {}, { environment: OPEN })
    const { app, upstream_id } = account
    const askers: Person[][] = []
    while (askers.length < PEOPLE) askers.push([await account.person()])
    await race(app.services.open, upstream_id, askers, (amount, keep) =>
      changeSharing(app, upstream_id, { windows: [asks(amount)], keep }).then(() =>
        until(() => expect(app.services.upstreams.poolOf(upstream_id)?.settings).toMatchObject({ keep })),
      ),
    )
    const { used, nobody, members, lent_by_nobody } = await sharesOf(account)
    const sum = (of: 'used' | 'borrowed' | 'lent') => members.reduce((all, each) => all + each[of], 0)
    expect(used).toBe(1_000 * (await linesOf(app.services.open.database, upstream_id)).length)
    expect(sum('used') + nobody).toBe(used)
    expect(sum('lent') + lent_by_nobody).toBe(sum('borrowed'))
  }, 120_000)

  test.each([2, 3])(
    'the same from %d processes on PostgreSQL',
    async processes => {
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
      const servers = []
      while (servers.length < processes) servers.push(await startServer(env))
      const open = await openDatabase({ database_url })
      onTestFinished(() => open.close())
      const admins = await Promise.all(servers.map(({ url }) => signIn(url, 'admin', PASSWORD)))
      const upstream_id = await firstUpstream(open.database)
      const setSharing = async (amount: number, keep: string) => {
        const sharing = { windows: [asks(amount)], sharing: 'shares', keep }
        await admins[0]?.result('PATCH', `/system/upstreams/${upstream_id}`, sharing)
        for (const admin of admins)
          await expect
            .poll(() => admin.result('GET', '/system/upstreams'))
            .toContainEqual(expect.objectContaining({ id: upstream_id, ...sharing }))
      }
      await setSharing(100, 'usual')
      const askers: Person[][] = []
      for (let person = 1; person <= PEOPLE; person++) {
        const account = { username: `p${person}`, nickname: 'p', email: `p${person}@example.org`, password: PASSWORD }
        await admins[0]?.call('POST', '/auth/register', account)
        askers.push(await Promise.all(servers.map(({ url }) => signIn(url, account.username, PASSWORD))))
      }
      await race(open, upstream_id, askers, setSharing)
    },
    240_000,
  )
})
