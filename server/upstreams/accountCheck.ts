import type { CheckedAccounts } from '#contract/upstreams.ts'
import type { Source } from '#contract/models.ts'
import { requirePort } from '#server/providers/provider.ts'
import type { Providers } from '#server/providers/providers.ts'
import { LONGEST_TEST } from './checks.ts'
import { inTeam } from './endpoints.ts'
import type { Upstreams } from './upstreams.ts'

type Dependencies = { upstreams: Pick<Upstreams, 'first' | 'requireShared' | 'reach'>; providers: Providers }

export type AccountCheck = ReturnType<typeof openAccountCheck>

/** The accounts that the token of a web account has: its person's, and those of teams. What is asked says nothing about its health. */
export function openAccountCheck({ upstreams, providers }: Dependencies) {
  async function check(id: number): Promise<CheckedAccounts> {
    const row = upstreams.requireShared(id)
    const ask = requirePort(providers[row.source as Source], 'checkAccounts') // only the two sources are ever stored
    const checked = await ask(inTeam(upstreams.reach(row), null), AbortSignal.timeout(LONGEST_TEST))
    return { ...checked, account_ordering: mostUsefulFirst(checked) }
  }

  return { check, checkFirst: () => check(upstreams.first('openai_web').id) }
}

/** Teams that can be used, then a paid account, then others; those without a subscription that runs, and deactivated ones, behind. */
export function mostUsefulFirst({ accounts, account_ordering }: CheckedAccounts): string[] {
  const ids = [...new Set([...account_ordering, ...Object.keys(accounts)])].filter(id => Object.hasOwn(accounts, id))
  const ranks = new Map(ids.map(id => [id, rankOf(accounts[id])]))
  return ids.toSorted((one, other) => (ranks.get(one) ?? 0) - (ranks.get(other) ?? 0))
}

function rankOf(found: CheckedAccounts['accounts'][string] | undefined): number {
  if (found === undefined || found.account.is_deactivated === true) return 3
  if (found.entitlement?.has_active_subscription !== true) return 2
  return found.account.structure === 'workspace' ? 0 : 1
}
