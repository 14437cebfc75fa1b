import { setTimeout as delay } from 'node:timers/promises'
import { STAMP_RANGE_US } from '#simulator/foundation/directives.ts'
import type { Received, Target } from './target.ts'

export type LoadPlan = {
  streams: number
  tokens: number
  /** Tokens per second of each stream; 0: as fast as read. */
  pace: number
  /** Milliseconds over which the starts of the streams are spread, so that paced tokens are not all due together. */
  spread_ms: number
  /** Milliseconds from a question to the upstream's first token. */
  thinks_ms?: number
  /**
   * Whether to connect before the measurement starts, as our page opens its socket while the question is being written.
   */
  connected?: boolean
  /** Further words for the simulator. */
  words?: string
}

export type Load = {
  /** Milliseconds from upstream to client, for each token. */
  latencies: number[]
  /** Milliseconds from the ask to the first text, for each person. */
  firstTexts: number[]
  tokens: number
  bytes: number
  frames: number
  /** Frames per second of the stream that has the most. */
  rate: number
  seconds: number
  /** CPU milliseconds of the target per thousand tokens. */
  cpu: number
  /** Largest resident memory while the streams ran. */
  rss: number
  texts: string[]
}

/**
 * The `spread_ms` of a hundred paced streams: they start over two seconds, as people do, and their tokens are due half
 * a millisecond apart.
 */
export const SPREAD_MS = 2_050

const STAMP_LENGTH = 6
const MEMORY_INTERVAL_MS = 1_000

/** Asks with many streams at once and measures at the client and in the target. */
export async function runLoad(target: Target, plan: LoadPlan): Promise<Load> {
  const latencies: number[] = []
  const firstTexts: number[] = []
  const connections = plan.connected
    ? await Promise.all(Array.from({ length: plan.streams }, (_, person) => target.connect(person)))
    : []
  const before = await target.usage()
  let rss = before.rss
  const memory = setInterval(
    () =>
      void target.usage().then(usage => {
        rss = Math.max(rss, usage.rss)
      }),
    MEMORY_INTERVAL_MS,
  )
  const began = performance.now()
  const thinks = plan.thinks_ms === undefined ? '' : `fault=slow_first_byte delay=${plan.thinks_ms} `
  const question = `/simulate ${thinks}stamp tokens=${plan.tokens} pace=${plan.pace} ${plan.words ?? ''}\nbench`
  const texts: string[] = []

  async function oneStream(person: number): Promise<Received> {
    await delay((plan.spread_ms * person) / plan.streams)
    const reader = stampReader(latencies)
    const asked = performance.now()
    let first = NaN
    const ask = connections[person] ?? (await target.connect(person))
    const received = await ask(question, text => {
      if (text === '') return
      if (Number.isNaN(first)) first = performance.now() - asked
      reader.take(text)
    })
    firstTexts.push(first)
    texts.push(reader.text())
    return received
  }

  const received = await Promise.all(Array.from({ length: plan.streams }, (_, person) => oneStream(person)))
  clearInterval(memory)
  const seconds = (performance.now() - began) / 1_000
  const after = await target.usage()
  const tokens = plan.streams * plan.tokens
  return {
    latencies,
    firstTexts,
    tokens,
    bytes: received.reduce((total, each) => total + each.bytes, 0),
    frames: received.reduce((total, each) => total + each.frames, 0),
    rate: Math.max(...received.map(each => each.rate ?? NaN)),
    seconds,
    cpu: (after.cpu_us - before.cpu_us) / tokens,
    rss: Math.max(rss, after.rss),
    texts,
  }
}

/**
 * Reads the time stamps in a stream of arbitrarily cut pieces. Sender and reader share the machine's monotonic clock.
 */
function stampReader(latencies: number[]) {
  let text = ''
  let read = 0
  return {
    take(piece: string) {
      text += piece
      const now = Number((process.hrtime.bigint() / 1_000n) % BigInt(STAMP_RANGE_US))
      for (; read + STAMP_LENGTH <= text.length; read += STAMP_LENGTH) {
        const sent = parseInt(text.slice(read, read + STAMP_LENGTH - 1), 36)
        latencies.push(((now - sent + STAMP_RANGE_US) % STAMP_RANGE_US) / 1_000)
      }
    },
    text: () => text,
  }
}
