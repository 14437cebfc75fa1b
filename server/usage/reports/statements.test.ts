import { openAccountGrants } from '#server/shares/gifts/grants.ts'
import { NO_POOLS } from '#testing/pools.ts'
import { describe, expect, test } from 'vitest'
import { Configuration } from '#contract/configuration/configuration.ts'
import { testClock } from '#testing/clock.ts'
import { eachDatabase } from '#testing/database.ts'
import { randomFrom } from '#testing/random.ts'
import { storedUser } from '#testing/rows.ts'
import { usageLedgerStore, type UsageLine } from '../usageLedger.ts'
import { monthSpan } from './months.ts'
import { openUsageReports } from './reports.ts'

const NOW = Date.parse('2028-12-31T23:59:00Z')
const DAY = 86_400_000
const iso = (time: number) => new Date(time).toISOString()

const aLine = (fields: Partial<UsageLine>): UsageLine => ({
  ...{ time: NOW, asked_time: NOW, user_id: 1, source: 'openai_api', upstream_id: 1, model: 'gpt_4', ask_id: null },
  ...{ reason: 'settled', asks: 1, tokens: 3, cost: 1, credit_cost: 0, input_tokens: 2, cached_tokens: 1 },
  ...{ output_tokens: 1, estimated: false },
  ...fields,
})

/** Months of 28 to 31 days, and one in which the clocks are changed. */
const MONTHS = [
  ['2026-02', 28],
  ['2028-02', 29],
  ['2026-04', 30],
  ['2026-12', 31],
  ['2026-10', 31],
] as const
const ZONES = ['UTC', 'Asia/Kolkata', 'Asia/Kathmandu', 'America/St_Johns', 'Europe/Berlin', 'Pacific/Chatham']

eachDatabase((_name, openDatabase) => {
  async function start() {
    const open = await openDatabase()
    const lin = await storedUser(open.database, { nickname: 'Lin' })
    const reportsIn = (time_zone: string) => {
      const configuration = Configuration.parse({ portal: { time_zone } })
      const dependencies = { open, clock: testClock(NOW), configuration: () => configuration }
      return openUsageReports({
        ...dependencies,
        grants: openAccountGrants({ ...dependencies, pools: NO_POOLS }),
        allowance: () => Promise.resolve({ now: '', time_zone, sources: [] }),
      })
    }
    const store = usageLedgerStore(open.database)
    return {
      ...{ open, lin, store },
      settle: (fields: Partial<UsageLine>) => store.settle(aLine({ user_id: lin, ...fields }), 1_000),
      statement: (month: string, zone: string) => reportsIn(zone).everybody.statement({ user_id: String(lin), month }),
      own: (month: string, zone: string) => reportsIn(zone).own.read(lin, { month }),
      everybody: (month: string, zone: string) => reportsIn(zone).everybody.table({ month }),
    }
  }

  describe('the statement of a month', () => {
    test('has the first and the last moment of it and of each day, and none of those beside it', async () => {
      for (const zone of ZONES) {
        const { settle, statement, own } = await start()
        for (const [month, days] of MONTHS) {
          const { from, to } = monthSpan(month, zone)
          await Promise.all([from - 1, from, to - 1, to].map(asked_time => settle({ asked_time })))
          for (let noon = from + DAY / 2; noon < to; noon += DAY) await settle({ asked_time: noon, cost: 7 })
          const read = await statement(month, zone)
          const said = `${month} ${zone}`
          expect(
            read.days.map(({ day }) => day),
            said,
          ).toEqual(Array.from({ length: days }, (_, at) => `${month}-${String(at + 1).padStart(2, '0')}`))
          expect(read.sum, said).toMatchObject({ asks: days + 2, tokens: 3 * (days + 2) })
          expect(Math.round(read.sum.money * 1_000_000), said).toBe(7 * days + 2)
          expect(read.ledger, said).toMatchObject({ lines: days + 2, asks: days + 2, money: read.sum.money })
          expect((await own(month, zone)).sum, said).toEqual(read.sum)
        }
      }
    })

    test.each([11, 12, 13])(
      'is by account, model and day what the ledger says, whatever was asked (%d)',
      async seed => {
        const { settle, statement, own, everybody, store, lin } = await start()
        const random = randomFrom(seed)
        const [{ month, zone }] = [{ month: random.of(MONTHS)[0], zone: random.of(ZONES) }]
        const { from, to } = monthSpan(month, zone)
        for (let ask = 0; ask < 120; ask++) {
          const [input_tokens, output_tokens] = [random.below(1_000_000), random.below(9_000)]
          await settle({
            asked_time: from - DAY + random.below(to - from + 2 * DAY),
            ...{ model: random.of(['gpt_4', 'o1']), upstream_id: random.of([1, 2]), input_tokens, output_tokens },
            ...{ tokens: input_tokens + output_tokens, cached_tokens: 0, cost: random.below(10_000_000) },
          })
        }
        await store.note(aLine({ user_id: lin, asked_time: from, reason: 'granted', cost: 999_999, asks: 99 }))
        const lines = (await store.listOf(lin)).filter(
          ({ asked_time, reason }) => asked_time >= from && asked_time < to && reason === 'settled',
        )
        const read = await statement(month, zone)
        const total = (of: (line: (typeof lines)[number]) => number) => lines.reduce((sum, line) => sum + of(line), 0)
        const millionths = (rows: readonly { money: number }[]) =>
          Math.round(rows.reduce((sum, { money }) => sum + money, 0) * 1_000_000)
        const cost = total(line => line.cost)
        expect(lines.length).toBeGreaterThan(50)
        expect(read.ledger).toMatchObject({ lines: lines.length, tokens: total(line => line.tokens) })
        for (const rows of [[read.sum], [read.ledger], read.rows, read.days, (await own(month, zone)).rows])
          expect(millionths(rows)).toBe(cost)
        expect((await everybody(month, zone)).sum).toEqual(read.sum)
        for (const row of read.rows) {
          const of = lines.filter(line => line.model === row.model && line.upstream_id === row.upstream_id)
          expect(row.asks).toBe(of.length)
          expect(row.input_tokens).toBe(of.reduce((sum, line) => sum + line.input_tokens, 0))
        }
      },
    )

    test('of a month without any use, or that is to come, is empty', async () => {
      const { settle, statement } = await start()
      await settle({ asked_time: Date.parse('2026-05-15T00:00:00Z') })
      for (const month of ['2026-04', '2026-06', '2040-01'])
        expect(await statement(month, 'Asia/Kolkata')).toMatchObject({
          ...{
            month,
            rows: [],
            days: [],
            sum: { asks: 0, money: 0, estimated: false },
            ledger: { lines: 0, tokens: 0 },
          },
        })
    })
  })

  describe('what everybody used in a month', () => {
    test('is shown beside what was used until the same moment of the month before', async () => {
      const { settle, everybody } = await start()
      const november = monthSpan('2028-11', 'Asia/Kolkata')
      await settle({ asked_time: november.from, cost: 5 })
      await settle({ asked_time: november.from - 1, cost: 70 })
      await settle({ asked_time: Date.parse('2028-12-10T00:00:00Z'), cost: 900 })
      const table = await everybody('2028-12', 'Asia/Kolkata')
      expect(table).toMatchObject({ sum: { asks: 1, money: 0.0009 }, before: { asks: 1, money: 0.000_005 } })
      expect(iso(Date.parse(table.from))).toBe('2028-11-30T18:30:00.000Z')
    })
  })
})
