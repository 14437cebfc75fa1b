import * as z from 'zod/mini'
import { Time } from './envelope.ts'

/** Of a conversation, only in the list of one's own. */
export const askedFields = {
  /** The running ask, so that any device can follow it. */
  running_ask: z.optional(z.string()),
  /** One that waits until it is quiet, at most until then. */
  quiet_ask: z.optional(z.object({ ask_id: z.string(), until: Time })),
  /** It ends with a question whose ask failed. */
  unanswered: z.optional(z.literal(true)),
  /** With it: it was never quiet until the question was given up. */
  quiet_over: z.optional(z.literal(true)),
}
