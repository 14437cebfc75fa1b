import { readMe } from '#contract/accounts.ts'
import { CHAT_PATH, DELTA_PROTOCOL } from '#contract/asking.ts'
import { call, RefusedCall } from './call.ts'
import { useSession } from './session.ts'

/** The part of a WebSocket that is used. */
export type ChatWire = Pick<WebSocket, 'readyState' | 'send' | 'close' | 'addEventListener'>

/** What a chat socket needs of the page around it. */
export type ChatConnection = {
  /** A new connection, or one that was opened while the question was written. */
  open(): ChatWire
  /** Whether the session is still good. A refused handshake gives no status, so this is asked over HTTP. */
  session(): Promise<'held' | 'lost' | 'unreachable'>
  /** Resolves after that time, or as soon as the network or the person is back. */
  pause(milliseconds: number, leave: AbortSignal): Promise<void>
  /** Calls back when the network returns, or the person after a while: the socket may be dead by then without a close event. */
  onReturn(listener: () => void): () => void
  random(): number
}

/** Milliseconds for which an unused socket is kept: less than the server waits for a first message (docs/protocol.md). */
const KEPT = 40_000
/** Milliseconds after which a socket that is still wanted is replaced by a new one. */
const RENEWED = 20_000
/** Milliseconds without another try after one that failed: an ask makes its own then, and says what is wrong. */
const PAUSE = 30_000

/** A socket that is opened while somebody writes, so that the question need not wait for the handshakes of a new connection. */
export function readySocket(open: () => WebSocket, now: () => number = Date.now) {
  let waiting: { wire: WebSocket; since: number; timer: ReturnType<typeof setTimeout> } | null = null
  let notBefore = 0

  /** By the clock: a timer stands still while the machine sleeps. */
  const isYoungerThan = (age: number) => waiting !== null && now() - waiting.since < age

  /** It is no longer kept here. */
  const release = (): WebSocket | null => {
    if (waiting === null) return null
    clearTimeout(waiting.timer)
    const { wire } = waiting
    waiting = null
    return wire
  }
  const drop = (): void => release()?.close()

  return {
    prepare(): void {
      if (isYoungerThan(RENEWED) || now() < notBefore) return
      drop()
      const wire = open()
      waiting = { wire, since: now(), timer: setTimeout(drop, KEPT) }
      wire.addEventListener('close', () => {
        if (waiting?.wire !== wire) return
        drop()
        notBefore = now() + PAUSE
      })
    },

    /** Takes the waiting socket; null when there is none to rely on. */
    take(): WebSocket | null {
      if (!isYoungerThan(KEPT)) drop()
      return release()
    },

    drop,
  }
}

/** Milliseconds away from the page after which its sockets are not trusted any more. */
const LONG_AWAY_MS = 30_000

const wishes = new EventTarget()

/** Ends every pause before the next attempt: somebody pressed "retry". */
export function tryNow(): void {
  wishes.dispatchEvent(new Event('try'))
}

const ready = readySocket(openSocket)
let watching: (() => void) | null = null
// A waiting socket belongs to the session it was opened with.
useSession.subscribe((after, before) => {
  if (after.user?.id !== before.user?.id) ready.drop()
})

/** Opens the socket that the next question will use, while it is still being written. */
export function prepareToAsk(): void {
  watching ??= onReturn(ready.drop)
  ready.prepare()
}

/** What the chat socket needs, done by a real browser. */
export const browserConnection: ChatConnection = {
  open: () => ready.take() ?? openSocket(),
  async session() {
    try {
      await call(readMe, {})
      return 'held'
    } catch (error) {
      if (!(error instanceof RefusedCall)) return 'unreachable'
      return error.code === 10401 ? 'lost' : 'held'
    }
  },
  pause(milliseconds, leave) {
    return new Promise(resolve => {
      const over = () => {
        clearTimeout(timer)
        forget()
        leave.removeEventListener('abort', over)
        resolve()
      }
      const timer = setTimeout(over, milliseconds)
      const forget = onSight(over)
      leave.addEventListener('abort', over)
    })
  },
  onReturn,
  random: () => Math.random(),
}

function openSocket(): WebSocket {
  const { protocol: scheme, host } = window.location
  return new WebSocket(`${scheme === 'https:' ? 'wss' : 'ws'}://${host}${CHAT_PATH}`, DELTA_PROTOCOL)
}

function onReturn(listener: () => void): () => void {
  let hiddenAt: number | null = null
  const onVisibility = () => {
    if (document.hidden) hiddenAt = Date.now()
    else if (hiddenAt !== null && Date.now() - hiddenAt > LONG_AWAY_MS) listener()
  }
  window.addEventListener('online', listener)
  document.addEventListener('visibilitychange', onVisibility)
  return () => {
    window.removeEventListener('online', listener)
    document.removeEventListener('visibilitychange', onVisibility)
  }
}

function onSight(listener: () => void): () => void {
  const onVisibility = () => {
    if (!document.hidden) listener()
  }
  window.addEventListener('online', listener)
  wishes.addEventListener('try', listener)
  document.addEventListener('visibilitychange', onVisibility)
  return () => {
    window.removeEventListener('online', listener)
    wishes.removeEventListener('try', listener)
    document.removeEventListener('visibilitychange', onVisibility)
  }
}
