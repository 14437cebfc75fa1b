import type { Configuration } from '#contract/configuration/configuration.ts'
import { beginningOf } from '#contract/cutText.ts'
import { storableText } from '#contract/storableText.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Log } from '#server/foundation/logging.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { withOrigin } from '#server/policy/limitList.ts'
import type { Caller, User } from '#server/users/user.ts'
import { hashOf, isWellFormed } from './secret.ts'
import { keyStore, type OwnedKeyRow } from './store.ts'
import { invalidity } from './validity.ts'

/** A key that holds. */
export type Key = Pick<OwnedKeyRow, 'id' | 'name' | 'ending' | 'keeps_conversations' | 'last_used_time' | 'last_tool'>

/** A key with whom it asks for. */
export type FoundKey = { key: Key; caller: Caller; user: Pick<User, 'id' | 'username' | 'nickname'> }

type Dependencies = { open: OpenDatabase; clock: Clock; log: Log; configuration(): Configuration }

/** Milliseconds: the last use of a key is stored so often at most, not with every request. */
const STORED_EVERY = 60_000
/** Characters of what a tool calls itself. */
const MAX_TOOL = 64

/** Finds whom a secret asks for, and notes when it was used last. */
export function openKeyFinding({ open, clock, log, configuration }: Dependencies) {
  const noted = new Map<number, number>()
  let writing: Promise<unknown> = Promise.resolve()

  /** The same key with the same secret, as a transaction sees it. */
  const holds =
    (secret_hash: string): Caller['stillValid'] =>
    async trx => {
      const row = await keyStore(trx).findBySecret(secret_hash)
      return row !== undefined && invalidity(row, configuration(), clock.now()) === null
    }

  return {
    /** Refuses a key that is unknown or holds no more. A mistyped one is refused without the database. */
    async find(secret: string): Promise<FoundKey> {
      const secret_hash = hashOf(secret)
      const row = isWellFormed(secret) ? await keyStore(open.database).findBySecret(secret_hash) : undefined
      if (row === undefined) throw new Refusal('keyInvalid')
      const refused = invalidity(row, configuration(), clock.now())
      if (refused !== null) throw new Refusal(refused)
      const { id, user_id, username, nickname, models, may_borrow, quiet_only } = row
      const limits = row.limits.map(limit => withOrigin(limit, { from: 'own' }))
      const bounds = { limits, models, may_borrow, quiet_only }
      const caller: Caller = { user_id, kind: 'key', id: String(id), bounds, stillValid: holds(secret_hash) }
      return { key: row, caller, user: { id: user_id, username, nickname } }
    },

    /** Notes that a tool asks with a key. Nobody waits for it. */
    noteUse({ id, last_used_time }: Key, tool: string | null): void {
      const now = clock.now()
      if (Math.abs(now - Math.max(last_used_time ?? 0, noted.get(id) ?? 0)) < STORED_EVERY) return
      noted.set(id, now)
      const last_tool = tool === null ? null : beginningOf(storableText(tool), MAX_TOOL)
      writing = Promise.all([
        writing,
        open
          .transaction(trx => keyStore(trx).change(id, { last_used_time: now, last_tool }), { lowPriority: true })
          .catch((error: unknown) => log.warn({ err: error }, 'the last use of a key could not be stored')),
      ])
    },

    /** Resolves when all that was noted is stored. */
    flush: async (): Promise<void> => {
      await writing
    },
  }
}
