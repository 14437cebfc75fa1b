import type { Source } from '#contract/models.ts'
import type { Outbound } from '#server/foundation/outbound/outbound.ts'
import type { Provider } from '#server/providers/provider.ts'
import type { Simulator } from '#simulator/simulator.ts'

/** A provider, and what differs between sources where the contract is the same. */
export type HeldProvider = {
  source: Source
  make(outbound: Outbound): Provider
  /** Where the simulator speaks its protocol. */
  address(simulator: Simulator): string
  /** The settings that a refusal for a missed deadline names. */
  deadlines: { connect: string; first_token: string; pause: string; whole: string }
  /** The path that testing the upstream requests. */
  tested_path: string
  lists_models: boolean
  /** Metadata of an answer that ended by itself, and of one that was cut. */
  ended: { whole: Record<string, unknown>; cut: Record<string, unknown> }
}
