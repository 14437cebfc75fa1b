import type { Clock } from '#server/foundation/clock.ts'
import type { SecretBox } from '#server/foundation/secrets.ts'

const LIFETIME_MS = 5 * 60_000
const CONTEXT = 'arkose/ticket'

export type Tickets = ReturnType<typeof arkoseTickets>

/** Tickets are sealed, not stored: every process with the same key takes them. */
export function arkoseTickets({ secretBox, clock }: { secretBox: SecretBox; clock: Pick<Clock, 'now'> }) {
  return {
    issue: (user_id: number): string => secretBox.seal(`${clock.now() + LIFETIME_MS} ${user_id}`, CONTEXT),

    isGood(ticket: string): boolean {
      try {
        const [until = ''] = secretBox.open(ticket, CONTEXT).split(' ')
        return clock.now() < Number(until)
      } catch {
        return false
      }
    },
  }
}
