import type { Source } from '#contract/models.ts'
import type { RefusalKey } from '#contract/refusals.ts'
import type { CheckedAccounts } from '#contract/upstreamAccounts.ts'
import { type Finding, good, wrong } from '#server/foundation/finding.ts'
import type { Outbound } from '#server/foundation/outbound/outbound.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { webPorts } from '#server/providers/openai_web/ports.ts'
import { requirePort } from '#server/providers/provider.ts'
import type { Providers } from '#server/providers/providers.ts'
import { MAX_TEST } from '#server/upstreams/checks.ts'
import { inTeam } from '#server/upstreams/endpoints.ts'
import { expiryOf, expiryState } from '#server/upstreams/secret.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'
import type { CheckedAccount } from '../source.ts'

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

const ABOUT = 'web account'

/** How to correct the address and the token of an account. */
type Mend = { address: string; token: string }

const OF_SETTINGS: Mend = {
  address: 'Look at openai_web.chatgpt_base_url.',
  token: 'Enter a new token on the administrators’ page.',
}
const OF_ACCOUNT: Mend = {
  address: 'Look at its address: npm run commons -- call listUpstreams.',
  token: 'Give it a new token on the administrators’ page, or with npm run commons -- call changeUpstream.',
}

/** When its token expires, and whether it answers: asked for one conversation of its list, which costs nothing. */
export async function checkWebAccount(
  outbound: Outbound,
  { label, isOfSettings, endpoint }: CheckedAccount,
  now: number,
): Promise<Finding> {
  const name = label === '' ? endpoint.base_url : `${label}: ${endpoint.base_url}`
  const mend = isOfSettings ? OF_SETTINGS : OF_ACCOUNT
  const expires = expiryOf(endpoint.key)
  const state = expires === null ? 'later' : expiryState(expires, now)
  const date = expires === null ? '' : `${new Date(expires).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  if (state === 'expired') return wrong(ABOUT, `${name}: its token expired at ${date}`, mend.token)
  try {
    await webPorts(outbound).test(endpoint, AbortSignal.timeout(MAX_CHECK_MS))
  } catch (error) {
    if (error instanceof Refusal) return refused(error.key, { name, mend, hasToken: endpoint.key !== null })
    throw error
  }
  if (state === 'soon') return wrong(ABOUT, `${name} answers, but its token expires at ${date}`, mend.token)
  return good(ABOUT, `${name} answers${expires === null ? '' : `; its token expires at ${date}`}`)
}

/** Milliseconds, whatever the settings say. */
const MAX_CHECK_MS = 25_000

type Words = { name: string; mend: Mend; hasToken: boolean }

function refused(key: RefusalKey, { name, mend, hasToken }: Words): Finding {
  switch (key) {
    case 'openai.401':
      return wrong(
        ABOUT,
        hasToken ? `${name} does not accept the token (401)` : `${name} wants a token and none is set`,
        mend.token,
      )
    case 'openai.403':
      return wrong(
        ABOUT,
        `${name} refuses the token, or this machine (403)`,
        `Some services have a wall for machines: openai_web.proxy names another way. ${mend.token}`,
      )
    case 'openai.webPage':
      return wrong(
        ABOUT,
        `${name} sends a web page in place of an answer, such as a check for humans`,
        `Some services have a wall for machines: openai_web.proxy names another way. ${mend.address}`,
      )
    case 'openai.accountDeactivated':
      return wrong(ABOUT, `the account or workspace of ${name} was deactivated`, mend.token)
    case 'openai.unusualActivity':
      return wrong(
        ABOUT,
        `${name} noticed unusual activity and refuses this machine for now`,
        'Wait, or name another way with openai_web.proxy.',
      )
    case 'openai.429':
      return wrong(
        ABOUT,
        `${name} has no requests left at the moment (429)`,
        'Wait, and see who else uses the account.',
      )
    case 'upstreamTimeout':
    case 'httpError':
      return wrong(
        ABOUT,
        key === 'httpError' ? `${name} cannot be reached` : `${name} gives no answer in time`,
        `See that this machine can reach it, also through its proxy. ${mend.address}`,
      )
    default:
      return wrong(ABOUT, `${name} answers, but not as the web service does (${key})`, mend.address)
  }
}
