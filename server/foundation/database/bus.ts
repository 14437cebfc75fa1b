import { AsyncLocalStorage } from 'node:async_hooks'
import { EventEmitter } from 'node:events'
import { UnstorableText } from './schema/codec.ts'
import type { OpenDatabase } from './open.ts'

/**
 * Publish and subscribe, in this process at once and, on PostgreSQL, in all processes on the same database. A message
 * may be lost while the connection is: a subscriber that must not miss anything also polls now and then.
 */
export type Bus = {
  /** The body is at most 7,000 bytes. */
  publish(topic: string, body?: string): void
  /** Returns what ends the subscription. */
  subscribe(topic: string, listener: (body: string) => void): () => void
  close(): Promise<void>
}

/** Bytes. PostgreSQL takes less than 8,000 in all. */
const MAX_BODY = 7_000
const MAX_TOPIC = 200

export async function openBus(open: OpenDatabase): Promise<Bus> {
  const emitter = new EventEmitter().setMaxListeners(0)
  const deliver = (topic: string, body: string) => {
    emitter.emit(`topic ${topic}`, body)
  }
  const channel =
    open.url === undefined
      ? null
      : await (await import('./postgresql/busChannel.ts')).postgresqlChannel(open.url, deliver)
  return {
    publish(topic, body = '') {
      requireSendable(topic, body)
      deliver(topic, body)
      channel?.send(topic, body)
    },
    subscribe(topic, listener) {
      // A listener runs in the context of its subscriber, not in the transaction that somebody publishes from.
      const inOwnContext = AsyncLocalStorage.snapshot()
      const deliverSafely = (body: string) => {
        try {
          inOwnContext(listener, body)
        } catch (cause) {
          // It must stop neither the other listeners nor the publisher.
          process.emitWarning(new Error(`a listener of ${topic} failed`, { cause }))
        }
      }
      emitter.on(`topic ${topic}`, deliverSafely)
      return () => {
        emitter.off(`topic ${topic}`, deliverSafely)
      }
    },
    async close() {
      emitter.removeAllListeners()
      await channel?.close()
    },
  }
}

/** The same on both databases, so that nothing works on one and fails on the other. */
function requireSendable(topic: string, body: string): void {
  if (topic.includes('\n') || Buffer.byteLength(topic) > MAX_TOPIC) throw new RangeError('a topic is one short line')
  if (Buffer.byteLength(body) > MAX_BODY) throw new RangeError(`a body is at most ${MAX_BODY} bytes`)
  for (const text of [topic, body]) {
    if (text.includes('\0') || !text.isWellFormed())
      throw new UnstorableText('text with a NUL or half a surrogate pair is not sent')
  }
}

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
 * Keeps in memory what the database holds: reads it again when a message of the topic arrives, and once a minute where
 * other processes change it, since the bus may lose a message. This is no job: every process does it. Returns what ends
 * it.
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

/** Runs reads one after the other, so that an older result never replaces a newer one. */
export function inOrder(read: () => Promise<void>) {
  let reading: Promise<void> = Promise.resolve()
  return {
    reload: (): Promise<void> => (reading = reading.catch(() => undefined).then(read)),
    /** Resolves when nothing is being read. */
    idle: (): Promise<void> => reading.catch(() => undefined),
  }
}
