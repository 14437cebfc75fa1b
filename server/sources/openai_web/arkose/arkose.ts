import type { Configuration } from '#contract/configuration/configuration.ts'
import { ARKOSE_KEY } from '#contract/arkose.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Outbound } from '#server/foundation/outbound/outbound.ts'
import type { SecretBox } from '#server/foundation/secrets.ts'
import { arkoseForwarder } from './forwarder.ts'
import { arkoseTickets } from './tickets.ts'

/** The address of the Arkose endpoint, with its slash; null while questions go without its tokens. */
export function arkoseBase({ openai_web }: Configuration): string | null {
  const { enable_arkose_endpoint, arkose_endpoint_base } = openai_web
  return enable_arkose_endpoint ? arkose_endpoint_base : null
}

type Dependencies = {
  open: OpenDatabase
  configuration(): Configuration
  clock: Clock
  outbound: Outbound
  secretBox: SecretBox
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

    tickets: arkoseTickets(given),
    ask: arkoseForwarder(given),
  }
}
