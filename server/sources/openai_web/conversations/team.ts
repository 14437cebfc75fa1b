import type { Configuration } from '#contract/configuration/configuration.ts'
import type { WebSetting } from '#contract/limits.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { findEffectiveSetting } from '#server/policy/effectiveSetting.ts'

/** Whether a person may use the team of a web account: the portal uses teams, and their own setting says so. */
export const usesTeam = ({ openai_web }: Configuration, setting: Pick<WebSetting, 'use_team'> | undefined): boolean =>
  openai_web.enable_team_subscription && setting?.use_team === true

/** The same, of a person whose setting is not read yet. */
export async function mayUseTeam(database: Database, configuration: Configuration, user_id: number): Promise<boolean> {
  if (!configuration.openai_web.enable_team_subscription) return false
  return usesTeam(configuration, await findEffectiveSetting(database, configuration, user_id, 'openai_web'))
}

/** Whether something is of a team, by its `source_id`, that its person may not use. */
export const isTeamRefused = (source_id: string | null, mayUse: boolean): boolean => source_id !== null && !mayUse

export function requireTeam(source_id: string | null, mayUse: boolean): void {
  if (isTeamRefused(source_id, mayUse)) throw new Refusal('teamConversationNotAllowed')
}
