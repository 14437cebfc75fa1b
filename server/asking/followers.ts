import { CLOSE, TIP_TERMINATED } from '#contract/asking.ts'
import type { Socket } from '#server/foundation/socket/socket.ts'
import {
  type Closing,
  closingOf,
  encoded,
  errorResponse,
  FINISHED,
  messageResponse,
  oldClosingOf,
  phaseResponse,
  sharedFrame,
  titleResponse,
} from './frames.ts'
import type { LiveReply, Phase } from './liveReply.ts'

/** Milliseconds for which text is collected after a send. Text that follows a pause is sent at once. */
const GATHER_TEXT = 16
/** Milliseconds between whole messages for old clients: at most 20 a second, the latest wins. */
const GATHER_MESSAGES = 50
/** Bytes. A follower waits for a reader with more unread than this. */
const UNREAD = 1_048_576
/** Milliseconds that a slow reader may take; then its socket is closed, and it may resume. */
const SLOWEST = 30_000

type FollowerSocket = Pick<Socket<unknown>, 'send' | 'buffered' | 'drained' | 'closed'>

const SLOW: Closing = { code: CLOSE.slowReader, reason: TIP_TERMINATED }

/**
 * Sends the numbered events after `after` until the ask ends (docs/protocol.md). Resolves to how the socket is to be
 * closed.
 */
export async function followAsEvents(reader: FollowerSocket, reply: LiveReply, after: number): Promise<Closing | null> {
  let n = after
  let lastSent: Phase | null = null
  let sent = -Infinity
  while (!reader.closed.aborted) {
    // Read first: a phase that has ended means that all events are there.
    const phase = reply.phase
    if (phase !== lastSent && phase.at !== 'ended' && !isUnknownPosition(phase)) reader.send(sharedFrame(phase))
    lastSent = phase
    const events = reply.since(n)
    for (const event of events) {
      reader.send(sharedFrame(event))
      n = event.n
    }
    // An empty beginning starts no pause: the first text is sent at once.
    if (events.length > 0 && reply.hasTokens) sent = performance.now()
    if (phase.at === 'ended') {
      reader.send(sharedFrame(phase))
      const title = await reply.title
      if (title !== null) reader.send(encoded({ type: 'title', title }))
      return phase.failure === null ? FINISHED : closingOf(phase.failure.key)
    }
    if (reader.buffered() > UNREAD && !(await reader.drained(UNREAD / 4, SLOWEST))) return SLOW
    // A follower may be ahead of this reply: of text that a crash kept out of the chunks, or by a number that it made
    // up.
    if (reply.n <= n && reply.phase === lastSent) await reply.changed(reader.closed)
    const gathering = sent + GATHER_TEXT - performance.now()
    if (gathering > 0 && reply.phase === lastSent) await pause(gathering)
  }
  return null
}

/** Sends whole messages, as any client understands them; no thoughts. */
export async function followAsMessages(reader: FollowerSocket, reply: LiveReply): Promise<Closing | null> {
  let changes = 0
  let lastSent: Phase['at'] | null = null
  while (!reader.closed.aborted) {
    const phase = reply.phase
    if (phase.at !== lastSent) {
      const frame = phaseResponse(phase, reply.conversation_id)
      if (frame !== null) reader.send(frame)
    }
    lastSent = phase.at
    const changed = reply.messagesSince(changes)
    for (const message of changed) reader.send(messageResponse(reply.conversation_id, message))
    changes = reply.changes
    if (phase.at === 'ended') {
      if (phase.failure === null) {
        const title = reply.upstreamTitle === null ? null : await reply.title
        if (title !== null) reader.send(titleResponse(reply.source, reply.conversation_id, title))
        return FINISHED
      }
      reader.send(errorResponse(phase.failure))
      return oldClosingOf(phase.failure)
    }
    if (reader.buffered() > UNREAD && !(await reader.drained(UNREAD / 4, SLOWEST))) return SLOW
    if (changed.length > 0) await pause(GATHER_MESSAGES)
    if (reply.changes === changes && reply.phase.at === lastSent) await reply.changed(reader.closed)
  }
  return null
}

/** Positions count from 1; 0 means that the queue was not checked yet. */
const isUnknownPosition = (phase: Phase): boolean => phase.at === 'queueing' && phase.place === 0

const pause = (milliseconds: number) =>
  new Promise<void>(resolve => {
    setTimeout(resolve, milliseconds)
  })
