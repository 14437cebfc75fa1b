import { seedOf } from '../answers/random.ts'
import type { Plans, WebAccount } from './state/account.ts'
import { answer, type WebCall, numberOf, refuse } from './state/call.ts'
import { isRecord } from '../foundation/http.ts'
import { CATALOGUE, type CataloguePlugin, storeEntry } from './state/catalogue.ts'

const DAY = 86_400_000

export const teamIdOf = (token: string): string => idOf(token, 'team')

/** GET accounts/check/v4-2023-04-27 */
export function checkAccounts(call: WebCall) {
  const { token, plans } = call.web.account(call.account.token)
  const personal = personalEntry(call.account, plans.personal)
  const entries = plans.team === 'none' ? [personal] : [personal, teamEntry(token, plans.team)]
  answer(call, {
    accounts: Object.fromEntries(entries.map(entry => [entry.account.account_id, entry])),
    account_ordering: entries.map(entry => entry.account.account_id),
  })
}

function personalEntry({ token }: WebAccount, plan: Plans['personal']) {
  return {
    ...accountEntry(token, {
      id: idOf(token, 'personal'),
      name: null,
      structure: 'personal',
      plan_type: plan === 'plus' ? 'plus' : 'free',
      is_deactivated: false,
      has_previously_paid_subscription: plan !== 'free',
    }),
    entitlement: {
      subscription_id: plan === 'free' ? null : idOf(token, 'subscription'),
      has_active_subscription: plan === 'plus',
      subscription_plan: plan === 'free' ? 'chatgptfreeplan' : 'chatgptplusplan',
      expires_at: plan === 'free' ? null : dateIn(plan === 'plus' ? 21 : -3),
      billing_period: plan === 'free' ? null : 'monthly',
    },
    last_active_subscription: {
      subscription_id: plan === 'free' ? null : idOf(token, 'subscription'),
      purchase_origin_platform: plan === 'free' ? 'chatgpt_not_purchased' : 'chatgpt_web',
      will_renew: plan === 'plus',
    },
  }
}

function teamEntry(token: string, state: 'active' | 'deactivated') {
  return {
    ...accountEntry(token, {
      id: teamIdOf(token),
      name: 'The workshop',
      structure: 'workspace',
      plan_type: 'team',
      is_deactivated: state === 'deactivated',
      has_previously_paid_subscription: true,
    }),
    entitlement: {
      subscription_id: idOf(token, 'team subscription'),
      has_active_subscription: state === 'active',
      subscription_plan: 'chatgptteamplan',
      expires_at: dateIn(state === 'active' ? 180 : -10),
      billing_period: 'monthly',
    },
    last_active_subscription: {
      subscription_id: idOf(token, 'team subscription'),
      purchase_origin_platform: 'chatgpt_web',
      will_renew: state === 'active',
    },
  }
}

type Fields = {
  id: string
  name: string | null
  structure: string
  plan_type: string
  is_deactivated: boolean
  has_previously_paid_subscription: boolean
}

function accountEntry(token: string, { id, ...fields }: Fields) {
  return {
    account: {
      account_user_role: 'account-owner',
      account_user_id: `user-${idOf(token, 'user').slice(0, 8)}__${id}`,
      processor: { a001: { has_customer_object: true }, b001: { has_transaction_history: false } },
      account_id: id,
      organization_id: null,
      is_most_recent_expired_subscription_gratis: false,
      profile_picture_id: null,
      profile_picture_url: null,
      promo_data: {},
      ...fields,
    },
    features: ['gpt4', 'plugins_available', 'code_interpreter_available', 'dalle_3', 'file_upload'],
    is_eligible_for_yearly_plus_subscription: false,
  }
}

const dateIn = (days: number): string => new Date(Date.now() + days * DAY).toISOString()

/** A UUID that is the same for the same token and purpose. */
function idOf(token: string, purpose: string): string {
  const part = (salt: string) => seedOf(`${salt}${purpose}${token}`).toString(16).padStart(8, '0')
  const [a, b, c, d] = [part('a'), part('b'), part('c'), part('d')]
  return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-8${c.slice(1, 4)}-${c.slice(4)}${d}`
}

const MAX_LISTED = 250

/** GET aip/p?offset&limit&is_installed=true */
export function listInstalled(call: WebCall) {
  sendPage(
    call,
    CATALOGUE.filter(({ id }) => call.account.installed.has(id)),
  )
}

/** GET aip/p/approved?offset&limit&category&search */
export function listApproved(call: WebCall) {
  const category = call.query.get('category') ?? ''
  const words = (call.query.get('search') ?? '').trim().toLowerCase()
  sendPage(
    call,
    CATALOGUE.filter(
      plugin =>
        (category === '' || plugin.categories.some(each => each === category)) &&
        (words === '' || `${plugin.name} ${plugin.description}`.toLowerCase().includes(words)),
    ),
  )
}

/** PATCH aip/p/{id}/user-settings: {is_installed} */
export function changePlugin(call: WebCall) {
  const plugin = CATALOGUE.find(({ id }) => id === call.id)
  if (!plugin) return refuse(call, 404, 'Plugin not found', 'plugin_not_found')
  const is_installed = isRecord(call.body) ? call.body.is_installed : undefined
  if (typeof is_installed !== 'boolean') return refuse(call, 422, 'is_installed is wanted')
  if (is_installed) call.account.installed.add(plugin.id)
  else call.account.installed.delete(plugin.id)
  answer(call, pluginEntry(call, plugin))
}

const pluginEntry = ({ account }: WebCall, plugin: CataloguePlugin) =>
  storeEntry(plugin, account.installed.has(plugin.id))

function sendPage(call: WebCall, all: readonly CataloguePlugin[]) {
  const offset = numberOf(call.query, 'offset', 0)
  const limit = Math.min(numberOf(call.query, 'limit', MAX_LISTED), MAX_LISTED)
  answer(call, { items: all.slice(offset, offset + limit).map(plugin => pluginEntry(call, plugin)), count: all.length })
}
