import type { Configuration } from '#contract/configuration.ts'
import { sql } from 'kysely'
import { Credentials, type CredentialsRead, type CredentialState, type SavedSettings } from '#contract/credentials.ts'
import type { Conflict } from '#server/configuration/conflictRefusal.ts'
import { type Bus, inOrder, keepUpToDate } from '#server/foundation/bus.ts'
import type { Engine } from '#server/foundation/database/definition.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Database, Transaction } from '#server/foundation/database/schema.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { openStoredKey, type SecretBox } from '#server/foundation/secrets.ts'

export type CredentialsService = {
  /** The key for the current endpoint; null when there is none or it was entered for another one. */
  openaiApiKey(): string | null
  openaiWebAccessToken(): string | null
  /** Whether one was entered for the current endpoint and cannot be opened: it has to be entered again. */
  isUnreadable(name: CredentialName): boolean
  /** The stored ones that cannot be opened, for whichever endpoint they were entered. */
  unreadable(): CredentialName[]
  /** Whether one is set, its last characters, and who set it when. Without names nobody is named. */
  read(names?: ReadonlyMap<number, string>): CredentialsRead
  /** The ids of those who stored one, to look up their names. */
  changedBy(): number[]
  /** Blank or left out keeps, null clears, anything else replaces and is bound to the current address. */
  store(changes: Partial<Credentials>, by_user_id: number | null): Promise<void>
  /** The same in a transaction of somebody else: compared under a lock, then stored; `settle` follows the transaction. */
  prepare(trx: Transaction, changes: Partial<Credentials>, sent?: Sent): Promise<PreparedCredentials>
  write(trx: Transaction, prepared: PreparedCredentials, by_user_id: number | null, after: Configuration): Promise<void>
  settle(prepared: PreparedCredentials): Promise<void>
  close(): void
}

export type CredentialName = keyof Credentials
/** When each was changed last, as somebody saw it; null: there was none. */
type Expected = NonNullable<SavedSettings['expected']>
/** `within`: where the credentials stand in the body. */
type Sent = { expected: Expected; within: string[] }
/** `before`: when each was changed last, by whom. Nothing may be stored where there are conflicts. */
type PreparedCredentials = {
  wanted: { name: CredentialName; value: string | null }[]
  before: ReadonlyMap<string, Change>
  conflicts: Conflict[]
}
type Change = { update_time: number; updated_by: number | null }
// The schema's keys are those of its type.
const NAMES = Object.keys(Credentials.shape) as CredentialName[]

/** Credentials from the environment or the file, and the variables of the former. */
type StartCredentials = {
  credentials: Record<CredentialName, string | null>
  credentialVariables?: Partial<Record<CredentialName, string>>
}
type Current = { current(): Configuration }

/** The context that a secret is sealed with: sealed for one name and address, it cannot be opened for another. */
const contextOf = (name: CredentialName, origin: string | null): string => `stored_credentials/${name}/${origin ?? ''}`

/** Characters. Of a shorter secret, four would reveal too much. */
const MIN_LENGTH_TO_SHOW = 12

/** `value` is null where it cannot be opened. */
type Known = Change & { value: string | null; origin: string | null }

export async function openCredentials(
  start: StartCredentials,
  open: OpenDatabase,
  secretBox: SecretBox,
  configuration: Current,
  bus: Bus,
): Promise<CredentialsService> {
  const store = credentialStore(open.database)
  let stored = new Map<string, Known>()

  const { reload } = inOrder(async () => {
    stored = new Map((await store.listAll()).flatMap(row => opened(row, secretBox)))
  })
  await reload()
  const close = keepUpToDate({ open, bus, topic: 'credentials', what: 'the stored credentials', reload })

  /** A credential from the environment or the file is not bound to an address: both were chosen together. */
  const inUse = (name: CredentialName): string | null => {
    const given = start.credentials[name]
    if (given !== null) return given
    const known = stored.get(name)
    return known !== undefined && known.origin === originFor(name, configuration.current()) ? known.value : null
  }

  const unreadable = (): CredentialName[] =>
    NAMES.filter(name => start.credentials[name] === null && stored.get(name)?.value === null)

  const isUnreadable = (name: CredentialName): boolean =>
    unreadable().includes(name) && stored.get(name)?.origin === originFor(name, configuration.current())

  function stateOf(name: CredentialName, names: ReadonlyMap<number, string>): CredentialState {
    const isGiven = start.credentials[name] !== null
    const known = isGiven ? undefined : stored.get(name)
    const value = inUse(name)
    const variable = start.credentialVariables?.[name] ?? null
    const originOfGiven = variable === null ? 'file' : 'environment'
    return {
      ...shown(value),
      origin: isGiven ? originOfGiven : known === undefined ? null : 'stored',
      variable,
      changed_by: names.get(known?.updated_by ?? 0) ?? null,
      changed_at: timeOf(known),
      kept_for: known === undefined || value !== null || isUnreadable(name) ? null : known.origin,
      unreadable: known?.value === null,
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
      start,
      within,
    )
    await lockCredentials(trx, open.engine)
    const before = new Map((await credentialStore(trx).listAll()).flatMap(row => opened(row, secretBox)))
    const conflicts = wanted
      .filter(({ name }) => expected[name] !== undefined && expected[name] !== timeOf(before.get(name)))
      .map(({ name }) => ({ path: [...within, name], by_user_id: before.get(name)?.updated_by ?? null }))
    return { wanted, before, conflicts }
  }

  async function write(
    trx: Transaction,
    { wanted, before }: PreparedCredentials,
    updated_by: number | null,
    after: Configuration,
  ): Promise<void> {
    for (const { name, value } of wanted) {
      if (value === null) {
        await credentialStore(trx).clear(name)
        continue
      }
      const origin = originFor(name, after)
      const sealed_value = secretBox.seal(value, contextOf(name, origin))
      // Later than the one before, by whatever clock: the time tells one from the other.
      const update_time = Math.max(Date.now(), (before.get(name)?.update_time ?? 0) + 1)
      await credentialStore(trx).replace({ credential_name: name, sealed_value, origin, update_time, updated_by })
    }
  }

  async function settle({ wanted }: PreparedCredentials): Promise<void> {
    await reload()
    if (wanted.length > 0) bus.publish('credentials')
  }

  return {
    openaiApiKey: () => inUse('openai_api_key'),
    openaiWebAccessToken: () => inUse('openai_web_access_token'),
    isUnreadable,
    unreadable,
    read: (names = new Map()) => ({
      openai_api_key: '',
      openai_web_access_token: '',
      _set: Object.fromEntries(NAMES.map(name => [name, stateOf(name, names)])),
    }),
    changedBy: () => [...new Set([...stored.values()].flatMap(({ updated_by }) => updated_by ?? []))],
    async store(changes, by_user_id) {
      const prepared = await open.transaction(async trx => {
        const found = await prepare(trx, changes)
        await write(trx, found, by_user_id, configuration.current())
        return found
      })
      await settle(prepared)
    },
    prepare,
    write,
    settle,
    close,
  }
}

const timeOf = (known: Change | undefined): string | null =>
  known === undefined ? null : new Date(known.update_time).toISOString()

/** Until the end of the transaction; reading stays possible. SQLite runs one transaction at a time anyway. */
async function lockCredentials(trx: Transaction, engine: Engine): Promise<void> {
  if (engine === 'postgresql') await sql`lock table stored_credentials in share row exclusive mode`.execute(trx)
}

/** The origin a credential is sent to, as the providers derive it from the address. */
function originFor(name: CredentialName, { openai_api, openai_web }: Configuration): string | null {
  const address =
    name === 'openai_api_key'
      ? (openai_api.openai_base_url ?? 'https://api.openai.com/v1/')
      : openai_web.chatgpt_base_url
  return address !== null && URL.canParse(address) ? new URL(address).origin : null
}

function opened(
  { credential_name, sealed_value, origin, update_time, updated_by }: StoredCredential,
  secretBox: SecretBox,
): [string, Known][] {
  const name = NAMES.find(each => each === credential_name)
  if (name === undefined) return []
  const { key: value } = openStoredKey(secretBox, sealed_value, contextOf(name, origin))
  return [[name, { value, origin, update_time, updated_by }]]
}

function requireFree(names: CredentialName[], start: StartCredentials, within: string[]): void {
  const detail = names
    .filter(name => start.credentials[name] !== null)
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

type StoredCredential = {
  credential_name: string
  sealed_value: string
  origin: string | null
  update_time: number
  /** null also for those stored before this was kept. */
  updated_by: number | null
}

export function credentialStore(database: Database) {
  return {
    listAll: () => database.selectFrom('stored_credentials').selectAll().execute(),

    find: (credential_name: string) =>
      database
        .selectFrom('stored_credentials')
        .selectAll()
        .where('credential_name', '=', credential_name)
        .executeTakeFirst(),

    replace: (credential: StoredCredential) =>
      database
        .insertInto('stored_credentials')
        .values(credential)
        .onConflict(conflict =>
          conflict.column('credential_name').doUpdateSet(({ ref }) => ({
            sealed_value: ref('excluded.sealed_value'),
            origin: ref('excluded.origin'),
            update_time: ref('excluded.update_time'),
            updated_by: ref('excluded.updated_by'),
          })),
        )
        .execute(),

    /** Forgets that this person stored credentials. */
    forget: (user_id: number) =>
      database.updateTable('stored_credentials').set({ updated_by: null }).where('updated_by', '=', user_id).execute(),

    clear: (credential_name: string) =>
      database.deleteFrom('stored_credentials').where('credential_name', '=', credential_name).execute(),
  }
}
