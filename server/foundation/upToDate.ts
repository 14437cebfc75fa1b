import type { Bus } from './bus.ts'
import type { OpenDatabase } from './database/open.ts'

/** Milliseconds. */
const POLL = 60_000

type Dependencies = {
  open: OpenDatabase
  bus: Bus
  topic: string
  /** For the warning when it could not be read. */
  what: string
  reload(): Promise<void>
  /** Whether a command of the operator may change it while the portal runs, on the embedded database as well. */
  byCommands?: boolean
}

/**
 * Keeps in memory what the database holds: reads it again when a message of the topic arrives, and once a minute where other processes
 * change it, since the bus may lose a message. This is no job: every process does it. Returns what ends it.
 */
export function keepUpToDate({ open, bus, topic, what, reload, byCommands = false }: Dependencies): () => void {
  const reloadSafely = (): void => {
    reload().catch(cause => process.emitWarning(new Error(`${what} could not be read`, { cause })))
  }
  const unsubscribe = bus.subscribe(topic, reloadSafely)
  const timer = byCommands || open.engine === 'postgresql' ? setInterval(reloadSafely, POLL).unref() : undefined
  return () => {
    unsubscribe()
    clearInterval(timer)
  }
}

/** Reads again one after the other: what was read earlier must not replace what was read later. */
export function inOrder(read: () => Promise<void>) {
  let reading: Promise<void> = Promise.resolve()
  return {
    reload: (): Promise<void> => (reading = reading.catch(() => undefined).then(read)),
    /** Resolves when nothing is being read. */
    idle: (): Promise<void> => reading.catch(() => undefined),
  }
}
