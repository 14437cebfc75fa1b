import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { Refusal } from '../refusal.ts'

/** One WebSocket as it is used: messages are text, in and out. */
export type Socket<U> = {
  readonly user: U
  /** The subprotocol, '' for clients that offered none. */
  readonly protocol: string
  /** The same person as they are now; null when the session that it was opened with is no longer good. */
  userNow(): Promise<U | null>
  /** The next message; null when the socket closes or the time is over first. */
  next(deadline_ms?: number): Promise<{ text: string } | null>
  /** From now on messages go there, those that wait first. */
  onMessage(listener: (text: string) => void): void
  send(text: string): void
  /** Bytes that the other side has not taken yet. */
  buffered(): number
  /** Waits until less than so many bytes are buffered; false when the time is over or the socket closed first. */
  drained(below: number, deadline_ms: number): Promise<boolean>
  readonly closed: AbortSignal
  close(code: number, reason: string): void
}

export type Connection<U> = { socket: Socket<U>; ping(): void; terminate(): void }

type ConnectionDependencies<U> = {
  ws: WebSocket
  /** The connection below it. */
  raw: Duplex
  user: U
  protocol: string
  /** Bytes of one message. */
  max_payload: number
  userNow(): Promise<U | null>
}

/** Messages that nobody has taken yet. A client that sends on and on without waiting is not one of ours. */
const MAX_WAITING = 64
/** Messages between two pings; also a limit for those that are taken at once. */
const MAX_BETWEEN_PINGS = 500
/** Pings without a sign of life. */
const MAX_MISSED = 2
const POLL_MS = 25

const CLOSED = 'the socket is closed'

export function socketConnection<U>({
  ws,
  raw,
  user,
  protocol,
  max_payload,
  userNow,
}: ConnectionDependencies<U>): Connection<U> {
  const closing = new AbortController()
  const inbox = openInbox(closing.signal, () => ws.close(1008, 'too many messages'))
  let missed = 0
  let received = 0

  ws.on('message', (bytes: Buffer, isBinary: boolean) => {
    missed = 0
    if (isBinary) ws.close(1003, 'text only')
    else if (bytes.length > max_payload) ws.close(1009, new Refusal('bodyTooLarge').message)
    else if (++received > MAX_BETWEEN_PINGS) ws.close(1008, 'too many messages')
    else if (ws.readyState === ws.OPEN) inbox.put(bytes.toString())
  })
  ws.on('pong', () => {
    missed = 0
  })
  // What is wrong with a frame is answered by ws itself with its close code; a broken connection needs no answer.
  ws.on('error', () => {})
  // A reason of one's own: the default is an exception with a stack, which takes as long as a statement of the
  // database.
  ws.on('close', () => closing.abort(CLOSED))

  const socket: Socket<U> = {
    user,
    protocol,
    userNow,
    next: inbox.next,
    onMessage: inbox.listen,
    send(text) {
      if (ws.readyState === ws.OPEN) ws.send(text)
    },
    buffered: () => ws.bufferedAmount,
    drained: (below, deadline_ms) => drained(ws, raw, below, deadline_ms),
    closed: closing.signal,
    close: (code, reason) => ws.close(code, reason),
  }
  return {
    socket,
    ping() {
      received = 0
      if (missed >= MAX_MISSED) ws.terminate()
      else if (ws.readyState === ws.OPEN) {
        missed++
        ws.ping()
      }
    },
    terminate: () => ws.terminate(),
  }
}

/** Messages that have come: for who waits for the next one, or for a listener. */
function openInbox(closed: AbortSignal, tooMany: () => void) {
  const waiting: string[] = []
  let waiter: ((message: { text: string } | null) => void) | null = null
  let listener: ((text: string) => void) | null = null

  const next = (deadline_ms?: number): Promise<{ text: string } | null> => {
    const text = waiting.shift()
    if (text !== undefined) return Promise.resolve({ text })
    if (closed.aborted) return Promise.resolve(null)
    return new Promise(resolve => {
      const done = (message: { text: string } | null): void => {
        waiter = null
        clearTimeout(timer)
        resolve(message)
      }
      const timer = deadline_ms === undefined ? undefined : setTimeout(() => done(null), deadline_ms)
      waiter = done
    })
  }
  closed.addEventListener('abort', () => waiter?.(null))

  return {
    next,
    put(text: string): void {
      if (listener !== null) listener(text)
      else if (waiter !== null) waiter({ text })
      else if (waiting.push(text) > MAX_WAITING) tooMany()
    },
    listen(to: (text: string) => void): void {
      listener = to
      for (const text of waiting.splice(0)) to(text)
    },
  }
}

async function drained(ws: WebSocket, raw: Duplex, below: number, deadline_ms: number): Promise<boolean> {
  const until = performance.now() + deadline_ms
  while (ws.readyState === ws.OPEN) {
    if (ws.bufferedAmount < below || ws.bufferedAmount === 0) return true
    const left = until - performance.now()
    if (left <= 0) return false
    await new Promise<void>(resolve => {
      const on = (): void => {
        clearTimeout(timer)
        raw.off('drain', on)
        raw.off('close', on)
        resolve()
      }
      // 'drain' comes only when all is gone; less may be enough, so there is a look in between.
      const timer = setTimeout(on, Math.min(left, POLL_MS))
      raw.once('drain', on)
      raw.once('close', on)
    })
  }
  return false
}
