import type { Readable } from 'node:stream'

/**
 * Milliseconds, each from the end of the one before; the total from the beginning. Looking the name up is part of
 * connecting.
 */
export type Deadlines = {
  connect_timeout_ms: number
  first_byte_timeout_ms: number
  idle_timeout_ms: number
  total_timeout_ms: number
  /** The deadline for the first byte lasts until the reader calls `useIdleDeadline`, whatever comes before that. */
  keeps_first_byte_deadline?: boolean
}

/**
 * What a reader answers to a chunk: `continue`; `cancel` hangs up; `done` says that this was the last, so that the end
 * of the body is about to come, with which the connection is good for the next request.
 */
export type ReaderSignal = 'continue' | 'cancel' | 'done'

export type OutboundBody = {
  /**
   * Hands over each chunk as it arrives, to one reader. Resolves at the end, or when the reader wants no more. Rejects
   * with an OutboundFailure, or with what the reader throws.
   */
  each(read: (chunk: Uint8Array) => ReaderSignal): Promise<void>
  /**
   * The chunks as a stream, which fails where there are more bytes: while nobody reads it, the other side waits, and
   * only the whole has a deadline. Destroying it ends the exchange.
   */
  stream(max_bytes: number): Readable
  /** Its reader wants no more for now: the other side waits, and a pause has no deadline. In what `each` calls. */
  pause(): void
  /** It wants more. */
  resume(): void
  /** At most so many bytes of it, as text; the rest is not read. */
  text(max_bytes: number): Promise<string>
  /** From now on the deadline is that of a pause between two chunks. */
  useIdleDeadline(): void
  /** From now on only the whole has a deadline. */
  useTotalDeadlineOnly(): void
  /** Ends the exchange, unless its reader said that it is done; may be called at any time, and twice. */
  destroy(): void
}

/**
 * `header` is asked by a name in small letters; of several of that name it gives the first. `header_names`: in small
 * letters.
 */
export type OutboundAnswer = {
  status: number
  header(name: string): string | undefined
  header_names: readonly string[]
  body: OutboundBody
}

/** At most so many bytes of a body, as text. */
export async function readText(each: OutboundBody['each'], max_bytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  await each(chunk => {
    chunks.push(chunk)
    bytes += chunk.length
    return bytes < max_bytes ? 'continue' : 'cancel'
  })
  return Buffer.concat(chunks).subarray(0, max_bytes).toString()
}

export const firstOf = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value

export const allOf = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(',') : value

/** Milliseconds that one reader may be busy before timers and everybody else have their turn. */
const TURN_MS = 20

/** Counts how long a reader was busy with what has come, and lets others have their turn, however fast more comes. */
export function readingTurn(hold: () => void, release: () => void) {
  let busy_ms = 0
  return {
    /** `began`: when the reader got what it has just read. */
    count(began: number): void {
      busy_ms += performance.now() - began
      if (busy_ms < TURN_MS) return
      busy_ms = 0
      hold()
      setImmediate(release)
    },
  }
}
