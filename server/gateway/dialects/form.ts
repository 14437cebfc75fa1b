import type { Dialect } from '#contract/gateway.ts'
import type { RefusalAnswer, ToolRefusal } from './toolRefusal.ts'

export type Fields = Readonly<Record<string, unknown>>

/** What the portal's own events of a stream say of the answer. */
export type StreamFacts = { id: string; model: string; create_time: number; sequence: number }

/** What the portal itself says in a dialect, and reads of its requests. */
export type DialectForm = {
  dialect: Dialect
  refused(refusal: ToolRefusal): RefusalAnswer
  /** Keeps a stream open while its ask waits; `position` in the queue, null where it has its turn. */
  waiting(position: number | null, facts: StreamFacts): string
  /** The end of a stream that cannot go on. */
  brokenOff(refusal: ToolRefusal, facts: StreamFacts): string
  /** Whether one of these events of the upstream ends the stream. */
  ends(events: string): boolean
  /** The field that says how much may be answered. */
  maxOutput: readonly string[]
  /** What was said so far. */
  messages(body: Fields): unknown
}

export const sseEvent = (event: string | null, data: unknown): string =>
  `${event === null ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`

/** No tool shows a comment; people who look at the stream see it. */
export const positionComment = (position: number | null): string =>
  position === null ? ': waiting for the answer\n\n' : `: place ${position}\n\n`
