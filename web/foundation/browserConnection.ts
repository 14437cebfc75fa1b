import { useSyncExternalStore } from 'react'
import { readMe } from '#contract/users.ts'
import { CHAT_PATH, DELTA_PROTOCOL } from '#contract/asking.ts'
import { call, RefusedCall } from './call.ts'
import { useSession } from './session.ts'

/** The part of a WebSocket that is used. */
type ChatWire = Pick<WebSocket, 'readyState' | 'send' | 'close' | 'addEventListener'>

/** What a chat socket needs from the browser. */
export type ChatConnection = {
  /** A new connection, or the one opened while the question was written. */
  open(): ChatWire
  /** Whether the session is still valid, asked over HTTP: a refused handshake gives no status. */
  session(): Promise<'held' | 'lost' | 'unreachable'>
  /** Resolves after that time, or as soon as the network or the user returns. */
  pause(milliseconds: number, leave: AbortSignal): Promise<void>
  /**
   * Calls back when the network returns, or the user after a while: the socket may be dead by then without a close
   * event.
   */
  onReturn(listener: () => void): () => void
  random(): number
}

/**
 * Milliseconds for which an unused socket is kept: less than the server waits for a first message (docs/protocol.md).
 */
const UNUSED_SOCKET_TTL_MS = 40_000
/** Milliseconds after which a socket that is still wanted is replaced by a new one. */
const RENEWED = 20_000
/** Milliseconds for which no socket is prepared after one that failed: an ask opens its own, and reports the reason. */
const PAUSE = 30_000
/** Milliseconds away from the page after which its sockets are no longer trusted. */
const LONG_AWAY = 30_000

/** Opens a socket while the question is being written, so that sending it does not wait for the handshakes. */
export function readySocket(open: () => ChatWire, now: () => number = Date.now) {
  let waiting: { wire: ChatWire; since: number; timer: ReturnType<typeof setTimeout> } | null = null
  let notBefore = 0

  /** Compares times of the clock, because timers stop while the machine sleeps. */
  const isYoungerThan = (age: number) => waiting !== null && now() - waiting.since < age

  const release = (): ChatWire | null => {
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
      waiting = { wire, since: now(), timer: setTimeout(drop, UNUSED_SOCKET_TTL_MS) }
      wire.addEventListener('close', () => {
        if (waiting?.wire !== wire) return
        drop()
        notBefore = now() + PAUSE
      })
    },

    /** Hands over the waiting socket; null when there is none to rely on. */
    take(): ChatWire | null {
      if (!isYoungerThan(UNUSED_SOCKET_TTL_MS)) drop()
      return release()
    },

    drop,
  }
}

const ready = readySocket(openSocket)
let stopWatching: (() => void) | null = null
// A waiting socket belongs to the session it was opened with.
useSession.subscribe((after, before) => {
  if (after.user?.id !== before.user?.id) ready.drop()
})

/** Opens the socket of the next question while it is being written. */
export function prepareToAsk(): void {
  stopWatching ??= onReturn(ready.drop)
  ready.prepare()
}

const retry = new EventTarget()

/** Ends the pause before the next attempt, when somebody presses "retry". */
export function retryNow(): void {
  retry.dispatchEvent(new Event('now'))
}

export const browserConnection: ChatConnection = {
  open: () => ready.take() ?? openSocket(),
  async session() {
    try {
      await call(readMe, {})
      return 'held'
    } catch (error) {
      if (!(error instanceof RefusedCall)) return 'unreachable'
      return error.isSessionLost ? 'lost' : 'held'
    }
  },
  pause(milliseconds, leave) {
    return new Promise(resolve => {
      const over = new AbortController()
      const { signal } = over
      const end = () => {
        clearTimeout(timer)
        over.abort()
        resolve()
      }
      const timer = setTimeout(end, milliseconds)
      window.addEventListener('online', end, { signal })
      document.addEventListener('visibilitychange', () => document.hidden || end(), { signal })
      retry.addEventListener('now', end, { signal })
      leave.addEventListener('abort', end, { signal })
    })
  },
  onReturn,
  random: () => Math.random(),
}

function openSocket(): ChatWire {
  const { protocol: scheme, host } = window.location
  try {
    return new WebSocket(`${scheme === 'https:' ? 'wss' : 'ws'}://${host}${CHAT_PATH}`, DELTA_PROTOCOL)
  } catch {
    return closedSocket()
  }
}

/**
 * A policy that a proxy adds, or an extension, may forbid sockets at once. That is one that could not be opened, and is
 * told as such.
 */
function closedSocket(): ChatWire {
  const wire = Object.assign(new EventTarget(), { readyState: WebSocket.CLOSED, send() {}, close() {} })
  queueMicrotask(() => wire.dispatchEvent(new CloseEvent('close')))
  return wire
}

function onReturn(listener: () => void): () => void {
  const stop = new AbortController()
  const { signal } = stop
  let hiddenAt: number | null = null
  window.addEventListener('online', listener, { signal })
  document.addEventListener(
    'visibilitychange',
    () => {
      if (document.hidden) hiddenAt = Date.now()
      else if (hiddenAt !== null && Date.now() - hiddenAt > LONG_AWAY) listener()
    },
    { signal },
  )
  return () => stop.abort()
}

/** Whether the device has a network, as far as the browser knows. */
export function useOnline(): boolean {
  return useSyncExternalStore(followNetwork, isOnline, isOnline)
}

const isOnline = () => navigator.onLine

function followNetwork(onChange: () => void): () => void {
  window.addEventListener('online', onChange)
  window.addEventListener('offline', onChange)
  return () => {
    window.removeEventListener('online', onChange)
    window.removeEventListener('offline', onChange)
  }
}
