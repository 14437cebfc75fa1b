import type { KeyChanges, KeyOfUser, NewKey, UserKey } from '#contract/keys.ts'
import type { Configuration } from '#contract/configuration/configuration.ts'
import { changedFields, recordAudit } from '#server/audit/audit.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import type { Log } from '#server/foundation/logging.ts'
import { invalid, Refusal } from '#server/foundation/refusal.ts'
import { sentLimit, storedLimit } from '#server/policy/limitList.ts'
import { planStore } from '#server/policy/planStore.ts'
import { userStore } from '#server/users/store.ts'
import { openKeyFinding } from './finding.ts'
import { endAsksOfInvalidKeys, stopAsksOf } from './revocation.ts'
import { endingOf, hashOf, newSecret } from './secret.ts'
import { type KeyRow, keyStore } from './store.ts'
import { mostKeys } from './validity.ts'
import { shownKeys, storedFields } from './view.ts'

export type { FoundKey, Key } from './finding.ts'

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  log: Log
  configuration(): Configuration
  /** Ends an ask, wherever it runs. */
  stopAsk(ask_id: string): Promise<unknown>
  /** For a command, beside a portal that may run. */
  for_command: boolean
}

/** Milliseconds: so long a revoked key is told from an unknown one. */
const REVOKED_KEPT = 30 * 86_400_000

/** Of keys that are revoked, the latest are enough to say so. */
const MAX_SECRETS = 60

export type Keys = ReturnType<typeof openKeys>

/** Personal keys: their owner makes, changes, rotates and revokes them, and other tools ask by them. */
export function openKeys(dependencies: Dependencies) {
  const { open, clock, configuration } = dependencies
  const finding = openKeyFinding(dependencies)
  const stopLooking = dependencies.for_command ? () => undefined : endAsksOfInvalidKeys(dependencies)
  const most = async (trx: Transaction | OpenDatabase['database'], user_id: number) =>
    mostKeys(configuration(), await planStore(trx).of(user_id))

  async function revoke(id: number, owner_id: number | null): Promise<void> {
    await open.transaction(async trx => {
      const before = await requireKey(trx, id, owner_id)
      if (await keyStore(trx).change(id, { revoke_time: clock.now() }))
        await recordAudit(trx, { action: 'key.deleted', subject: subjectOf(before) })
    })
    await stopAsksOf(dependencies, [id])
  }

  return {
    find: finding.find,
    noteUse: finding.noteUse,

    async listOwn(user_id: number): Promise<{ keys: UserKey[]; most: number }> {
      const rows = await keyStore(open.database).listOf(user_id)
      const { time_zone } = configuration().portal
      const keys = await shownKeys(open.database, rows, { now: clock.now(), time_zone })
      return { keys, most: await most(open.database, user_id) }
    },

    /** Hashes of what a tool of this person may send, of keys that were revoked too. */
    secretsOf: (user_id: number) => keyStore(open.database).secretsOf(user_id, MAX_SECRETS),

    async make(user_id: number, fields: NewKey): Promise<{ id: number; key: string }> {
      const now = clock.now()
      const secret = newSecret()
      const row = { ...stored(fields, now), ...storedSecret(secret), user_id, create_time: now }
      const id = await open.transaction(async trx => {
        // Counted while the person makes no other one.
        await userStore(trx).lock(user_id, open.engine)
        const store = keyStore(trx)
        await store.removeRevokedBefore(now - REVOKED_KEPT)
        await requireRoom(await most(trx, user_id), await store.countOf(user_id))
        const made = await store.insert({ ...row, revoke_time: null, last_used_time: null, last_tool: null })
        const after = audited({ ...row, name: fields.name })
        await recordAudit(trx, { action: 'key.created', subject: subjectOf({ id: made, name: fields.name }), after })
        return made
      })
      return { id, key: secret }
    },

    /** Gives the new secret where one was asked for. What was being asked by the former one ends. */
    async change(user_id: number, id: number, { rotate, ...fields }: KeyChanges): Promise<string | null> {
      const changes = changedColumns(fields, clock.now())
      const secret = rotate === true ? newSecret() : null
      await open.transaction(async trx => {
        const before = await requireKey(trx, id, user_id)
        const columns = { ...changes, ...(secret !== null && storedSecret(secret)) }
        if (Object.keys(columns).length === 0) return
        if (!(await keyStore(trx).change(id, columns))) throw new Refusal('keyNotFound')
        const subject = subjectOf({ ...before, ...changes })
        const changed = changedFields(audited(before), audited({ ...before, ...changes }))
        if (changed !== null) await recordAudit(trx, { action: 'key.changed', subject, ...changed })
        if (secret !== null) await recordAudit(trx, { action: 'key.rotated', subject })
      })
      // Whoever else has the former secret asks no further with it.
      if (secret !== null) await stopAsksOf(dependencies, [id])
      return secret
    },

    revokeOwn: (user_id: number, id: number): Promise<void> => revoke(id, user_id),
    /** By a superuser, whoever owns it. */
    revoke: (id: number): Promise<void> => revoke(id, null),

    async list(page: { limit: number; offset: number }): Promise<{ rows: KeyOfUser[]; total: number }> {
      const store = keyStore(open.database)
      const [rows, total] = await Promise.all([store.page(page), store.count()])
      return {
        rows: rows.map(({ user_id, username, nickname, ...row }) => ({
          ...storedFields(row),
          user: { id: user_id, username, nickname },
        })),
        total,
      }
    },

    /** Resolves when all that was noted is stored. */
    flush: finding.flush,

    async close(): Promise<void> {
      await stopLooking()
      await finding.flush()
    },
  }
}

function requireRoom(most: number, count: number): void {
  if (most === 0) throw new Refusal('keysNotAllowed')
  if (count >= most) throw new Refusal('tooManyKeys', { most })
}

async function requireKey(trx: Transaction, id: number, owner_id: number | null): Promise<KeyRow> {
  const row = await keyStore(trx).find(id)
  if (row === undefined || (owner_id !== null && row.user_id !== owner_id)) throw new Refusal('keyNotFound')
  return row
}

const storedSecret = (secret: string) => ({ secret_hash: hashOf(secret), ending: endingOf(secret) })

function stored({ expires_at, limits, ...fields }: NewKey, now: number) {
  return { ...fields, limits: limits.map(storedLimit), expire_time: expiryOf(expires_at, now) }
}

function changedColumns({ expires_at, limits, ...fields }: Omit<KeyChanges, 'rotate'>, now: number) {
  return {
    ...fields,
    ...(limits !== undefined && { limits: limits.map(storedLimit) }),
    ...(expires_at !== undefined && { expire_time: expiryOf(expires_at, now) }),
  }
}

function expiryOf(expires_at: string | null, now: number): number | null {
  if (expires_at === null) return null
  const time = Date.parse(expires_at)
  if (time <= now) throw invalid(['body', 'expires_at'], 'timeHasPassed')
  return time
}

const subjectOf = ({ id, name }: Pick<KeyRow, 'id' | 'name'>) => ({ kind: 'key', id, name }) as const

type Audited = Pick<
  KeyRow,
  'name' | 'expire_time' | 'limits' | 'models' | 'may_borrow' | 'quiet_only' | 'keeps_conversations'
>

/** What the audit keeps of a key: nothing of its secret. */
const audited = ({ name, expire_time, limits, models, may_borrow, quiet_only, keeps_conversations }: Audited) => ({
  name,
  expires_at: expire_time === null ? null : new Date(expire_time).toISOString(),
  limits: limits.map(limit => sentLimit(limit)),
  models,
  may_borrow,
  quiet_only,
  keeps_conversations,
})
