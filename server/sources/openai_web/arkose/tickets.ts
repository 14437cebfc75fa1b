import { userStore } from '#server/users/store.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { SecretBox } from '#server/foundation/secrets.ts'

const LIFETIME_MS = 5 * 60_000
const CONTEXT = 'arkose/ticket'

type Dependencies = { open: Pick<OpenDatabase, 'database'>; secretBox: SecretBox; clock: Pick<Clock, 'now'> }

/** Tickets are sealed, not stored: every process with the same key takes them. They end with the account. */
export function arkoseTickets({ open, secretBox, clock }: Dependencies) {
  return {
    issue: (user_id: number): string => secretBox.seal(`${clock.now() + LIFETIME_MS} ${user_id}`, CONTEXT),

    async isGood(ticket: string): Promise<boolean> {
      const [until, user_id] = opened(ticket)
      return clock.now() < until && userStore(open.database).isActive(user_id)
    },
  }

  /** The time at which a ticket ends, and the id of its user. */
  function opened(ticket: string): [number, number] {
    try {
      const [until, user_id] = secretBox.open(ticket, CONTEXT).split(' ')
      return [Number(until), Number(user_id)]
    } catch {
      return [0, 0]
    }
  }
}
