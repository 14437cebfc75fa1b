import { CLOSE, DeltaEvent, TIP_TERMINATED } from '#contract/asking.ts'

/** What following an ask yields: the server's events, and changes of the connection to it. */
export type ChatEvent = DeltaEvent | ConnectionEvent | CutEvent

/** The page gets no more events of this ask. Only the server knows how an accepted one ends. */
export type CutEvent = { type: 'error'; tip: string; values: null; charged: false | null; messages?: undefined }

/**
 * `blocked`: the portal answers over HTTP, but no socket has ever opened, because something in between refuses the
 * upgrade.
 */
type ConnectionEvent =
  | { type: 'connection'; state: 'open' }
  | { type: 'connection'; state: 'lost'; attempt: number; blocked: boolean }

/** Null for an event that this page does not know: the server may be newer. */
export function readFrame(text: string): DeltaEvent | null {
  const value = parsed(text)
  if (isText(value)) return value
  const event = DeltaEvent.safeParse(value)
  return event.success ? event.data : null
}

/**
 * The part of an event not received before, and the number it reaches. Null when there is none; 'gap' when text before
 * it is missing.
 */
export function unseen(event: DeltaEvent, after: number): { event: DeltaEvent; after: number } | null | 'gap' {
  if (!('n' in event)) return { event, after }
  if (event.n <= after) return null
  // A whole message replaces everything missed before it.
  if (!('t' in event)) return { event, after: event.n }
  const begins = event.n - event.t.length
  if (begins > after) return 'gap'
  return { event: begins === after ? event : { n: event.n, t: event.t.slice(after - begins) }, after: event.n }
}

/** The reason to show when the socket was closed for good; null when the ask can be resumed. */
export function finalReason(code: number, reason: string): string | null {
  const key = /^(errors|tips)\./.test(reason) ? reason : null
  switch (code) {
    case CLOSE.finished:
      return TIP_TERMINATED
    case CLOSE.invalidRequest:
    case CLOSE.refused:
    case CLOSE.tooBig:
    case CLOSE.internal:
      return key ?? TIP_TERMINATED
    // A proxy that shuts down uses the same code, without our reason.
    case CLOSE.upstream:
      return key
    default:
      return null
  }
}

const FIRST_PAUSE_MS = 300
const MAX_PAUSE_MS = 10_000

/**
 * Milliseconds before the next attempt: exponential backoff with a jitter of a half, so that not all pages reconnect at
 * once.
 */
export function pauseBefore(attempt: number, random: number): number {
  return Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(attempt - 1, 10)) * (0.5 + random / 2)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

// Checked without the schema: nine frames of ten are this one.
function isText(value: unknown): value is { n: number; t: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    't' in value &&
    'n' in value &&
    typeof value.t === 'string' &&
    Number.isSafeInteger(value.n)
  )
}
