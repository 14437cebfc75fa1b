import type { Configuration } from '#contract/configuration/configuration.ts'
import type { Source } from '#contract/models.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { effectiveCommon, effectiveSetting } from '#server/policy/effectiveSetting.ts'
import type { SourceSettingRow } from '#server/policy/plans.ts'
import { readPlans } from '#server/policy/planStore.ts'
import { plansOf, withPlans } from '#server/policy/planTree.ts'
import { settingStore } from '#server/policy/store.ts'
import { activeAmong } from '#server/users/store.ts'

/** What plans say of a member, and until when they may ask: null is for ever. */
export type MemberPolicy = { weight: number; may_borrow: boolean; until: number | null }

/** Ids of one statement, below the limit of parameters of either database. */
const AT_ONCE = 500

type Asked = { source: Source; user_ids: readonly number[]; configuration: Configuration; now: number }

/** Of those who may ask a source now; whoever may not is left out. */
export async function readMemberPolicies(
  database: Database,
  { source, user_ids, configuration, now }: Asked,
): Promise<Map<number, MemberPolicy>> {
  const found = new Map<number, MemberPolicy>()
  for (let at = 0; at < user_ids.length; at += AT_ONCE) {
    const some = user_ids.slice(at, at + AT_ONCE)
    const active = new Set(await activeAmong(database, some))
    for (const row of await settingStore(database).ofSource(source, some)) {
      const policy = active.has(row.user_id) ? policyOf(row, configuration, now) : null
      if (policy !== null) found.set(row.user_id, policy)
    }
  }
  return found
}

function policyOf(row: SourceSettingRow, configuration: Configuration, now: number): MemberPolicy | null {
  const setting = effectiveSetting({ row, allowances: [], used: [] }, configuration, now)
  const { allow_to_use, available_models, valid_until } = setting
  if (!allow_to_use || available_models.length === 0 || (valid_until !== null && now > valid_until)) return null
  const { share_weight, may_borrow } = effectiveCommon(configuration, row)
  return { weight: share_weight.value ?? 1, may_borrow: may_borrow.value ?? true, until: valid_until }
}

/** With the plans that are stored now, whatever this process has heard of yet. */
export const withLatestPlans = async (
  database: Database,
  configuration: Configuration,
  plans_version: number,
): Promise<Configuration> =>
  plansOf(configuration).version === plans_version ? configuration : withPlans(configuration, await readPlans(database))
