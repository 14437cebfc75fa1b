import type { Insertable } from 'kysely'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase, Tables } from '#server/foundation/database/open.ts'
import { Refusal, storageRefusalOf } from '#server/foundation/refusal.ts'
import { sessionStore } from './sessionStore.ts'
import type { User } from './user.ts'

/** A session as it is stored, for whom the password was right at that moment. */
type NewSession = { row: Insertable<Tables['sessions']>; password_hash: string }

/** Milliseconds between attempts to store them. */
const RETRY_INTERVAL = 2_000
/** Sessions. A bound, since whoever fills the disk could also sign in without end. */
const MOST = 10_000

/** Whether it was stored: not when the password has changed meanwhile, or the account is gone. */
export function storeSession(open: OpenDatabase, { row, password_hash }: NewSession): Promise<boolean> {
  return open.transaction(async trx => {
    if (!(await sessionStore(trx).touchSignedIn(row.user_id, password_hash, row.create_time))) return false
    await sessionStore(trx).insert(row)
    return true
  })
}

/**
 * Sessions that began or ended while the disk was full: kept in memory and good in this process, until they can be stored. So people can read,
 * and whoever runs the portal can sign in and look after it, while nothing can be written.
 */
export function sessionsInMemory({ open, clock }: { open: OpenDatabase; clock: Clock }) {
  const store = sessionStore(open.database)
  const started = new Map<string, NewSession>()
  const ended = new Set<string>()
  const storing = new Map<string, Promise<boolean>>()
  let timer: NodeJS.Timeout | null = null

  function retryLater(): void {
    if (started.size + ended.size === 0) return
    timer ??= setTimeout(() => {
      timer = null
      void persistAll()
        .catch(() => undefined)
        .finally(retryLater) // the first failure was reported to whoever signed in or out
    }, RETRY_INTERVAL).unref()
  }

  async function persistAll(): Promise<void> {
    for (const session of ended) {
      await store.remove(session)
      ended.delete(session)
    }
    for (const session of started.keys()) await persist(session)
  }

  async function persist(session: string): Promise<void> {
    const kept = started.get(session)
    if (kept === undefined) return
    const stored =
      storing.get(session) ?? (kept.row.expire_time > clock.now() ? storeSession(open, kept) : Promise.resolve(false))
    storing.set(session, stored)
    await stored.finally(() => storing.delete(session))
    started.delete(session)
  }

  return {
    /** Stores a session that is in memory only; throws when the disk is still full. */
    persist,

    /** Keeps a session that could not be stored because of `cause`. Any cause but a full disk is thrown again. */
    async add(session: NewSession, cause: unknown): Promise<boolean> {
      const refusal = storageRefusalOf(cause)
      if (refusal === null) throw cause
      if (started.size >= MOST) throw refusal
      if ((await store.personWith(session.row.user_id, session.password_hash)) === undefined) return false
      started.set(session.row.token_hash, session)
      retryLater()
      return true
    },

    /** Ends a stored session that could not be removed because of `cause`. */
    end(session: string, cause: unknown): void {
      if (storageRefusalOf(cause) === null) throw cause
      ended.add(session)
      retryLater()
    },

    remove: (session: string): void => {
      started.delete(session)
    },
    isEnded: (session: string): boolean => ended.has(session),

    /** Whose it is, as they are now; null when it is not in memory, has expired, or their password has changed. */
    async find(session: string): Promise<User | null> {
      const kept = started.get(session)
      if (kept === undefined || kept.row.expire_time <= clock.now()) return null
      const person = await store.personWith(kept.row.user_id, kept.password_hash)
      if (person === undefined) return null
      return { ...person, session, session_create_time: kept.row.create_time }
    },

    expireTime: (session: string): number | undefined => started.get(session)?.row.expire_time,

    removeAllOf(user_id: number): void {
      for (const [session, { row }] of started) if (row.user_id === user_id) started.delete(session)
    },

    close(): void {
      if (timer !== null) clearTimeout(timer)
    },
  }
}

/** For whoever only counts failures: throws what is not the disk's doing. */
export function requireOfStorage(cause: unknown): void {
  if (cause instanceof Refusal || storageRefusalOf(cause) === null) throw cause
}
