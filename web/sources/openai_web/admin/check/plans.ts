import type { CheckedAccounts } from '#contract/upstreamAccounts.ts'

type Account = CheckedAccounts['accounts'][string]

const PLANS = ['team', 'plus', 'free'] as const
const ROLES = ['account-owner', 'account-admin', 'standard-user'] as const

export type Plan = {
  id: string
  name: string | null
  /** A plan that has a text of its own; null: `planName` is shown. */
  plan: (typeof PLANS)[number] | null
  planName: string
  role: (typeof ROLES)[number] | null
  roleName: string
  /** ISO; null where it has no end. */
  expires: string | null
  /** `over`: it was paid until `expires`. */
  state: 'active' | 'over' | 'deactivated'
  isTeam: boolean
}

/** The accounts of a token, the most useful first. */
export function plansOf({ accounts, account_ordering }: CheckedAccounts, now: Date): Plan[] {
  return account_ordering.flatMap(id => {
    const found = accounts[id]
    return found === undefined ? [] : [planOf(id, found, now)]
  })
}

function planOf(id: string, { account, entitlement }: Account, now: Date): Plan {
  const named = `${account.plan_type ?? ''} ${entitlement?.subscription_plan ?? ''}`.toLowerCase()
  const isTeam = account.structure === 'workspace' || named.includes('team')
  const plan = isTeam ? 'team' : (PLANS.find(each => named.includes(each)) ?? null)
  const expires = entitlement?.expires_at ?? null
  const end = expires === null ? null : Date.parse(expires)
  const isOver = entitlement?.has_active_subscription === false && plan !== 'free'
  return {
    id: account.account_id ?? id,
    name: account.name ?? null,
    plan,
    planName: account.plan_type ?? '',
    role: ROLES.find(role => role === account.account_user_role) ?? null,
    roleName: account.account_user_role ?? '',
    expires: end === null || Number.isNaN(end) ? null : new Date(end).toISOString(),
    state:
      account.is_deactivated === true
        ? 'deactivated'
        : isOver || (end !== null && end <= now.getTime())
          ? 'over'
          : 'active',
    isTeam,
  }
}

/** The only usable team; null when there are none or several. */
export function onlyTeam(plans: readonly Plan[]): Plan | null {
  const [team, other] = plans.filter(({ isTeam, state }) => isTeam && state === 'active')
  return other === undefined ? (team ?? null) : null
}
