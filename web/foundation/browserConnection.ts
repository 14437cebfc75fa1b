import { readMe } from '#contract/accounts.ts'
import { CHAT_PATH, DELTA_PROTOCOL } from '#contract/asking.ts'
import { call, RefusedCall } from './call.ts'
import type { ChatConnection } from './chatSocket.ts'
import { readySocket } from './readySocket.ts'
import { useSession } from './session.ts'

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
