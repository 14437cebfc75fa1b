import { baseAddressOf } from '#contract/settings.ts'
import type { Configuration } from '#contract/configuration/configuration.ts'
import type { ApiSetting } from '#contract/limits.ts'
import type { Source } from '#contract/models.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { requireAllowed, type Resolve } from '#server/foundation/outbound/addresses.ts'
import { OutboundFailure } from '#server/foundation/outbound/failure.ts'
import { invalid, Refusal } from '#server/foundation/refusal.ts'
import { openStoredKey, type SecretBox, type StoredKey } from '#server/foundation/secrets.ts'
import type { OwnEndpoint } from '#server/upstreams/endpoints.ts'
import type { EffectiveSetting } from './effectiveSetting.ts'
import type { SourceSettingRow } from './plans.ts'
import { plansOf } from './planTree.ts'
import { settingStore } from './store.ts'

const AT = ['body', 'openai_api', 'custom_openai_api_settings', 'url']

/** The user's own address and key, where an administrator has allowed them; null when the portal's are used. */
export async function readCustomApi(
  database: Database,
  configuration: Configuration,
  secretBox: SecretBox,
  user_id: number,
): Promise<OwnEndpoint | null> {
  const stored = await settingStore(database).ownEndpoint(user_id)
  if (stored === undefined) return null
  const { upstream_id, url, key, allowed, plan_id } = stored
  const { allow_custom_openai_api } = plansOf(configuration).of(plan_id, 'openai_api').values
  if (!(allowed ?? allow_custom_openai_api.value)) return null
  return { upstream_id, url, ...openOwnKey(secretBox, { user_id, url, key }) }
}

type SealedKey = { user_id: number; url: string; key: string | null }

const openOwnKey = (secretBox: SecretBox, { user_id, url, key }: SealedKey): StoredKey =>
  openStoredKey(secretBox, key, contextOf(user_id, url))

/** Whether a setting has the key of an address of its user's own that cannot be opened. */
export function isOwnKeyUnreadable(
  {
    user_id,
    custom_openai_api_url: url,
    custom_openai_api_key: key,
  }: Pick<SourceSettingRow, 'user_id' | 'custom_openai_api_url' | 'custom_openai_api_key'>,
  secretBox: SecretBox,
): boolean {
  return url !== null && openOwnKey(secretBox, { user_id, url, key }).isUnreadable
}

/** The ids of the users who may have an address of their own, and whose key for it cannot be opened. */
export async function usersWithUnreadableKeys(database: Database, secretBox: SecretBox): Promise<number[]> {
  const stored = await settingStore(database).ownKeys()
  return stored.filter(each => openOwnKey(secretBox, each).isUnreadable).map(({ user_id }) => user_id)
}

export type OwnEndpoints = ReturnType<typeof openOwnEndpoints>

/** The same by the source: only one lets people have an address of their own. */
export const openOwnEndpoints =
  (database: Database, configuration: () => Configuration, secretBox: SecretBox) => (user_id: number, source: Source) =>
    source === 'openai_api' ? readCustomApi(database, configuration(), secretBox, user_id) : Promise.resolve(null)

/** The same from a setting that is already read, and the id of its user's upstream. */
export function ownEndpointOf(
  setting: EffectiveSetting,
  upstream_id: number | null,
  secretBox: SecretBox,
): OwnEndpoint | null {
  const { user_id, allow_custom_openai_api, custom_openai_api_url: url, custom_openai_api_key: key } = setting
  if (!allow_custom_openai_api || url === null) return null
  // The user's questions must not go to another endpoint.
  if (upstream_id === null) throw new Error(`the address of one's own of user ${user_id} has no upstream`)
  return { upstream_id, url, ...openOwnKey(secretBox, { user_id, url, key }) }
}

/** Checked here for an immediate error, and again with every ask, since a name may resolve differently later. */
export async function requireAllowedAddress(
  sent: string | null | undefined,
  { auth }: Configuration,
  resolve: Resolve,
): Promise<void> {
  if (!sent?.trim()) return
  try {
    await requireAllowed(
      new URL(requireAddress(sent.trim())),
      { public_only: true, except: auth.allow_private_custom_urls },
      resolve,
    )
  } catch (cause) {
    // A name that cannot be resolved now may be resolved later.
    if (!(cause instanceof OutboundFailure)) throw cause
    if (cause.kind === 'address') throw new Refusal('addressNotAllowed')
  }
}

type CustomApiColumns = Partial<Pick<SourceSettingRow, 'custom_openai_api_url' | 'custom_openai_api_key'>>

/** A blank key keeps the stored one, unless the host has changed: a key is only sent to the host it was entered for. */
export function customApiColumns(
  { url: sent, key }: ApiSetting['custom_openai_api_settings'],
  stored: Pick<SourceSettingRow, 'user_id' | 'custom_openai_api_url'>,
  secretBox: SecretBox,
): CustomApiColumns {
  const url = sent?.trim() ? requireAddress(sent.trim()) : null
  if (url === null || key === null) return { custom_openai_api_url: url, custom_openai_api_key: null }
  if (key !== '')
    return { custom_openai_api_url: url, custom_openai_api_key: secretBox.seal(key, contextOf(stored.user_id, url)) }
  const before = stored.custom_openai_api_url
  const kept = before !== null && new URL(before).origin === new URL(url).origin
  return kept ? { custom_openai_api_url: url } : { custom_openai_api_url: url, custom_openai_api_key: null }
}

/** The encryption context: a key can be decrypted only for this user and this origin. */
function contextOf(user_id: number, url: string): string {
  return `user_source_settings/${user_id}/openai_api/custom_openai_api_key/${new URL(url).origin}`
}

function requireAddress(text: string): string {
  if (baseAddressOf(text) === null) throw invalid(AT, 'Not an address of the form https://…')
  return text
}
