import type { IncomingHttpHeaders } from 'node:http'
import type { Bus } from '#server/foundation/database/bus.ts'
import { invalid, Refusal } from '#server/foundation/refusal.ts'

const HEADER = 'x-commons-when'
/** Milliseconds that a request waits until it is quiet: tools hang up soon afterwards. */
const WAITS = 285_000
/** Milliseconds between two tries, where nobody says that an ask has ended. */
const LOOK_EVERY = 5_000

/** Whether a tool lets others go first, at half the price. */
export function isForQuiet(headers: IncomingHttpHeaders): boolean {
  const when = headers[HEADER]
  if (when === undefined || when === 'now') return false
  if (when !== 'quiet') throw invalid(['header', HEADER], 'Neither now nor quiet', 'invalid_type')
  return true
}

type Waiting = {
  bus: Bus
  /** Aborts when the client is gone. */
  gone: AbortSignal
  /** Keeps the client; gives what stops that. */
  hold(): () => void
}

/** Asks as soon as it is quiet, as long as the client waits. */
export async function whenQuiet<T>(ask: () => Promise<T>, { bus, gone, hold }: Waiting): Promise<T> {
  const end = performance.now() + WAITS
  let release: (() => void) | null = null
  try {
    for (;;) {
      try {
        return await ask()
      } catch (refusal) {
        const waits = refusal instanceof Refusal && refusal.key === 'onlyWhenQuiet'
        if (!waits || gone.aborted || performance.now() >= end) throw refusal
      }
      release ??= hold()
      await nextChance(bus, gone)
    }
  } finally {
    release?.()
  }
}

function nextChance(bus: Bus, gone: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const go = (): void => {
      clearTimeout(timer)
      leave()
      gone.removeEventListener('abort', go)
      resolve()
    }
    const timer = setTimeout(go, LOOK_EVERY)
    const leave = bus.subscribe('queue', go)
    gone.addEventListener('abort', go, { once: true })
  })
}
