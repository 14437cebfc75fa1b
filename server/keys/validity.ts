import type { Configuration } from '#contract/configuration/configuration.ts'
import type { RefusalKey } from '#contract/refusals.ts'
import { effectiveCommon } from '#server/policy/effectiveSetting.ts'
import type { OwnedKeyRow } from './store.ts'

/** Why a key does not hold; null where it does. */
export function invalidity(row: OwnedKeyRow, configuration: Configuration, now: number): RefusalKey | null {
  if (row.revoke_time !== null || !row.is_active) return 'keyRevoked'
  if (row.expire_time !== null && row.expire_time <= now) return 'keyExpired'
  return mostKeys(configuration, row) === 0 ? 'keysNotAllowed' : null
}

/** How many keys somebody may have, by their plan and what is their own of it. */
export const mostKeys = (configuration: Configuration, row: Parameters<typeof effectiveCommon>[1]): number =>
  effectiveCommon(configuration, row).max_keys.value ?? 0
