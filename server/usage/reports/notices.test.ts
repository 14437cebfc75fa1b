import { openAccountGrants } from '#server/shares/gifts/grants.ts'
import { NO_POOLS } from '#testing/pools.ts'
import { describe, expect, test } from 'vitest'
import { Configuration } from '#contract/configuration/configuration.ts'
import { testClock } from '#testing/clock.ts'
import { eachDatabase } from '#testing/database.ts'
import { storedUser } from '#testing/rows.ts'
import type { ReadLimitUse } from './limitUses.ts'
import { openUsageNotices } from './notices.ts'
import { openUsageRequests } from './requests.ts'

const NOW = Date.parse('2026-11-20T05:00:00Z')
const HOUR = 3_600_000

const aLimit = (fields: Partial<ReadLimitUse>): ReadLimitUse => ({
  source: 'openai_api',
  unit: 'asks',
  amount: 10,
  used: 0,
  left: 10,
  window: { kind: 'day' },
  models: null,
  opens_at: null,
  ends: NOW + HOUR,
  origin: { from: 'own' },
  ...fields,
})

eachDatabase((_name, openDatabase) => {
  /** A person whose limits are those that `use` sets. */
  async function aPerson() {
    const open = await openDatabase()
    const clock = testClock(NOW)
    const user_id = await storedUser(open.database)
    const configuration = Configuration.parse({})
    const dependencies = { open, clock, configuration: () => configuration }
    let limits: ReadLimitUse[] = []
    const requests = openUsageRequests({
      ...dependencies,
      grants: openAccountGrants({ ...dependencies, pools: NO_POOLS }),
    })
    const notices = openUsageNotices({
      ...dependencies,
      requests,
      limitUses: { ofPerson: () => Promise.resolve(limits) },
    })
    return {
      clock,
      async shown(...of: Partial<ReadLimitUse>[]) {
        limits = of.map(aLimit)
        const taken = await notices(user_id)
        return taken.notices.map(notice => (notice.kind === 'limit' ? notice.level : notice.kind))
      },
    }
  }
  const used = (count: number, more: Partial<ReadLimitUse> = {}) => ({ used: count, left: 10 - count, ...more })

  describe('a limit that is nearly used up', () => {
    test('is shown at 80 %, and at its end, once each', async () => {
      const { shown } = await aPerson()
      expect(await shown(used(7))).toEqual([])
      expect(await shown(used(8))).toEqual([80])
      expect(await shown(used(9))).toEqual([])
      expect(await shown(used(10))).toEqual([100])
      expect(await shown(used(10))).toEqual([])
    })
    test('is shown once when two browsers look at the same moment', async () => {
      const { shown } = await aPerson()
      const both = await Promise.all([shown(used(8)), shown(used(8))])
      expect(both.flat()).toEqual([80])
    })
    test('is not shown as nearly used up to who has seen its end, when some of it comes back', async () => {
      const { shown } = await aPerson()
      expect(await shown(used(10))).toEqual([100])
      expect(await shown(used(9))).toEqual([])
    })
    test('is shown again in the next window of it', async () => {
      const { clock, shown } = await aPerson()
      expect(await shown(used(8))).toEqual([80])
      clock.pass(HOUR)
      expect(await shown(used(8, { ends: NOW + 25 * HOUR }))).toEqual([80])
    })
    test('is shown again of a window that moves on after as long as it is', async () => {
      const { clock, shown } = await aPerson()
      const rolling = used(8, { window: { kind: 'rolling', seconds: 3_600 }, ends: null })
      expect(await shown(rolling)).toEqual([80])
      clock.pass(HOUR - 1)
      expect(await shown(rolling)).toEqual([])
      clock.pass(1)
      expect(await shown(rolling)).toEqual([80])
    })
    test('without an end is shown again when it is another amount', async () => {
      const { clock, shown } = await aPerson()
      const counted = { window: { kind: 'ever' }, ends: null } as const
      expect(await shown(used(8, counted))).toEqual([80])
      clock.pass(1_000 * HOUR)
      expect(await shown(used(8, counted))).toEqual([])
      expect(await shown({ ...counted, amount: 20, used: 17, left: 3 })).toEqual([80])
    })
    test('of which nothing is allowed is no news', async () => {
      const { shown } = await aPerson()
      expect(await shown({ amount: 0, used: 0, left: 0 })).toEqual([])
    })
    test('is told apart by source, unit, window and models', async () => {
      const { shown } = await aPerson()
      expect(
        await shown(
          used(8),
          used(8, { source: 'openai_web' }),
          used(8, { unit: 'tokens' }),
          used(8, { window: { kind: 'week' } }),
          used(8, { models: ['gpt_4'] }),
        ),
      ).toEqual([80, 80, 80, 80, 80])
    })
  })
})
