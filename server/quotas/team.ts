import type { Configuration } from '#contract/configuration.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { settingStore } from './store.ts'

/** Whether a person may use the team of a web account: the portal uses teams, and their own setting says so. */
export async function mayUseTeam(database: Database, { openai_web }: Configuration, user_id: number): Promise<boolean> {
  if (!openai_web.enable_team_subscription) return false
  return (await settingStore(database).source(user_id, 'openai_web'))?.use_team === true
}
