import type { Configuration } from '#contract/configuration/configuration.ts'
import { Credentials, type CredentialsRead, type CredentialState } from '#contract/configuration/credentials.ts'
import type { CredentialName } from '#contract/settings.ts'
import type { Conflict } from '#server/configuration/conflictRefusal.ts'
import { recordAudit } from '#server/audit/audit.ts'
import type { Bus } from '#server/foundation/database/bus.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Transaction } from '#server/foundation/database/schema/schema.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { SecretBox } from '#server/foundation/secrets.ts'
import { openSecret, sealedColumns, SOURCE_OF_CREDENTIAL, withoutSecret } from '../secret.ts'
import { type FixedCredentials, rowOfSettings, type SharedUpstream, valuesInForce } from '../settingsView.ts'
import type { Snapshot } from '../snapshot.ts'
import { type UpstreamRow, upstreamStore } from '../store.ts'
import { addressOf, originOf } from '../upstream.ts'

export type CredentialsService = ReturnType<typeof openCredentials>

/**
 * `expected`: when each was changed last, as somebody saw it; null: there was none. `within`: where the credentials
 * stand in the body.
 */
type Sent = { expected: Readonly<Record<string, unknown>>; within: string[] }
/** `rows`: as they are before, locked. Nothing may be stored where there are conflicts. */
type PreparedCredentials = {
  wanted: { name: CredentialName; value: string | null }[]
  rows: readonly UpstreamRow[]
  conflicts: Conflict[]
}

// The schema's keys are those of its type.
const NAMES = Object.keys(Credentials.shape) as CredentialName[]

/** Credentials from the environment or the file, and the variables of the former. */
type StartCredentials = {
  credentials: FixedCredentials
  credentialVariables?: Partial<Record<CredentialName, string>>
}

/** Characters. Of a shorter secret, four would reveal too much. */
const MIN_LENGTH_TO_SHOW = 12

type Dependencies = {
  start: StartCredentials
  open: OpenDatabase
  bus: Bus
  secretBox: SecretBox
  configuration: { current(): Configuration }
  snapshot: Pick<Snapshot, 'rows' | 'secretOf' | 'reload'>
}

/** The secrets of the upstreams of the settings, as the specification reads and writes them. */
export function openCredentials({ start, open, bus, secretBox, configuration, snapshot }: Dependencies) {
  const rowOf = (name: CredentialName): SharedUpstream => rowOfSettings(snapshot.rows(), SOURCE_OF_CREDENTIAL[name])

  /** The stored ones that cannot be opened, for whichever endpoint they were entered. */
  const unreadable = (): CredentialName[] =>
    NAMES.filter(name => {
      const row = rowOf(name)
      return openSecret(secretBox, row, row.secret_origin ?? '').isUnreadable
    })

  function stateOf(name: CredentialName, names: ReadonlyMap<number, string>): CredentialState {
    const row = rowOf(name)
    const isGiven = start.credentials[name] !== null
    const isStored = row.sealed_secret !== null
    const { key, isUnreadable } = snapshot.secretOf(row)
    const variable = start.credentialVariables?.[name] ?? null
    const originOfGiven = variable === null ? 'file' : 'environment'
    return {
      ...shown(key),
      origin: isGiven ? originOfGiven : isStored ? 'stored' : null,
      variable,
      changed_by: names.get(row.secret_by ?? 0) ?? null,
      changed_at: timeOf(row),
      kept_for: !isStored || key !== null || isUnreadable ? null : row.secret_origin || null,
      unreadable: unreadable().includes(name),
    }
  }

  async function prepare(
    trx: Transaction,
    changes: Partial<Credentials>,
    { expected, within }: Sent = { expected: {}, within: [] },
  ): Promise<PreparedCredentials> {
    const wanted = NAMES.flatMap(name => {
      const value = changes[name]
      return value === undefined || value === '' ? [] : [{ name, value }]
    })
    requireFree(
      wanted.filter(({ value }) => value !== null).map(({ name }) => name),
      start.credentials,
      within,
    )
    const rows = await upstreamStore(trx).listSharedForUpdate(open.engine)
    const conflicts = wanted.flatMap(({ name }) => {
      const row = rowOfSettings(rows, SOURCE_OF_CREDENTIAL[name])
      const isSame = expected[name] === undefined || expected[name] === timeOf(row)
      return isSame ? [] : [{ path: [...within, name], by_user_id: row.secret_by }]
    })
    return { wanted, rows, conflicts }
  }

  async function write(
    trx: Transaction,
    { wanted, rows }: PreparedCredentials,
    secret_by: number | null,
    after: Configuration,
  ): Promise<void> {
    for (const { name, value } of wanted) {
      const row = rowOfSettings(rows, SOURCE_OF_CREDENTIAL[name])
      const origin = originOf(addressOf({ ...row, ...valuesInForce(SOURCE_OF_CREDENTIAL[name], after) }, after))
      // Later than the one before, by whatever clock: the time tells one from the other.
      const secret_time = Math.max(Date.now(), (row.secret_time ?? 0) + 1)
      const columns =
        value === null
          ? withoutSecret(secretBox, row)
          : { ...sealedColumns(secretBox, row, origin, value), secret_by, secret_time }
      await upstreamStore(trx).change(row.id, columns)
      const { set, last4 } = shown(value)
      await recordAudit(trx, {
        action: 'secret.changed',
        subject: { kind: 'secret', id: name, name },
        after: { set, last4 },
      })
    }
  }

  async function settle({ wanted }: PreparedCredentials): Promise<void> {
    await snapshot.reload()
    if (wanted.length > 0) bus.publish('upstreams')
  }

  return {
    /** The one for the current endpoint; null when there is none or it was entered for another one. */
    inUse: (name: CredentialName): string | null => snapshot.secretOf(rowOf(name)).key,
    /** Whether one was entered for the current endpoint and cannot be opened: it has to be entered again. */
    isUnreadable: (name: CredentialName): boolean => snapshot.secretOf(rowOf(name)).isUnreadable,
    unreadable,
    /** Whether one is set, its last characters, and who set it when. Without names nobody is named. */
    read: (names: ReadonlyMap<number, string> = new Map()): CredentialsRead => ({
      openai_api_key: '',
      openai_web_access_token: '',
      _set: Object.fromEntries(NAMES.map(name => [name, stateOf(name, names)])),
    }),

    /** The ids of those who stored one, to look up their names. */
    changedBy: (): number[] => [...new Set(NAMES.flatMap(name => rowOf(name).secret_by ?? []))],

    /** Blank or left out keeps, null clears, anything else replaces and is bound to the current address. */
    async store(changes: Partial<Credentials>, by_user_id: number | null): Promise<void> {
      const prepared = await open.transaction(async trx => {
        const found = await prepare(trx, changes)
        await write(trx, found, by_user_id, configuration.current())
        return found
      })
      await settle(prepared)
    },

    /**
     * The same in a transaction of somebody else: compared under a lock, then stored; `settle` follows the transaction.
     */
    prepare,
    write,
    settle,
  }
}

const timeOf = ({ sealed_secret, secret_time }: UpstreamRow): string | null =>
  sealed_secret === null || secret_time === null ? null : new Date(secret_time).toISOString()

function requireFree(names: CredentialName[], given: FixedCredentials, within: string[]): void {
  const detail = names
    .filter(name => given[name] !== null)
    .map(name => {
      return {
        loc: ['body', ...within, name],
        msg: 'is set by the environment or the configuration file',
        type: 'configuration',
      }
    })
  if (detail.length > 0) throw new Refusal('configurationWrong', {}, { detail })
}

function shown(value: string | null): { set: boolean; last4: string | null } {
  return { set: value !== null, last4: value !== null && value.length >= MIN_LENGTH_TO_SHOW ? value.slice(-4) : null }
}
