import type { CheckedAccounts } from '#contract/upstreams.ts'
import type { Source } from '#contract/models.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { requirePort } from '#server/providers/provider.ts'
import type { Providers } from '#server/providers/providers.ts'
import { MAX_TEST } from '#server/upstreams/checks.ts'
import { inTeam } from '#server/upstreams/endpoints.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'

type Dependencies = { upstreams: Pick<Upstreams, 'ofSettings' | 'requireShared' | 'reach'>; providers: Providers }

export type AccountCheck = ReturnType<typeof openAccountCheck>

/**
 * The accounts that the token of a web account has: its person's, and those of teams. What is asked says nothing about
 * its health.
 */
export function openAccountCheck({ upstreams, providers }: Dependencies) {
  async function check(id: number): Promise<CheckedAccounts> {
    const row = upstreams.requireShared(id)
    const ask = requirePort(providers[row.source as Source], 'checkAccounts') // only the two sources are ever stored
    const endpoint = upstreams.reach(row)
    if (endpoint.base_url === '') throw new Refusal('noWebAccount')
    return ask(inTeam(endpoint, null), AbortSignal.timeout(MAX_TEST))
  }

  return { check, checkFirst: () => check(upstreams.ofSettings('openai_web').id) }
}
