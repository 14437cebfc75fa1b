import type { PoolFacts, PoolWindow } from '../../server/limits/shares/pool.ts'
import { crowdAt, shareOf, usedBy, windowAt } from '../../server/limits/shares/parts.ts'
import { judge, type ShareAsk } from '../../server/limits/shares/shareRule.ts'

/** Whether an ask may be asked, and whether it was within the share of whoever asks. */
export type Decision = { may: boolean; within_share: boolean; borrowed_key: string | null; lender_id: number | null }

type SharingRule = (facts: PoolFacts, window: PoolWindow, ask: ShareAsk) => Decision

/** What the other rules look at: what is left of the pool, of the person's share, and of an equal part of all. */
function readPool(facts: PoolFacts, window: PoolWindow, { user_id, need }: ShareAsk) {
  const at = windowAt(facts, window, crowdAt(facts, user_id, facts.now))
  const member = facts.members.get(user_id)
  const used = usedBy(at, user_id) + need[window.unit]
  return {
    left: at.capacity - at.used - need[window.unit],
    within_share: member !== undefined && used <= shareOf(at, member),
    within_quota: used <= at.capacity / facts.members.size,
    is_below_half: at.used + need[window.unit] <= at.capacity / 2,
  }
}

const decided = (may: boolean, within_share: boolean): Decision => ({
  ...{ may, within_share, borrowed_key: null, lender_id: null },
})

export const SHARING_RULES = {
  'first come': (facts, window, ask) => {
    const { left, within_share } = readPool(facts, window, ask)
    return decided(left >= 0, within_share)
  },
  'equal quotas': (facts, window, ask) => {
    const { left, within_share, within_quota } = readPool(facts, window, ask)
    return decided(left >= 0 && within_quota, within_share)
  },
  threshold: (facts, window, ask) => {
    const { left, within_share, is_below_half } = readPool(facts, window, ask)
    return decided(left >= 0 && (within_share || is_below_half), within_share)
  },
  'shares that lend': (facts, _window, ask) => {
    const judgement = judge(facts, ask)
    if (!judgement.may) return decided(false, judgement.within_share)
    return {
      may: true,
      within_share: !judgement.borrowed,
      borrowed_key: judgement.window_key,
      lender_id: judgement.lender_id,
    }
  },
} satisfies Record<string, SharingRule>

export type SharingRuleName = keyof typeof SHARING_RULES
