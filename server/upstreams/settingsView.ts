import type { Configuration } from '#contract/configuration/configuration.ts'
import type { Credentials } from '#contract/configuration/credentials.ts'
import type { Source } from '#contract/models.ts'
import type { CredentialName } from '#contract/settings.ts'
import { UpstreamChanges, type UpstreamField } from '#contract/upstreams.ts'
import { SharingFields } from '#contract/upstreamSharing.ts'
import type { SecretBox, StoredKey } from '#server/foundation/secrets.ts'
import { CREDENTIAL, openSecret } from './secret.ts'
import type { UpstreamRow } from './store.ts'
import { addressOf, originOf } from './upstream.ts'

/**
 * The specification knows one account of each source, and calls what it has settings and credentials. Here they are a
 * view on a row: the shared upstream of the source that was there before all others, and is never removed. Nothing
 * outside of this folder asks which one that is.
 */
export function rowOfSettings<Row extends Pick<UpstreamRow, 'source'>>(rows: readonly Row[], source: Source): Row {
  const found = rows.find(row => row.source === source)
  if (found === undefined) throw new Error(`no upstream of ${source} is in the database`)
  return found
}

const OF_EVERY_SOURCE = {
  proxy: 'proxy',
  max_completion_concurrency: 'concurrency',
  shared_limit: 'shared_limit',
  shared_limit_window_seconds: 'shared_limit_window_seconds',
} as const

/** The columns that are settings of the source, by the keys of those. */
export const COLUMNS = {
  openai_web: { ...OF_EVERY_SOURCE, chatgpt_base_url: 'base_url', team_account_id: 'team_account_id' },
  openai_api: { ...OF_EVERY_SOURCE, openai_base_url: 'base_url', key_header: 'key_header' },
} as const satisfies { [S in Source]: Partial<Record<keyof Configuration[S], keyof UpstreamRow>> }

/** Its name, and how it is shared, are no settings. */
const NO_SETTINGS = new Set(['label', 'expected', 'dialects', ...Object.keys(SharingFields)])
const LOCKED = Object.keys(UpstreamChanges.shape).filter((name): name is UpstreamField => !NO_SETTINGS.has(name))

/** A shared upstream with the values in force: its own, or what file or environment say in their place. */
export type SharedUpstream = UpstreamRow & {
  /** What is changed as settings and credentials of the source, and not here. */
  locked: readonly UpstreamField[]
  removable: boolean
  /** The name by which its secret is a credential. */
  credential: CredentialName | null
  /** Whether the settings say which of its models are offered and what they are called, or it does for itself. */
  modelsBy: 'settings' | 'row'
  /** The built-in simulator answers in its place. */
  isDemonstration: boolean
}

/**
 * Credentials of the environment or the configuration file. They are in no row, and take the place of what is there.
 */
export type FixedCredentials = Record<keyof Credentials, string | null>

type Dependencies = { settings: Configuration; credentials: FixedCredentials; secretBox: SecretBox }

/** The shared upstreams as they are in force. `rows`: in the order in which they were added. */
export function inForce(rows: readonly UpstreamRow[], given: Dependencies): SharedUpstream[] {
  const viewed = {
    openai_web: rowOfSettings(rows, 'openai_web').id,
    openai_api: rowOfSettings(rows, 'openai_api').id,
  }
  const shared = rows.map((row): SharedUpstream => {
    const source = row.source as Source // only the two sources are ever stored
    return row.id === viewed[source]
      ? withSettings(row, given)
      : {
          ...row,
          locked: [],
          removable: true,
          credential: null,
          modelsBy: source === 'openai_web' ? 'settings' : 'row',
          isDemonstration: false,
        }
  })
  demonstrate(shared, given)
  return shared
}

function withSettings(row: UpstreamRow, { settings, credentials }: Pick<Dependencies, 'settings' | 'credentials'>) {
  const source = row.source as Source // as above
  const credential = CREDENTIAL[source]
  const isGiven = credentials[credential] !== null
  return {
    ...row,
    ...valuesInForce(source, settings),
    ...(isGiven && { sealed_secret: null, secret_origin: null, secret_form: null, secret_by: null, secret_time: null }),
    locked: LOCKED,
    removable: false,
    credential,
    modelsBy: 'settings' as const,
    isDemonstration: false,
  }
}

/** The values of the settings, by their columns. */
export function valuesInForce(source: Source, settings: Configuration): Partial<UpstreamRow> {
  const { proxy, max_completion_concurrency, shared_limit, shared_limit_window_seconds } = settings[source]
  const shared = { proxy, concurrency: max_completion_concurrency, shared_limit, shared_limit_window_seconds }
  if (source === 'openai_web') {
    const { chatgpt_base_url, team_account_id } = settings.openai_web
    return { ...shared, base_url: chatgpt_base_url, team_account_id }
  }
  const { openai_base_url, key_header } = settings.openai_api
  return { ...shared, base_url: openai_base_url, key_header }
}

/**
 * Without an address and a key the simulator answers: for the endpoint, and while it does, for the web account, too.
 */
function demonstrate(shared: SharedUpstream[], given: Dependencies): void {
  for (const source of ['openai_api', 'openai_web'] as const) {
    const row = rowOfSettings(shared, source)
    const { key, isUnreadable } = secretInForce(row, given)
    if (row.base_url !== null || key !== null || isUnreadable) return
    row.isDemonstration = true
  }
}

/** The secret with which an upstream is asked at its present address. */
export function secretInForce(row: SharedUpstream, { settings, credentials, secretBox }: Dependencies): StoredKey {
  // A credential of the environment or the file is bound to no address: both were chosen together.
  const given = row.credential === null ? null : credentials[row.credential]
  if (given !== null) return { key: given, isUnreadable: false }
  const origin = originOf(addressOf(row, settings))
  // A credential that was entered for another address is kept for that.
  const isKeptForAnother = row.credential !== null && row.secret_origin !== origin
  return isKeptForAnother ? { key: null, isUnreadable: false } : openSecret(secretBox, row, origin)
}
