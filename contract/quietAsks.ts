/** Asks for when it is quiet: they wait until nobody else does, and are charged half. */
import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { Time, Uuid } from './envelope.ts'
import { Source } from './models.ts'

/** Thousandths of what an ask uses that its person pays. */
export const CHARGED_WHOLE = 1000
export const CHARGED_QUIET = 500

/** What is paid of an amount in whole units, rounded up. */
export const paidOf = (amount: number, charged: number): number => Math.ceil((amount * charged) / CHARGED_WHOLE)

/** How many of one person may wait. */
export const MAX_QUIET_ASKS = 20

/** Days after which one is given up at the latest. */
export const MAX_QUIET_DAYS = 7

/** When it is given up where nothing else is said: so late in the morning, by the clock of the portal. */
export const QUIET_HOUR = 7

export const QuietTimes = z.object({
  /** Until when one waits that says nothing of it. */
  until: Time,
  /** When it is likely to be quiet, by what is usual; null where nobody can tell. */
  likely_at: z.nullable(Time),
  /** How many of one's own wait, and how many may. */
  waiting: z.int(),
  most: z.int(),
})
export type QuietTimes = z.infer<typeof QuietTimes>

export const readQuietTimes = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/asks/quiet',
  summary: 'When it is likely to be quiet, and until when an ask waits for that.',
  query: z.object({ source: Source }),
  result: QuietTimes,
} as const satisfies Call

/**
 * As if it were asked now, at the whole price: it waits for its turn. One that is refused goes on waiting until it is
 * quiet.
 */
export const askQuietNow = {
  ...nothing,
  access: 'user',
  method: 'POST',
  path: '/asks/:id/now',
  summary: 'Asks now what waits until it is quiet.',
  params: z.object({ id: Uuid }),
  result: z.null(),
} as const satisfies Call
