import type { Share, ShareWindow } from '#contract/shares.ts'
import type { LimitUse } from '#contract/usage.ts'
import type { ReadLimitUse } from '#server/usage/reports/limitUses.ts'
import { sentLimitUse } from '#server/usage/reports/limitUses.ts'
import { SOURCE } from './models.ts'

/** One window of a person: a limit of theirs, or their share of an account. */
export type UsageWindow = Pick<LimitUse, 'unit' | 'window' | 'models' | 'used' | 'left'> & {
  /** Null: a limit of the person. */
  account: string | null
  /** The limit, or the share. */
  share: number
  /** Of what was used: more than the share. */
  borrowed: number
  /** When something comes back; null where nothing is used, or nobody knows. */
  resets_at: string | null
}

/** The one that binds first stands first: of which the smallest part is left. */
export function usageWindows(limits: readonly ReadLimitUse[], shares: readonly Share[]): UsageWindow[] {
  const own = limits.filter(({ source }) => source === SOURCE).map(limit => ofLimit(sentLimitUse(limit)))
  const ofAccounts = shares
    .filter(({ source }) => source === SOURCE)
    .flatMap(({ label, windows }) => windows.flatMap(window => ofShare(label, window)))
  return [...own, ...ofAccounts].toSorted((one, other) => partLeft(one) - partLeft(other))
}

const partLeft = ({ left, share }: UsageWindow): number => (share === 0 ? 0 : left / share)

const ofLimit = ({ unit, window, models, used, left, amount, opens_at }: LimitUse): UsageWindow => ({
  ...{ account: null, unit, window, models, used, left, share: amount, borrowed: 0 },
  resets_at: opens_at,
})

/** Nothing of an account that its person may not ask. */
function ofShare(account: string, { unit, window, models, mine, ends_at }: ShareWindow): UsageWindow[] {
  if (mine === null) return []
  const { share, used, borrowed, next_own_at } = mine
  const left = Math.max(0, share - used)
  return [{ account, unit, window, models, used, left, share, borrowed, resets_at: next_own_at ?? ends_at }]
}
