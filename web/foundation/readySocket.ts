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
