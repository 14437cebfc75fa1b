import type { Insertable } from 'kysely'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase, Tables } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { storageRefusalOf } from '#server/foundation/storageRefusal.ts'
import { sessionStore } from './sessionStore.ts'
import type { User } from './user.ts'

/** A session as it is stored, for whom the password was right at that moment. */
export type NewSession = { row: Insertable<Tables['sessions']>; password_hash: string }

/** Milliseconds between tries. */
const TRY_EVERY = 2_000
/** More people than this do not sign in while a disk is full; whoever fills it may try. */
const MOST = 10_000

/** Whether it was stored: not when the password is another one meanwhile, or the account is gone. */
export function storeSession(open: OpenDatabase, { row, password_hash }: NewSession): Promise<boolean> {
  return open.transaction(async trx => {
    if (!(await sessionStore(trx).touchSignedIn(row.user_id, password_hash, row.create_time))) return false
    await sessionStore(trx).insert(row)
    return true
  })
}

/**
 * What the disk would not take of signing in and out: kept in memory and good in this process, until the disk takes it. So people can read, and
 * whoever runs the portal can look after it, while nothing can be written.
 */
export function heldSessions({ open, clock }: { open: OpenDatabase; clock: Clock }) {
  const store = sessionStore(open.database)
  const begun = new Map<string, NewSession>()
  const ended = new Set<string>()
  const storing = new Map<string, Promise<boolean>>()
  let timer: NodeJS.Timeout | null = null

  function tryLater(): void {
    if (begun.size + ended.size === 0) return
    timer ??= setTimeout(() => {
      timer = null
      void storeAll()
        .catch(() => undefined)
        .finally(tryLater) // why it fails was told when it began
    }, TRY_EVERY).unref()
  }

  async function storeAll(): Promise<void> {
    for (const session of ended) {
      await store.remove(session)
      ended.delete(session)
    }
    for (const session of begun.keys()) await keep(session)
  }

  /** Stores what is only held; throws what the disk says. */
  async function keep(session: string): Promise<void> {
    const held = begun.get(session)
    if (held === undefined) return
    const isKept =
      storing.get(session) ?? (held.row.expire_time > clock.now() ? storeSession(open, held) : Promise.resolve(false))
    storing.set(session, isKept)
    await isKept.finally(() => storing.delete(session))
    begun.delete(session)
  }

  return {
    keep,

    /** Like `storeSession`, and gives what kept the disk from taking it as `refused`. */
    async hold(session: NewSession, refused: unknown): Promise<boolean> {
      const refusal = storageRefusalOf(refused)
      if (refusal === null) throw refused
      if (begun.size >= MOST) throw refusal
      if ((await store.personWith(session.row.user_id, session.password_hash)) === undefined) return false
      begun.set(session.row.token_hash, session)
      tryLater()
      return true
    },

    /** A stored session that could not be removed is not good any more. */
    end(session: string, refused: unknown): void {
      if (storageRefusalOf(refused) === null) throw refused
      ended.add(session)
      tryLater()
    },

    forget: (session: string): void => {
      begun.delete(session)
    },
    isEnded: (session: string): boolean => ended.has(session),

    /** Whose it is, as they are now; null when it is not held here, has expired, or their password is another one. */
    async find(session: string): Promise<User | null> {
      const held = begun.get(session)
      if (held === undefined || held.row.expire_time <= clock.now()) return null
      const person = await store.personWith(held.row.user_id, held.password_hash)
      if (person === undefined) return null
      return {
        ...person,
        session,
        session_create_time: held.row.create_time,
        has_own_endpoint: Boolean(person.has_own_endpoint),
      }
    },

    expireTime: (session: string): number | undefined => begun.get(session)?.row.expire_time,

    endAllOf(user_id: number): void {
      for (const [session, { row }] of begun) if (row.user_id === user_id) begun.delete(session)
    },

    close(): void {
      if (timer !== null) clearTimeout(timer)
    },
  }
}

/** For whoever counts what failed: anything that is not the disk's doing is thrown on. */
export function requireOfStorage(cause: unknown): void {
  if (cause instanceof Refusal || storageRefusalOf(cause) === null) throw cause
}
