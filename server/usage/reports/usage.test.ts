import { openAccountGrants } from '#server/shares/gifts/grants.ts'
import { NO_POOLS } from '#testing/pools.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { Configuration } from '#contract/configuration/configuration.ts'
import type { UsageTable, Used } from '#contract/usage.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { testClock } from '#testing/clock.ts'
import { eachDatabase } from '#testing/database.ts'
import { type Random, randomFrom } from '#testing/random.ts'
import { storedUser } from '#testing/rows.ts'
import { usageLedgerStore, type UsageLine } from '../usageLedger.ts'
import { monthSpan } from './months.ts'
import { openUsageReports } from './reports.ts'

const NOW = Date.parse('2027-02-10T09:17:31Z')
const YEAR = 365 * 86_400_000

const aLine = (fields: Partial<UsageLine> = {}): UsageLine => ({
  time: fields.asked_time ?? NOW,
  asked_time: NOW - 1000,
  user_id: 1,
  source: 'openai_api',
  upstream_id: 1,
  model: 'gpt_4',
  ask_id: null,
  reason: 'settled',
  asks: 1,
  tokens: 0,
  cost: 0,
  credit_cost: 0,
  input_tokens: 0,
  cached_tokens: 0,
  output_tokens: 0,
  estimated: false,
  ...fields,
})

function reportsOf(open: OpenDatabase, time_zone = 'UTC') {
  const configuration = Configuration.parse({ portal: { time_zone } })
  const dependencies = { open, clock: testClock(NOW), configuration: () => configuration }
  return openUsageReports({
    ...dependencies,
    grants: openAccountGrants({ ...dependencies, pools: NO_POOLS }),
    allowance: () => Promise.resolve({ now: '', time_zone, sources: [] }),
  })
}

async function settleAtRandom({ database }: OpenDatabase, random: Random, user_ids: readonly number[], count: number) {
  const store = usageLedgerStore(database)
  for (let ask = 0; ask < count; ask += 1) {
    const [input_tokens, output_tokens] = [random.below(9_000), random.below(900)]
    await store.settle(
      aLine({
        user_id: random.of(user_ids),
        asked_time: NOW - random.below(YEAR),
        source: random.of(['openai_api', 'openai_web']),
        upstream_id: random.of([1, 2]),
        model: random.of(['gpt_4', 'gpt_3_5', 'o1']),
        input_tokens,
        output_tokens,
        tokens: input_tokens + output_tokens,
        cached_tokens: random.below(input_tokens + 1),
        cost: random.below(90_000),
        estimated: random.percent(20),
        charged: random.percent(20) ? 500 : 1000,
      }),
      random.below(60_000),
    )
  }
  // What an administrator gave is in the ledger, and no use.
  await store.note(aLine({ user_id: user_ids[0] ?? 0, reason: 'granted', asks: 100 }))
}

const counted = ({
  asks,
  input_tokens,
  cached_tokens,
  output_tokens,
  tokens,
  money,
}: Omit<Used, 'seconds' | 'estimated'>) => ({
  asks,
  input_tokens,
  cached_tokens,
  output_tokens,
  tokens,
  money,
})
const ZONES = ['UTC', 'Asia/Shanghai', 'Asia/Kolkata', 'Asia/Kathmandu', 'America/St_Johns', 'Europe/Berlin']
const iso = (time: number) => new Date(time).toISOString()

eachDatabase((_name, openDatabase) => {
  describe('what was used', () => {
    test('is in every span and zone the sum of the ledger, to the last unit, for a person and for everybody', async () => {
      const random = randomFrom(41)
      const open = await openDatabase()
      const user_ids = [await storedUser(open.database), await storedUser(open.database)]
      await settleAtRandom(open, random, user_ids, 300)
      for (const zone of ZONES) {
        const reports = reportsOf(open, zone)
        for (const user_id of user_ids) {
          const statement = await reports.everybody.statement({
            user_id: String(user_id),
            month: iso(NOW - random.below(YEAR)).slice(0, 7),
          })
          const { lines: _, ...ledger } = statement.ledger
          expect(counted(statement.sum)).toEqual(ledger)
          expect(sumOf(statement.days)).toEqual(ledger)
        }
        const [from = 0, to = 0] = [random.below(YEAR), random.below(YEAR)]
          .toSorted((a, b) => b - a)
          .map(ago => NOW - ago)
        const span = { from: iso(from), to: iso(to) }
        const table = await reports.everybody.table({ ...span, size: '200' })
        const ledger = await open.database
          .selectFrom('usage_ledger')
          .select(({ fn }) => [sql<number>`sum(asks * charged / 1000.0)`.as('asks'), fn.sum<number>('cost').as('cost')])
          .where('reason', '=', 'settled')
          .where('asked_time', '>=', from)
          .where('asked_time', '<', to)
          .executeTakeFirstOrThrow()
        expect([table.sum.asks, Math.round(table.sum.money * 1_000_000)]).toEqual([
          Number(ledger.asks ?? 0),
          ledger.cost ?? 0,
        ])
        expect(sumOf(table.rows)).toEqual(counted(table.sum))
        for (const user_id of user_ids) {
          const own = await reports.own.read(user_id, span)
          expect(counted(own.sum)).toEqual(sumOf(table.rows.filter(row => row.user_id === user_id)))
          expect(sumOf(own.rows)).toEqual(counted(own.sum))
        }
      }
    })

    test('is sorted by person, and filtered by person, source and model', async () => {
      const open = await openDatabase()
      const [lin, mei] = [
        await storedUser(open.database, { nickname: '林' }),
        await storedUser(open.database, { nickname: '梅' }),
      ]
      const store = usageLedgerStore(open.database)
      const settle = (fields: Partial<UsageLine>) => store.settle(aLine(fields), 1_500)
      await settle({ user_id: lin, cost: 20_000 })
      await settle({ user_id: lin, model: 'gpt_3_5' })
      await settle({ user_id: mei, cost: 30_000, source: 'openai_web' })
      const { everybody } = reportsOf(open)
      const names = ({ rows }: UsageTable) => rows.map(({ nickname, model }) => `${nickname} ${model}`)
      const table = await everybody.table({})
      expect(names(table)).toEqual(['林 gpt_3_5', '林 gpt_4', '梅 gpt_4'])
      expect(table).toMatchObject({ total: 2, people: 2, sum: { asks: 3, money: 0.05, seconds: 4.5 }, before: null })
      expect(table.models.map(({ source, model }) => `${source} ${model}`)).toEqual([
        'openai_web gpt_4',
        'openai_api gpt_3_5',
        'openai_api gpt_4',
      ])
      expect(names(await everybody.table({ sort: 'money' }))).toEqual(['梅 gpt_4', '林 gpt_3_5', '林 gpt_4'])
      expect(names(await everybody.table({ source: 'openai_web' }))).toEqual(['梅 gpt_4'])
      expect(names(await everybody.table({ model: 'gpt_3_5' }))).toEqual(['林 gpt_3_5'])
      expect(names(await everybody.table({ person: String(mei) }))).toEqual(['梅 gpt_4'])
      expect(names(await everybody.table({ size: '20', page: '2' }))).toEqual([])
      expect(names(await everybody.table({ plan: '1' }))).toHaveLength(3)
      expect(names(await everybody.table({ plan: '99' }))).toEqual([])
    })

    test('of somebody who is gone stays, without a name', async () => {
      const open = await openDatabase()
      const lin = await storedUser(open.database)
      await usageLedgerStore(open.database).settle(aLine({ user_id: lin }), 0)
      await usageLedgerStore(open.database).forget(lin)
      const table = await reportsOf(open).everybody.table({})
      expect(table).toMatchObject({ rows: [{ user_id: null, nickname: null, asks: 1 }], total: 1 })
      // whole months are read from other sums
      const { from } = monthSpan('2027-02', 'UTC')
      expect((await reportsOf(open).everybody.table({ from: iso(from), to: iso(NOW + YEAR) })).rows).toMatchObject([
        { user_id: null, asks: 1 },
      ])
    })
  })
})

const sumOf = (rows: readonly Omit<Used, 'seconds' | 'estimated'>[]) => {
  const all = (of: (row: (typeof rows)[number]) => number) => rows.reduce((sum, row) => sum + of(row), 0)
  return {
    asks: all(row => row.asks),
    input_tokens: all(row => row.input_tokens),
    cached_tokens: all(row => row.cached_tokens),
    output_tokens: all(row => row.output_tokens),
    tokens: all(row => row.tokens),
    money: Math.round(all(row => row.money) * 1_000_000) / 1_000_000,
  }
}
