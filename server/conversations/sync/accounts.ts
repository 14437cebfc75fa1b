import type { Configuration } from '#contract/configuration.ts'
import type { ProviderEndpoint } from '#server/providers/endpoint.ts'
import { inTeam } from '#server/upstreams/endpoints.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'

/** What is listed of an account: the conversations of its person with null, else those of its team. */
export type Account = { upstream_id: number; teams: readonly (string | null)[] }

type Dependencies = {
  upstreams: Pick<Upstreams, 'inUse' | 'reach' | 'requireShared'>
  configuration(): Configuration
}

/** The web accounts in use that lead somewhere, the first one first; those that are paused are left alone. */
export function openSyncAccounts({ upstreams, configuration }: Dependencies) {
  function teamsOf(upstream_id: number): (string | null)[] {
    const { enable_team_subscription, team_account_id } = configuration().openai_web
    const row = upstreams.requireShared(upstream_id)
    const team = (row.is_first ? team_account_id : row.team_account_id) || null
    return enable_team_subscription && team !== null ? [null, team] : [null]
  }

  return {
    list: (): Account[] =>
      (configuration().openai_web.enabled ? upstreams.inUse('openai_web') : [])
        .filter(each => each.paused_since === null && upstreams.reach(each).base_url !== '')
        .map(({ id }) => ({ upstream_id: id, teams: teamsOf(id) })),

    reach: (upstream_id: number, team_account_id: string | null): ProviderEndpoint =>
      inTeam(upstreams.reach({ id: upstream_id }), team_account_id),
  }
}
export type SyncAccounts = ReturnType<typeof openSyncAccounts>
