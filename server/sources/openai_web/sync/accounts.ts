import type { Configuration } from '#contract/configuration/configuration.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Log } from '#server/foundation/logging.ts'
import type { ProviderEndpoint } from '#server/providers/endpoint.ts'
import type { Providers } from '#server/providers/providers.ts'
import { inTeam } from '#server/upstreams/endpoints.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'

/** What is listed of an account: the conversations of its person with null, else those of its team. */
export type Account = { upstream_id: number; teams: readonly (string | null)[] }

type Dependencies = {
  upstreams: Pick<Upstreams, 'inUse' | 'reach'>
  configuration(): Configuration
}

/** The web accounts in use that lead somewhere, the first one first; those that are paused are left alone. */
export function openSyncAccounts({ upstreams, configuration }: Dependencies) {
  const teamsOf = (team_account_id: string | null) =>
    configuration().openai_web.enable_team_subscription && team_account_id !== null ? [null, team_account_id] : [null]

  return {
    list: (): Account[] =>
      (configuration().openai_web.enabled ? upstreams.inUse('openai_web') : [])
        .filter(each => each.paused_since === null && upstreams.reach(each).base_url !== '')
        .map(({ id, team_account_id }) => ({ upstream_id: id, teams: teamsOf(team_account_id) })),

    reach: (upstream_id: number, team_account_id: string | null): ProviderEndpoint =>
      inTeam(upstreams.reach({ id: upstream_id }), team_account_id),
  }
}
type SyncAccounts = ReturnType<typeof openSyncAccounts>

export type SyncDependencies = {
  open: OpenDatabase
  clock: Clock
  log: Log
  accounts: SyncAccounts
  providers: Providers
  upstreams: Pick<Upstreams, 'find' | 'report'>
}
