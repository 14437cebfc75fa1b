import type { ShareWindow } from '#contract/shares.ts'
import type { LimitUse } from '#contract/usage.ts'
import type { Shares } from '#server/shares/shares.ts'
import { type ReadLimitUse, sentLimitUse } from '#server/usage/reports/limitUses.ts'
import type { UsageReports } from '#server/usage/reports/reports.ts'
import { type Caller, keyIdOf } from '#server/users/user.ts'
import { SOURCE } from './models.ts'

/** One window of a person: a limit of theirs, or their share of an account. */
export type UsageWindow = Pick<LimitUse, 'unit' | 'window' | 'models' | 'used' | 'left'> & {
  /** Null: a limit of the person. */
  account: string | null
  /** The key whose own limit it is; null: what all keys and the page of the person use together. */
  key_id: number | null
  /** The limit, or the share. */
  share: number
  /** Of what was used: more than the share. */
  borrowed: number
  /** When something comes back; null where nothing is used, or nobody knows. */
  resets_at: string | null
}

type Dependencies = {
  usageReports: Pick<UsageReports, 'limitUses'>
  shares: Pick<Shares, 'read'>
}

export type ReadUsage = (caller: Caller) => Promise<UsageWindow[]>

/** What is left to whoever asks by a key. First is the window that binds first: of which the smallest part is left. */
export function openToolUsage({ usageReports: { limitUses }, shares }: Dependencies): ReadUsage {
  return async caller => {
    const { user_id, bounds } = caller
    const key_id = keyIdOf(caller)
    const [person, key, accounts] = await Promise.all([
      limitUses.ofPerson(user_id),
      key_id === null ? [] : limitUses.ofKey({ user_id, key_id, source: SOURCE, limits: bounds?.limits ?? [] }),
      shares.read({ id: user_id, is_superuser: false }),
    ])
    const limits = [...person.map(limit => ofLimit(limit, null)), ...key.map(limit => ofLimit(limit, key_id))]
    const ofAccounts = accounts
      .filter(({ source }) => source === SOURCE)
      .flatMap(({ label, windows }) => windows.flatMap(window => ofShare(label, window)))
    return [...limits, ...ofAccounts].toSorted((one, other) => partLeft(one) - partLeft(other))
  }
}

const partLeft = ({ left, share }: UsageWindow): number => (share === 0 ? 0 : left / share)

function ofLimit(read: ReadLimitUse, key_id: number | null): UsageWindow {
  const { unit, window, models, used, left, amount, opens_at } = sentLimitUse(read)
  return { account: null, key_id, unit, window, models, used, left, share: amount, borrowed: 0, resets_at: opens_at }
}

/** Nothing of an account that its person may not ask. */
function ofShare(account: string, { unit, window, models, mine, ends_at }: ShareWindow): UsageWindow[] {
  if (mine === null) return []
  const { share, used, borrowed, next_own_at } = mine
  const left = Math.max(0, share - used)
  return [
    { account, key_id: null, unit, window, models, used, left, share, borrowed, resets_at: next_own_at ?? ends_at },
  ]
}
