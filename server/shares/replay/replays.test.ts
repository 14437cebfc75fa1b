import { describe, expect, test } from 'vitest'
import type { LendingReport, Replay } from '#contract/lending.ts'
import { DEFAULT_PLAN } from '#contract/plans.ts'
import { firstUpstream } from '#testing/asks.ts'
import { testClock } from '#testing/clock.ts'
import { eachStorage } from '#testing/database.ts'
import { startPortal } from '#testing/portal.ts'
import { changeUpstream } from '#testing/upstreams.ts'
import { until } from '#testing/until.ts'

const DAY = 86_400_000
const NOW = 1_800_000_000_000
const WINDOW = { unit: 'asks', window: { kind: 'rolling', seconds: 18_000 }, models: null } as const

eachStorage((_, newStorage) => {
  /** A portal whose account has four asks in five hours, and what was asked of it. */
  async function opened({ windows = [{ ...WINDOW, amount: 4 }] as unknown[] } = {}) {
    const portal = await startPortal({ storage: await newStorage(), clock: testClock(NOW) })
    const { services } = portal.app
    const { database } = services.open
    const upstream_id = await firstUpstream(database)
    await changeUpstream(portal.app, upstream_id, { windows, sharing: 'shares' } as never) // as the contract has it
    if (windows.length > 0) await until(() => expect(services.upstreams.poolOf(upstream_id)).not.toBe(null))
    const [lin, kim] = [await portal.person('lin'), await portal.person('kim')]
    const asked = (user_id: number, days_ago: number, more: { borrowed?: number; lender_id?: number } = {}) =>
      database
        .insertInto('usage_ledger')
        .values({
          ...{
            time: NOW - days_ago * DAY,
            asked_time: NOW - days_ago * DAY,
            user_id,
            source: 'openai_api',
            upstream_id,
          },
          ...{ model: 'gpt_4', reason: 'settled', asks: 1, tokens: 10, cost: 0, credit_cost: 0 },
          ...{ input_tokens: 5, cached_tokens: 0, output_tokens: 5, estimated: false, ...more },
        })
        .execute()
    const refused = (user_id: number, days_ago: number, failure_key = 'shareUsed') =>
      database
        .insertInto('ask_logs')
        .values({
          ...{ log_time: NOW - days_ago * DAY, source: 'openai_api', model: 'gpt_4', user_id, conversation_id: null },
          ...{ queueing_time: 0, ask_time: 0, upstream_id: null, outcome: 'refused', failure_key, answered: false },
          ...{ prompt_tokens: null, completion_tokens: null, tokens_estimated: false, cached_tokens: null, cost: null },
        })
        .execute()
    const lending = (weeks?: number) =>
      portal.admin.result<LendingReport>(
        'GET',
        `/system/upstreams/${upstream_id}/lending${weeks === undefined ? '' : `?weeks=${weeks}`}`,
      )
    const replaySharing = (body: object) =>
      portal.admin.result<Replay | null>('POST', `/system/upstreams/${upstream_id}/replay`, body)
    return { portal, database, upstream_id, lin, kim, asked, refused, lending, replaySharing }
  }

  describe('who lends and borrows', () => {
    test('is listed by people and weeks, with who was refused', async () => {
      const { lin, kim, asked, refused, lending } = await opened()
      await asked(lin.id, 1)
      await asked(lin.id, 1, { borrowed: 1_000, lender_id: kim.id })
      await asked(lin.id, 20, { borrowed: 1_000, lender_id: 0 })
      await asked(kim.id, 20)
      await refused(lin.id, 1)
      await refused(lin.id, 1, 'totalAskCount')
      const report = await lending()
      expect(report.weeks).toHaveLength(4)
      expect(report.total).toEqual({ used: 4, borrowed: 2, lent: 1, refused: 1 })
      expect(report.people.map(({ user, total }) => [user.nickname, total])).toEqual([
        ['kim', { used: 1, borrowed: 0, lent: 1, refused: 0 }],
        ['lin', { used: 3, borrowed: 2, lent: 0, refused: 1 }],
      ])
      expect(report.people[1]?.by_week.map(({ borrowed }) => borrowed)).toEqual([0, 1, 0, 1])
    })
    test('is of so many weeks as are asked for, twelve at most', async () => {
      const { portal, upstream_id, lin, asked, lending } = await opened()
      await asked(lin.id, 40)
      expect((await lending(1)).people).toEqual([])
      expect((await lending(12)).total.used).toBe(1)
      for (const weeks of ['0', '13', 'x', '1.5'])
        expect(await portal.admin.call('GET', `/system/upstreams/${upstream_id}/lending?weeks=${weeks}`)).toMatchObject(
          {
            code: 422,
          },
        )
    })
    test('of people who are gone is in the sum alone', async () => {
      const { portal, lin, asked, lending } = await opened()
      await asked(lin.id, 1)
      await asked(999_999, 1)
      expect(await lending()).toMatchObject({ total: { used: 2 }, people: [{ user: { nickname: 'lin' } }] })
      expect(portal.admin.id).toBeGreaterThan(0)
    })
  })

  describe('a replay of the last 30 days', () => {
    test('asks again what was answered and what was refused, once for each wish', async () => {
      const { lin, asked, refused, replaySharing } = await opened()
      await asked(lin.id, 3)
      await asked(lin.id, 29)
      await asked(lin.id, 31)
      for (const minutes of [0, 2, 4]) await refused(lin.id, 2 + minutes / 1_440)
      await refused(lin.id, 1)
      const replay = await replaySharing({ sharing: 'first_come' })
      expect(replay).toMatchObject({ asks: 4, met: 2, until: new Date(NOW).toISOString() })
      const { before, after } = replay ?? { before: null, after: null }
      for (const of of [before, after]) expect((of?.answered ?? 0) + (of?.refused ?? 0)).toBe(4)
    })
    test('is nothing for an account without windows, and stores nothing', async () => {
      const { replaySharing, database, lin, asked } = await opened({ windows: [] })
      await asked(lin.id, 1)
      const lines = () => database.selectFrom('usage_ledger').select('id').execute()
      const before = await lines()
      expect(await replaySharing({ keep: 'nothing' })).toBeNull()
      expect(await lines()).toEqual(before)
    })
    test('is made for administrators alone, of shared accounts that there are, with values that there are', async () => {
      const { portal, upstream_id, lin } = await opened()
      expect(await lin.call('POST', `/system/upstreams/${upstream_id}/replay`, {})).toMatchObject({ code: 10403 })
      expect(await portal.admin.call('POST', '/system/upstreams/99999/replay', {})).toMatchObject({
        message: 'errors.upstreamNotFound',
      })
      for (const wrong of [{ keep: 'all' }, { reserve_percent: 101 }, { reserve_percent: 0.5 }, { sharing: 7 }])
        expect(await portal.admin.call('POST', `/system/upstreams/${upstream_id}/replay`, wrong)).toMatchObject({
          code: 422,
        })
    })
  })

  describe('a replay of a change of a plan', () => {
    test('is of every account that is shared by weights', async () => {
      const { portal, upstream_id, lin, kim, asked } = await opened()
      await asked(lin.id, 1)
      await asked(kim.id, 1)
      const replay = (body: object) => portal.admin.result<object[]>('POST', `/plan/${DEFAULT_PLAN}/replay`, body)
      expect(await replay({ share_weight: 3 })).toMatchObject([{ upstream_id, replay: { asks: 2, people: [] } }])
      await changeUpstream(portal.app, upstream_id, { sharing: 'first_come' })
      expect(await replay({ share_weight: 3 })).toEqual([])
    })
    test('is none of a plan that there is not, or of a value that cannot be', async () => {
      const { portal } = await opened()
      expect(await portal.admin.call('POST', '/plan/99999/replay', { share_weight: 3 })).toMatchObject({ code: -1 })
      for (const share_weight of [-1, 1_001, 1.5])
        expect(await portal.admin.call('POST', `/plan/${DEFAULT_PLAN}/replay`, { share_weight })).toMatchObject({
          code: 422,
        })
    })
  })
})
