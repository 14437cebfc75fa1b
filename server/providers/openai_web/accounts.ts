import { type CheckedAccounts, UpstreamAccount } from '#contract/upstreams.ts'
import { type Fields, fieldOf, isFields } from '../looseJson.ts'
import type { ProviderPorts } from '../ports.ts'
import { timeIn } from './read.ts'
import { type AskWeb, isWebId } from './request.ts'
import { storableValue } from './storable.ts'

type Account = CheckedAccounts['accounts'][string]

const MAX_CHECK = 1024 * 1024
const MAX_ACCOUNTS = 100

/** The accounts of a token: the personal one, and those of teams. */
export function accountPorts(ask: AskWeb): Pick<ProviderPorts, 'checkAccounts'> {
  return {
    checkAccounts(endpoint, signal) {
      const request = { method: 'GET', path: 'accounts/check/v4-2023-04-27', max_bytes: MAX_CHECK } as const
      return ask(endpoint, request, answer => accountsIn(answer, Date.now()), signal)
    },
  }
}

/** The accounts in an answer, the most useful first; null where there is none. */
export function accountsIn({ accounts, account_ordering }: Fields, now: number): CheckedAccounts | null {
  if (!isFields(accounts)) return null
  const read = Object.entries(accounts)
    .filter(([id]) => isWebId(id))
    .slice(0, MAX_ACCOUNTS)
    .flatMap(([id, given]) => {
      const account = accountIn(given)
      return account === null ? [] : [[id, account] as const]
    })
  if (read.length === 0) return null
  return { accounts: Object.fromEntries(read), account_ordering: ordered(new Map(read), account_ordering, now) }
}

/** Its picture is left out: nothing of the page's is fetched from an address that an upstream gives. */
function accountIn(given: unknown): Account | null {
  const account = UpstreamAccount.safeParse(storableValue(given)).data
  return account === undefined ? null : { ...account, account: { ...account.account, profile_picture_url: null } }
}

/** The most useful first: an active team, then plus, then free; what is over or deactivated last; among equals as the upstream has them. */
function ordered(accounts: ReadonlyMap<string, Account>, given: unknown, now: number): string[] {
  const named = Array.isArray(given) ? given.filter(id => typeof id === 'string' && accounts.has(id)) : []
  const known = new Set<string>([...named, ...withoutAlias(accounts)])
  return [...known]
    .map(id => ({ id, rank: rankOf(accounts.get(id), now) }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ id }) => id)
}

/** The upstream has one of them once more as `default`. */
function withoutAlias(accounts: ReadonlyMap<string, Account>): string[] {
  const same = accounts.get('default')?.account.account_id
  return [...accounts.keys()].filter(id => id !== 'default' || same == null || !accounts.has(same))
}

function rankOf(account: Account | undefined, now: number): number {
  if (account === undefined || account.account.is_deactivated === true) return 5
  const plan = `${account.account.plan_type ?? ''} ${account.entitlement?.subscription_plan ?? ''}`.toLowerCase()
  const isTeam = account.account.structure === 'workspace' || /team|enterprise|business/.test(plan)
  const isPaid = isTeam || /plus|pro/.test(plan)
  if (!isPaid) return 2
  return isOver(account, now) ? (isTeam ? 4 : 3) : isTeam ? 0 : 1
}

/** A paid plan that has ended. */
function isOver({ entitlement }: Account, now: number): boolean {
  const expires = timeIn(fieldOf(entitlement, 'expires_at'))
  return fieldOf(entitlement, 'has_active_subscription') === false || (expires !== null && expires <= now)
}
