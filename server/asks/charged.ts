import { CHARGED_QUIET, CHARGED_WHOLE } from '#contract/quietAsks.ts'
import type { RequestedAsk } from './ask.ts'

export type Charged = Pick<RequestedAsk, 'quiet_until'> & {
  relay: Pick<NonNullable<RequestedAsk['relay']>, 'tried' | 'is_beside'> | null
}

/** Thousandths of an ask that its person pays: a question that a tool asks again is paid once. */
export const chargedOf = ({ quiet_until, relay }: Charged): number =>
  Math.max(0, (quiet_until === null ? CHARGED_WHOLE : CHARGED_QUIET) - (relay?.tried?.paid ?? 0))
