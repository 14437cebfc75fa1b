import { createHash } from 'node:crypto'
import { storableText } from '#contract/storableText.ts'
import { beginningOf } from '#contract/cutText.ts'
import type { Bus } from '#server/foundation/database/bus.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import { randomToken } from '#server/foundation/ids.ts'
import { auditEndedSessions, auditSignIn } from './auditing.ts'
import { providerSessions } from './providerSessions.ts'
import { lastActivity } from './sessionActivity.ts'
import { type Proof, sessionStore } from './sessionStore.ts'
import type { User } from './user.ts'

/** Which sessions ended: one, or all of a person, perhaps except one. */
export type SessionsEnded = { user_id?: number; session?: string; except?: string }

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
        ...(proof.kind === 'provider' && {
          provider_id: proof.provider_id,
          provider_session: proof.provider_session,
        }),
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
    ...providerSessions(open, announce),

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
