import { ARKOSE_KEY } from '#contract/arkose.ts'
import type { Configuration } from '#contract/configuration/configuration.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Outbound } from '#server/foundation/outbound/outbound.ts'
import type { SecretBox } from '#server/foundation/secrets.ts'
import { userStore } from '#server/users/store.ts'
import { arkoseForwarder } from './forwarder.ts'

const LIFETIME_MS = 5 * 60_000
const CONTEXT = 'arkose/ticket'

type Dependencies = {
  open: OpenDatabase
  configuration(): Configuration
  clock: Clock
  outbound: Outbound
  secretBox: SecretBox
}

/** Tickets are sealed, not stored: every process with the same key takes them. They end with the account. */
function openTickets({ open, secretBox, clock }: Dependencies) {
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

/** The address of the Arkose endpoint, with its slash; null while questions go without its tokens. */
export function arkoseBase({ openai_web }: Configuration): string | null {
  const { enable_arkose_endpoint, arkose_endpoint_base } = openai_web
  return enable_arkose_endpoint ? arkose_endpoint_base : null
}

export type Arkose = ReturnType<typeof openArkose>

/**
 * Tokens of an Arkose endpoint, without which some web services answer nothing. The browser fetches them, through the
 * portal alone.
 */
export function openArkose(given: Dependencies) {
  const { configuration } = given
  return {
    /** The address of the endpoint; null while it is off. */
    base: () => arkoseBase(configuration()),

    info(): { enabled: boolean; url: string } {
      const { arkose_endpoint_base: base } = configuration().openai_web
      return { enabled: arkoseBase(configuration()) !== null, url: base === null ? '' : `${base}${ARKOSE_KEY}/api.js` }
    },

    tickets: openTickets(given),
    ask: arkoseForwarder(given),
  }
}
