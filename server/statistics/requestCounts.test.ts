import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Configuration } from '#contract/configuration/configuration.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { openAgain, aRun } from '#server/foundation/jobs/jobs.testing.ts'
import { testClock } from '#testing/clock.ts'
import { aDatabase, eachDatabase } from '#testing/database.ts'
import { storedUser } from '#testing/rows.ts'
import { openRequestCounts } from './requestCounts.ts'
import { oldStatistics } from './statisticsJobs.ts'

const NOON = Date.parse('2026-11-28T12:00:00Z')
const MINUTE = 60_000
const HALF_HOUR = 30 * MINUTE

const STATS: Configuration['stats'] = {
  ask_stats_ttl: -1,
  request_stats_ttl: -1,
  request_stats_filter_keywords: ['/status'],
}

type Options = { stats?: Partial<Configuration['stats']>; most_kept?: number }

function counting(open: OpenDatabase, clock = testClock(NOON), { stats, ...options }: Options = {}) {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: line => void lines.push(line) })
  const configuration = { stats: { ...STATS, ...stats } }
  const counts = openRequestCounts({ open, clock, log, configuration: () => configuration, ...options })
  onTestFinished(() => counts.close())
  return { ...counts, clock, lines, configuration }
}

/** Accounts with these ids. */
async function withPeople<Open extends OpenDatabase>(open: Open, ...ids: number[]): Promise<Open> {
  for (const id of ids) await storedUser(open.database, { id })
  return open
}

const sums = ({ database }: OpenDatabase, span_ms: number) =>
  database
    .selectFrom('request_sums')
    .select(['start_time', 'method', 'route_path', 'requests', 'elapsed_ms'])
    .where('span_ms', '=', span_ms)
    .orderBy('start_time')
    .orderBy('route_path')
    .execute()

const people = ({ database }: OpenDatabase, span_ms: number) =>
  database
    .selectFrom('request_people')
    .select(['start_time', 'user_id', 'requests'])
    .where('span_ms', '=', span_ms)
    .orderBy('start_time')
    .orderBy('user_id')
    .execute()

eachDatabase((_name, open) => {
  describe('requests', () => {
    test('are summed up by minute, half hour and six hours, of each person; a clock that steps back does no harm', async () => {
      const storage = await withPeople(await open(), 7, 8)
      const { route, flush, clock } = counting(storage)
      const count = route('GET', '/conv/:id')
      count(7, 10)
      count(7, 20)
      count(null, 30)
      await flush()
      clock.pass(-2 * MINUTE)
      count(8, 40)
      clock.pass(3 * MINUTE)
      count(7, 50)
      await flush()
      const at = { method: 'GET', route_path: '/conv/:id' }
      expect(await sums(storage, MINUTE)).toEqual([
        { ...at, start_time: NOON - 2 * MINUTE, requests: 1, elapsed_ms: 40 },
        { ...at, start_time: NOON, requests: 3, elapsed_ms: 60 },
        { ...at, start_time: NOON + MINUTE, requests: 1, elapsed_ms: 50 },
      ])
      expect(await sums(storage, HALF_HOUR)).toEqual([
        { ...at, start_time: NOON - HALF_HOUR, requests: 1, elapsed_ms: 40 },
        { ...at, start_time: NOON, requests: 4, elapsed_ms: 110 },
      ])
      expect(await sums(storage, 12 * HALF_HOUR)).toMatchObject([{ requests: 1 }, { requests: 4 }])
      expect(await people(storage, HALF_HOUR)).toEqual([
        { start_time: NOON - HALF_HOUR, user_id: 8, requests: 1 },
        { start_time: NOON, user_id: 0, requests: 1 },
        { start_time: NOON, user_id: 7, requests: 3 },
      ])
      expect(await people(storage, 12 * HALF_HOUR)).toEqual([])
    })

    test('are not counted whose path has a filtered word, from the moment when it is one', async () => {
      const storage = await open()
      const { route, flush, configuration } = counting(storage)
      const [status, conversations] = [route('GET', '/status/common'), route('GET', '/conv')]
      status(1, 1)
      conversations(1, 1)
      configuration.stats = { ...STATS, request_stats_filter_keywords: ['conv', ''] }
      status(1, 1)
      conversations(1, 1)
      await flush()
      expect(await sums(storage, MINUTE)).toMatchObject([
        { route_path: '/conv', requests: 1 },
        { route_path: '/status/common', requests: 1 },
      ])
    })

    test('are forgotten when their time is over: those of a minute after two days, the others as the setting says', async () => {
      const storage = await withPeople(await open(), 1)
      const { route, flush, clock, configuration } = counting(storage)
      route('GET', '/conv')(1, 1)
      await flush()
      const removing = async () => {
        const job = oldStatistics({ open: storage, clock, configuration: () => configuration })
        await job.run(aRun())
        return [(await sums(storage, MINUTE)).length, (await people(storage, HALF_HOUR)).length]
      }
      clock.pass(48 * 2 * HALF_HOUR)
      expect(await removing()).toEqual([1, 1])
      clock.pass(2 * MINUTE)
      expect(await removing()).toEqual([0, 1])
      clock.pass(1_000 * 48 * HALF_HOUR)
      expect(await removing()).toEqual([0, 1])
      configuration.stats = { ...STATS, request_stats_ttl: 86_400 }
      expect(await removing()).toEqual([0, 0])
      expect(await sums(storage, 12 * HALF_HOUR)).toEqual([])
    })

    test('of a person who is gone are in the sums of all alone', async () => {
      const storage = await withPeople(await open(), 7)
      const { route, flush } = counting(storage)
      for (const user of [7, 8, null]) route('GET', '/conv')(user, 1)
      await flush()
      expect(await sums(storage, MINUTE)).toMatchObject([{ requests: 3 }])
      expect(await people(storage, MINUTE)).toMatchObject([{ user_id: 0 }, { user_id: 7 }])
    })

    test('of several processes add up, however they are written at the same moment', async () => {
      const first = await withPeople(await open(), ...Array.from({ length: 20 }, (_, at) => at + 1))
      const processes = [first, await openAgain(first), await openAgain(first)].map(each => counting(each))
      for (let turn = 0; turn < 5; turn += 1) {
        for (const { route } of processes)
          for (const path of ['/b', '/a', '/c']) for (let user = 1; user <= 20; user += 1) route('GET', path)(user, 2)
        await Promise.all(processes.map(({ flush }) => flush()))
      }
      const expected = { requests: 3 * 5 * 20, elapsed_ms: 3 * 5 * 20 * 2 }
      expect(await sums(first, HALF_HOUR)).toMatchObject([expected, expected, expected])
      const ofOne = await people(first, HALF_HOUR)
      expect([ofOne.length, ...new Set(ofOne.map(({ requests }) => requests))]).toEqual([60, 15])
      expect(processes.flatMap(({ lines }) => lines)).toEqual([])
    })
  })
})

describe('the counts in memory', () => {
  test('are written later when the database does not take them', async () => {
    const open = await withPeople(await aDatabase(), 1)
    let isAway = true
    const away: OpenDatabase = {
      ...open,
      transaction: (work, options) => (isAway ? Promise.reject(new Error('away')) : open.transaction(work, options)),
    }
    const { route, flush, lines } = counting(away)
    const count = route('GET', '/conv')
    count(1, 10)
    await flush()
    count(1, 10)
    expect([lines.length, (await sums(open, MINUTE)).length]).toEqual([1, 0])
    isAway = false
    await flush()
    expect(await sums(open, MINUTE)).toMatchObject([{ requests: 2, elapsed_ms: 20 }])
    expect(await people(open, MINUTE)).toMatchObject([{ user_id: 1, requests: 2 }])
  })
  test('have a bound: what is beyond it is said once, and never who', async () => {
    const open = await withPeople(await aDatabase(), ...Array.from({ length: 9 }, (_, at) => at + 1))
    const { route, flush, lines } = counting(open, testClock(NOON), { most_kept: 3 })
    for (let user = 1; user <= 9; user += 1) route('GET', '/conv')(user, 1)
    route('GET', '/user')(1, 1)
    await flush()
    expect(await sums(open, MINUTE)).toMatchObject([{ route_path: '/conv', requests: 9 }])
    expect((await people(open, MINUTE)).length).toBe(2)
    expect(lines).toEqual([expect.stringContaining('"dropped":1')])
  })
})
