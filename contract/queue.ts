import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { Time, Uuid } from './envelope.ts'
import { NamedUser } from './jobs.ts'
import { AccountMeter } from './status.ts'

/** Of an account, as many as are listed by name; what comes behind is a number. */
export const MAX_LISTED_ASKS = 50

export const QueuedAsk = z.object({
  ask_id: z.string(),
  state: z.enum(['asking', 'queueing']),
  person: NamedUser,
  /** Null for an ask without one. */
  conversation_id: z.nullable(z.string()),
  /** Of the conversation. */
  title: z.nullable(z.string()),
  model: z.string(),
  /** When it began to be answered, or to wait. */
  since: Time,
})
export type QueuedAsk = z.infer<typeof QueuedAsk>

/** A shared account with who is answered and who waits, in the order of their turns. */
export const QueueAccount = z.extend(z.omit(AccountMeter, { line: true }), { asks: z.array(QueuedAsk) })
export type QueueAccount = z.infer<typeof QueueAccount>

export const Queue = z.object({ now: Time, accounts: z.array(QueueAccount) })
export type Queue = z.infer<typeof Queue>

export const readQueue = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/system/queue',
  summary: 'Who is answered and who waits at each shared account, with what they asked in.',
  result: Queue,
} as const satisfies Call

/** What has arrived of the answer is kept, as when the person stops it. False where it has ended by itself. */
export const stopAsk = {
  ...nothing,
  access: 'superuser',
  method: 'POST',
  path: '/system/asks/:id/stop',
  summary: 'Ends somebody’s ask, wherever it runs or waits.',
  params: z.object({ id: Uuid }),
  result: z.boolean(),
} as const satisfies Call
