import { createHash } from 'node:crypto'
import type { Expression, Insertable } from 'kysely'
import { storableText } from '#contract/storableText.ts'
import { beginningOf } from '#contract/cutText.ts'
import type { Bus } from '#server/foundation/database/bus.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase, Transaction, Database, Tables } from '#server/foundation/database/open.ts'
import { randomToken } from '#server/foundation/ids.ts'
import { prepared } from '#server/foundation/database/schema/prepared.ts'
import { auditEndedSessions, auditSignIn } from './auditing.ts'
import type { User } from './user.ts'

/** Which sessions ended: one, or all of a person, perhaps except one. */
export type SessionsEnded = { user_id?: number; session?: string; except?: string }

/**
 * What shows who somebody is when a session begins. A password is good while it is the account's; anything else unless
 * all sessions of the person were ended after it was shown.
 */
export type Proof = { kind: 'password'; password_hash: string } | { kind: 'invitation'; time: number }

export type Visitor = { user_agent: string | null; address: string | null }

/** `session` is the hash of the token, `former` that of the one before. */
export type Renewal = { token: string; session: string; former: string }

const TOPIC = 'session-ended'
const TOKEN = /^[A-Za-z0-9_-]{43}$/
const MAX_AGENT_LENGTH = 200
/** How many sessions one query asks for. */
const AT_ONCE = 500

/** Opaque tokens of 256 bits, of which only the hash is stored: whoever reads the database cannot sign in with it. */
const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

export type Sessions = ReturnType<typeof openSessions>

export function openSessions(dependencies: {
  open: OpenDatabase
  clock: Clock
  bus: Bus
  onFailure(cause: unknown): void
}) {
  const { open, clock, bus } = dependencies
  const store = sessionStore(open.database)
  const activity = lastActivity(dependencies)
  const announce = (ended: SessionsEnded) => bus.publish(TOPIC, JSON.stringify(ended))

  async function findLive(token_hash: string): Promise<User | null> {
    const found = await store.findLive(token_hash, clock.now())
    if (!found) return null
    const { token_hash: session, last_seen_time, ...user } = found
    activity.record({ user_id: user.id, session, last_seen_time })
    return { ...user, session }
  }

  async function endOne(session: string): Promise<void> {
    await store.remove(session)
    announce({ session })
  }

  return {
    find: async (token: string) => (TOKEN.test(token) ? findLive(hashOf(token)) : null),
    /** The person of a session as they are now: for sockets, which stay open longer than a request. */
    findAgain: findLive,

    /** Which of these sessions have ended. */
    async endedAmong(asked: readonly string[]): Promise<Set<string>> {
      const ended = new Set(asked)
      const all = [...ended]
      for (let start = 0; start < all.length; start += AT_ONCE) {
        for (const { token_hash } of await store.liveAmong(all.slice(start, start + AT_ONCE), clock.now()))
          ended.delete(token_hash)
      }
      return ended
    },

    /**
     * Returns the token, which only the browser keeps. Returns null when the proof does not hold any more, or the
     * account is gone: otherwise a session could begin after all sessions of the person were ended.
     */
    async start(user_id: number, proof: Proof, seconds: number, visitor: Visitor): Promise<string | null> {
      const token = randomToken()
      const now = clock.now()
      const row = {
        token_hash: hashOf(token),
        user_id,
        proof: proof.kind,
        create_time: now,
        last_seen_time: now,
        expire_time: now + seconds * 1_000,
        user_agent: storedAgent(visitor.user_agent),
        address: visitor.address,
      }
      const stored = await open.transaction(async trx => {
        if (!(await sessionStore(trx).touchSignedIn(user_id, proof, now))) return false
        await sessionStore(trx).insert(row)
        await auditSignIn(trx, user_id)
        return true
      })
      return stored ? token : null
    },

    renewal,

    /** Seconds until the session expires. */
    async secondsLeft(token: string): Promise<number> {
      const found = await store.expireTime(hashOf(token))
      return Math.max(0, Math.floor(((found?.expire_time ?? 0) - clock.now()) / 1_000))
    },

    end: (token: string): Promise<void> => endOne(hashOf(token)),
    /** By the hash of its token, of this person, for somebody who looks after people. */
    async endFor(user_id: number, session: string): Promise<void> {
      await open.transaction(async trx => {
        await sessionStore(trx).remove(session)
        await auditEndedSessions(trx, user_id, 1)
      })
      announce({ session })
    },
    /** All of a person, except one if it is theirs. Gives how many. */
    async endAllOf(user_id: number, except: string | null): Promise<number> {
      const ended = await open.transaction(async trx => {
        const sessions = await sessionStore(trx).removeAllOf(user_id, except)
        if (except === null) await sessionStore(trx).noteSignedOut(user_id, clock.now())
        await auditEndedSessions(trx, user_id, sessions.length)
        return sessions.length
      })
      announce({ user_id, ...(except !== null && { except }) })
      return ended
    },

    /** Call it in a transaction, after changing the person's row, and call `announceEndOf` after the commit. */
    async removeAllOf(trx: Transaction, user_id: number, kept: Renewal | null = null): Promise<number> {
      const ended = await sessionStore(trx).removeAllOf(user_id, kept?.former ?? null)
      if (kept === null) await sessionStore(trx).noteSignedOut(user_id, clock.now())
      if (kept) await sessionStore(trx).rename(kept.former, kept.session)
      return ended.length
    },
    announceEndOf(user_id: number, kept: Renewal | null = null): void {
      announce({ user_id, except: kept?.session })
    },

    async removeExpired(): Promise<{ removed: number }> {
      const { numDeletedRows } = await store.removeExpired(clock.now())
      return { removed: Number(numDeletedRows) }
    },

    onEnded: (listener: (ended: SessionsEnded) => void) =>
      bus.subscribe(TOPIC, body => listener(JSON.parse(body) as SessionsEnded)), // only `announce` writes it
    close: (): Promise<void> => activity.flush(),
  }
}

/** A new token for a session. The former one is invalid as soon as the new one is stored (`removeAllOf`). */
function renewal(former: string): Renewal {
  const token = randomToken()
  return { token, session: hashOf(token), former }
}

/** A header may hold characters that the databases cannot store; this text is only displayed. */
function storedAgent(user_agent: string | null): string | null {
  return user_agent === null ? null : beginningOf(storableText(user_agent), MAX_AGENT_LENGTH)
}

/** Milliseconds. The last activity of a person is stored once a minute, not with every request. */
const STORED_EVERY = 60_000
const FLUSHED_AFTER = 1_000

type LastActivity = {
  record(activity: { user_id: number; session: string; last_seen_time: number }): void
  /** Stores what has not been stored yet. */
  flush(): Promise<void>
}

/** Collects who was active and stores it a moment later in one transaction. No request waits for it. */
function lastActivity({
  open,
  clock,
  onFailure,
}: {
  open: OpenDatabase
  clock: Clock
  onFailure(cause: unknown): void
}): LastActivity {
  const pending = new Map<string, number>()
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> = Promise.resolve()

  async function write(): Promise<void> {
    if (pending.size === 0) return
    // Sorted, so that two processes never deadlock on each other's rows.
    const sessions = [...pending].sort(([a], [b]) => (a < b ? -1 : 1))
    const users = [...new Set(pending.values())].sort((a, b) => a - b)
    pending.clear()
    const now = clock.now()
    await open.transaction(
      async trx => {
        const store = sessionStore(trx)
        for (const user_id of users) await store.touchUser(user_id, now)
        for (const [session] of sessions) await store.touch(session, now)
      },
      { lowPriority: true },
    )
  }

  function flush(): Promise<void> {
    if (timer) clearTimeout(timer)
    timer = null
    writing = writing.then(write).catch(onFailure)
    return writing
  }

  return {
    record({ user_id, session, last_seen_time }) {
      if (clock.now() - last_seen_time < STORED_EVERY) return
      pending.set(session, user_id)
      timer ??= setTimeout(flush, FLUSHED_AFTER).unref()
    },
    flush,
  }
}

/** Subquery: the sessions that have not expired, of active people, joined with those people. */
const liveSessions = (database: Database, now: number) =>
  database
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .where('sessions.expire_time', '>', now)
    .where('users.is_active', '=', true)

const live = prepared((database, { token_hash, now }: { token_hash: string; now: number }) =>
  liveSessions(database, now)
    .where('sessions.token_hash', '=', token_hash)
    .select([
      'users.id',
      'users.username',
      'users.nickname',
      'users.is_superuser',
      'sessions.token_hash',
      'sessions.last_seen_time',
      'sessions.create_time as session_create_time',
    ]),
)

/** Subquery: the sessions of a person that have not expired. */
export const sessionsOf = (database: Database, user_id: Expression<number>, now: number) =>
  database.selectFrom('sessions').where('sessions.user_id', '=', user_id).where('sessions.expire_time', '>', now)

/** How many of these people's sessions have not expired. */
export const countSessions = (database: Database, user_ids: readonly number[], now: number) =>
  database
    .selectFrom('sessions')
    .select(({ fn }) => ['user_id', fn.countAll<number>().as('count')])
    .where('user_id', 'in', user_ids)
    .where('expire_time', '>', now)
    .groupBy('user_id')
    .execute()

/** Queries and nothing else. Takes a transaction as well as the database. */
export function sessionStore(database: Database) {
  return {
    /** The session with its person, in one indexed read; nothing when it has expired or the person is not active. */
    findLive: (token_hash: string, now: number) => live.first(database, { token_hash, now }),

    liveAmong: (token_hashes: readonly string[], now: number) =>
      liveSessions(database, now)
        .select('sessions.token_hash')
        .where('sessions.token_hash', 'in', token_hashes)
        .execute(),

    /** Of a person, those that have not expired, the latest used first. */
    listOf: (user_id: number, now: number) =>
      database
        .selectFrom('sessions')
        .select(['token_hash', 'create_time', 'last_seen_time', 'expire_time', 'user_agent', 'address', 'proof'])
        .where('user_id', '=', user_id)
        .where('expire_time', '>', now)
        .orderBy('last_seen_time', 'desc')
        .orderBy('token_hash')
        .execute(),

    expireTime: (token_hash: string) =>
      database.selectFrom('sessions').select('expire_time').where('token_hash', '=', token_hash).executeTakeFirst(),

    insert: (session: Insertable<Tables['sessions']>) => database.insertInto('sessions').values(session).execute(),

    rename: (token_hash: string, new_hash: string) =>
      database.updateTable('sessions').set({ token_hash: new_hash }).where('token_hash', '=', token_hash).execute(),

    remove: (token_hash: string) => database.deleteFrom('sessions').where('token_hash', '=', token_hash).execute(),

    removeAllOf: (user_id: number, except: string | null) =>
      database
        .deleteFrom('sessions')
        .where('user_id', '=', user_id)
        .$if(except !== null, query => query.where('token_hash', '!=', except ?? ''))
        .returning('token_hash')
        .execute(),

    /** What was asked before then is not begun any more, as far as it still waits. */
    noteSignedOut: (user_id: number, now: number) =>
      database.updateTable('users').set({ signed_out_time: now }).where('id', '=', user_id).execute(),

    /** Also of a database of any earlier schema. */
    removeAll: () => database.deleteFrom('sessions').execute(),

    removeExpired: (now: number) =>
      database.deleteFrom('sessions').where('expire_time', '<=', now).executeTakeFirstOrThrow(),

    touch: (token_hash: string, now: number) =>
      database.updateTable('sessions').set({ last_seen_time: now }).where('token_hash', '=', token_hash).execute(),

    /** Notes the sign-in; false when the person is not active or the proof does not hold any more. */
    touchSignedIn: async (user_id: number, proof: Proof, now: number) => {
      const { numUpdatedRows } = await database
        .updateTable('users')
        .set({ last_active_time: now })
        .where('id', '=', user_id)
        .where('is_active', '=', true)
        .where(({ or, eb }) =>
          proof.kind === 'password'
            ? eb('password_hash', '=', proof.password_hash)
            : or([eb('signed_out_time', 'is', null), eb('signed_out_time', '<', proof.time)]),
        )
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    touchUser: (user_id: number, now: number) =>
      database.updateTable('users').set({ last_active_time: now }).where('id', '=', user_id).execute(),
  }
}
