import type { Insertable } from 'kysely'
import { describe, expect, test } from 'vitest'
import { LOGGED_OUTCOMES } from '#contract/askLog.ts'
import { MAX_SERIES } from '#contract/statistics.ts'
import { askLogStore } from '#server/asks/logStore.ts'
import type { OpenDatabase, Tables } from '#server/foundation/database/open.ts'
import { aRun } from '#server/foundation/jobs/jobs.testing.ts'
import { testClock } from '#testing/clock.ts'
import { eachDatabase } from '#testing/database.ts'
import { randomFrom } from '#testing/random.ts'
import { storedUser } from '#testing/rows.ts'
import { requestStore } from './requestStore.ts'
import { openStatistics } from './statistics.ts'
import { askSums, oldStatistics } from './statisticsJobs.ts'

const NOW = Date.parse('2026-11-28T12:10:00Z')
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const iso = (time: number) => new Date(time).toISOString()

type Logged = Insertable<Tables['ask_logs']> & { log_time: number; queueing_time: number; ask_time: number }

const aLoggedAsk = (fields: Partial<Logged> = {}): Logged => ({
  log_time: NOW,
  source: 'openai_api',
  model: 'gpt_4',
  user_id: 1,
  conversation_id: null,
  queueing_time: 0,
  ask_time: 1,
  upstream_id: 1,
  outcome: 'finished',
  ...fields,
})

/** Asks of the last four days, of two people and three models, in every way in which an ask can end. */
function asksOfFourDays(people: readonly number[]): Logged[] {
  const random = randomFrom(40)
  return Array.from({ length: 400 }, () =>
    aLoggedAsk({
      log_time: NOW - random.below(4 * DAY),
      model: random.of(['gpt_4', 'gpt_3_5', 'other']),
      user_id: random.of(people),
      queueing_time: random.below(300),
      ask_time: random.below(60),
      outcome: random.of(LOGGED_OUTCOMES),
      answered: random.percent(70),
    }),
  )
}

async function stored(open: OpenDatabase) {
  const people = [
    await storedUser(open.database, { nickname: 'Lin' }),
    await storedUser(open.database, { nickname: 'Mei' }),
  ]
  const asks = asksOfFourDays(people)
  await open.database.insertInto('ask_logs').values(asks).execute()
  const clock = testClock(NOW)
  return {
    open,
    people,
    asks,
    clock,
    statistics: openStatistics({ open, clock }),
    sumUp: () => askSums({ open, clock }).run(aRun()),
    remove: (ask_stats_ttl: number) => {
      const stats = { ask_stats_ttl, request_stats_ttl: -1, request_stats_filter_keywords: [] }
      return oldStatistics({ open, clock, configuration: () => ({ stats }) }).run(aRun())
    },
  }
}

const total = (asks: readonly Logged[], of: (ask: Logged) => number = () => 1) =>
  asks.reduce((sum, ask) => sum + of(ask), 0)

eachDatabase((_name, open) => {
  describe('the plot of asks', () => {
    test('counts each ask once, whether its half hour is summed up or not, at any granularity', async () => {
      const { asks, statistics, sumUp, clock } = await stored(await open())
      const query = { from: iso(NOW - 3 * DAY), granularity: '3600' }
      const before = await statistics.askPlot(query)
      const [start, end] = [Date.parse(before.start), NOW]
      const inRange = asks.filter(({ log_time }) => log_time >= start && log_time < end)
      const asked = inRange.filter(({ outcome }) => outcome !== 'refused')
      expect(before).toMatchObject({ start: iso(NOW - 3 * DAY - 10 * MINUTE), granularity: 3600, count: 73 })
      for (const { model, ...series } of before.series) {
        const own = asked.filter(ask => ask.model === model)
        expect(series.total).toBe(own.length)
        for (let bucket = 0; bucket < before.count; bucket += 1) {
          const from = start + bucket * HOUR
          const inside = own.filter(({ log_time }) => log_time >= from && log_time < from + HOUR)
          expect(series.asks[bucket]).toBe(inside.length)
          expect(series.queueing_time[bucket]).toBe(total(inside, ask => ask.queueing_time))
          expect(series.ask_time[bucket]).toBe(total(inside, ask => ask.ask_time))
        }
      }
      const ended = (outcome: string) => inRange.filter(ask => ask.outcome === outcome)
      expect(before.figures).toEqual({
        asks: asked.length,
        failed: ended('failed').length,
        refused: ended('refused').length,
        left_queue: ended('left').length,
        mean_queueing_time: expect.closeTo(total(asked, ask => ask.queueing_time) / asked.length, 3),
        longest_queueing_time: Math.max(...asked.map(ask => ask.queueing_time)),
      })
      expect(before.outcomes.stopped?.reduce((sum, count) => sum + count, 0)).toBe(ended('stopped').length)

      await sumUp()
      expect(await statistics.askPlot(query)).toEqual(before)
      // Again after some hours, in which nothing was asked, and one end was stored late.
      clock.pass(2 * HOUR)
      await sumUp()
      expect((await statistics.askPlot({ ...query, to: iso(NOW) })).series).toEqual(before.series)
      clock.set(NOW)
      const fine = await statistics.askPlot({ from: iso(NOW - HOUR), granularity: '60' })
      expect(fine.count).toBe(60)
      expect(fine.figures.asks).toBe(asked.filter(({ log_time }) => log_time >= NOW - HOUR).length)
    })

    test('takes what is stored late into sums that are there already, and drops what is too old', async () => {
      const { open: storage, asks, statistics, sumUp, remove } = await stored(await open())
      const query = { from: iso(NOW - 5 * DAY), granularity: '86400' }
      await sumUp()
      const { figures } = await statistics.askPlot(query)
      await storage.database
        .insertInto('ask_logs')
        .values(aLoggedAsk({ log_time: NOW - HOUR }))
        .execute()
      await sumUp()
      expect((await statistics.askPlot(query)).figures.asks).toBe(figures.asks + 1)
      expect(await remove(-1)).toMatchObject({ asks: 0 })
      // A day is kept in any case.
      expect(await remove(0)).toMatchObject({ asks: asks.filter(({ log_time }) => log_time < NOW - DAY).length })
      const left = asks.filter(({ log_time, outcome }) => log_time >= NOW - DAY && outcome !== 'refused')
      expect((await statistics.askPlot(query)).figures.asks).toBe(left.length + 1)
    })

    test('has the models with most by themselves, and all others together', async () => {
      const storage = await open()
      const models = Array.from({ length: MAX_SERIES + 2 }, (_, at) => `model_${at}`)
      const asks = models.flatMap((model, at) =>
        Array.from({ length: models.length - at }, () => aLoggedAsk({ model, log_time: NOW - 1 })),
      )
      await storage.database.insertInto('ask_logs').values(asks).execute()
      const { series } = await openStatistics({ open: storage, clock: testClock(NOW) }).askPlot({})
      expect(series.map(({ model }) => model)).toEqual([...models.slice(0, MAX_SERIES), null])
      expect(series.at(-1)).toMatchObject({ source: null, total: 3 })
    })
  })

  describe('the plot of requests', () => {
    test('is of sums by minute, half hour or six hours, whichever are enough', async () => {
      const storage = await open()
      const minutes = [0, 1, 45, 400, 3000].map(ago => NOW - ago * MINUTE)
      const user_id = await storedUser(storage.database, { nickname: 'Lin' })
      await requestStore(storage.database).add(
        minutes.map(minute => ({
          ...{ minute, method: 'GET', route_path: '/conv', requests: 3, elapsed_ms: 30 },
          people: new Map([
            [user_id, 2],
            [0, 1],
          ]),
        })),
      )
      const statistics = openStatistics({ open: storage, clock: testClock(NOW + MINUTE) })
      const counted = async (granularity: string, from: number) => {
        const plot = await statistics.requestPlot({ from: iso(from), granularity })
        const [series] = plot.series
        return [
          plot.count,
          series?.total,
          series?.requests.filter(count => count > 0),
          series?.elapsed_ms.filter(count => count > 0),
        ]
      }
      expect(await counted('60', NOW - HOUR)).toEqual([61, 9, [3, 3, 3], [30, 30, 30]])
      expect(await counted('1800', NOW - HOUR)).toEqual([3, 9, [3, 6], [30, 60]])
      expect(await counted('86400', NOW - 3 * DAY)).toEqual([4, 15, [3, 12], [30, 120]])
      await expect(statistics.requestPlot({ from: iso(NOW - 3 * DAY), granularity: '60' })).rejects.toThrow(
        'invalidParams',
      )

      const bucket = { of: 'requests', from: iso(NOW - 10 * MINUTE), to: iso(NOW + 20 * MINUTE) } as const
      expect(await statistics.people({ ...bucket, route_path: '/conv' })).toEqual({
        people: [
          { user_id, nickname: 'Lin', count: 4 },
          { user_id: null, nickname: null, count: 2 },
        ],
        total: 2,
      })
      expect(await statistics.people({ ...bucket, method: 'POST' })).toEqual({ people: [], total: 0 })
    })
  })

  describe('the people of a bucket', () => {
    test('are those who asked most, with their names, of one series or of all', async () => {
      const { asks, people, statistics } = await stored(await open())
      const counts = (model?: string) =>
        people
          .map((user_id, at) => ({
            user_id,
            nickname: ['Lin', 'Mei'][at],
            count: asks.filter(
              ask =>
                ask.user_id === user_id &&
                ask.outcome !== 'refused' &&
                ask.log_time >= NOW - DAY &&
                (model === undefined || ask.model === model),
            ).length,
          }))
          .toSorted((one, other) => other.count - one.count || one.user_id - other.user_id)
      const bucket = { of: 'asks', from: iso(NOW - DAY), to: iso(NOW) } as const
      expect(await statistics.people(bucket)).toEqual({ people: counts(), total: 2 })
      expect(await statistics.people({ ...bucket, source: 'openai_api', model: 'gpt_4' })).toEqual({
        people: counts('gpt_4'),
        total: 2,
      })
    })
  })

  describe('an old client', () => {
    test('reads all that is kept by half hours, and the last two days by finer spans', async () => {
      const { asks, people, statistics, open: storage } = await stored(await open())
      const answered = asks.filter(ask => ask.answered)
      const rows = await statistics.asks({})
      expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(answered.length)
      expect(rows.map(({ _id }) => _id.start_time)).toEqual(rows.map(({ _id }) => _id.start_time).toSorted())
      const [first] = rows
      const start = Date.parse(first?._id.start_time ?? '')
      const inFirst = answered.filter(
        ({ log_time, model }) => log_time >= start && log_time < start + HOUR / 2 && model === first?._id.meta.model,
      )
      expect(first).toMatchObject({
        count: inFirst.length,
        total_queueing_time: total(inFirst, ask => ask.queueing_time),
        total_ask_time: total(inFirst, ask => ask.ask_time),
      })
      expect(first?.user_ids.toSorted()).toEqual([...new Set(inFirst.map(({ user_id }) => user_id))].toSorted())
      const fine = await statistics.asks({ granularity: '60' })
      expect(fine.reduce((sum, { count }) => sum + count, 0)).toBe(
        answered.filter(({ log_time }) => log_time >= NOW - 2 * DAY).length,
      )
      await expect(statistics.asks({ granularity: '100' })).rejects.toThrow('invalidParams')

      await requestStore(storage.database).add([
        {
          minute: NOW,
          method: 'GET',
          route_path: '/conv',
          requests: 4,
          elapsed_ms: 10,
          people: new Map([
            [people[0] ?? 0, 3],
            [0, 1],
          ]),
        },
      ])
      expect(await statistics.requests({ granularity: '3600' })).toEqual([
        {
          _id: { start_time: '2026-11-28T12:00:00.000Z', route_path: '/conv', method: 'GET' },
          count: 4,
          user_ids: expect.arrayContaining([people[0], null]),
          avg_elapsed_ms: 2.5,
        },
      ])
      expect(await askLogStore(storage.database).countGpt4Since(0)).toBe(0)
    })
  })
})
