import { pino } from 'pino'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { anAdmittedAsk, firstUpstream, storedAsk } from '#testing/asks.ts'
import { aDatabase } from '#testing/database.ts'
import { until } from '#testing/until.ts'
import type { AdmittedAsk } from '#server/asks/ask.ts'
import { openBus } from '#server/foundation/database/bus.ts'
import { systemClock } from '#server/foundation/clock.ts'
import type { TransactionOptions, OpenDatabase, Work } from '#server/foundation/database/open.ts'
import { someSources } from '#testing/sources.ts'
import { NO_POOLS, anUpstream, someUpstreams } from '#testing/upstreams.ts'
import { openQueue } from './queue.ts'

/** Whatever a finished check sets going has begun when this turn of the event loop is over. */
const turn = () =>
  new Promise<void>(resolve => {
    setImmediate(resolve)
  })

/** A queue without a free place, whose transactions are counted: each check of a queue is one. */
async function aQueue(waiting: number) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }) // no check but those that are asked for
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const database = await aDatabase()
  let checks = 0
  const transaction = <T>(work: Work<T>, options?: TransactionOptions) => {
    checks++
    return database.transaction(work, options)
  }
  const open: OpenDatabase = { ...database, transaction }
  const upstream = anUpstream({ id: await firstUpstream(database.database), concurrency: 0 })
  const asks: AdmittedAsk[] = []
  while (asks.length < waiting) {
    const ids = await storedAsk(open, { ask_state: 'queueing', start_time: null })
    asks.push(anAdmittedAsk(upstream, ids))
  }
  const queue = openQueue({
    open,
    bus: await openBus(open),
    clock: systemClock,
    log: pino({ level: 'silent' }),
    sources: someSources(),
    pools: NO_POOLS,
    upstreams: someUpstreams([upstream]),
  })
  onTestFinished(() => queue.close())
  return { queue, asks, upstream_id: upstream.id, checks: () => checks }
}

describe('the checks of a queue', () => {
  test('are two for all who come at once: the one that goes on, and one after it', async () => {
    const { queue, asks, checks } = await aQueue(30)
    const leaving = new AbortController()
    const lastNotifiedTwice = Promise.withResolvers<void>()
    let notified = 0
    const turns = asks.map(ask => {
      const notify = () => {
        if (ask === asks.at(-1) && ++notified === 2) lastNotifiedTwice.resolve()
      }
      return queue.turn(ask, notify, leaving.signal)
    })
    await lastNotifiedTwice.promise
    await turn()
    expect(checks()).toBe(2)
    leaving.abort()
    await Promise.allSettled(turns)
  })
  test('are one more for all wakes that come while it is checked', async () => {
    const { queue, asks, upstream_id, checks } = await aQueue(1)
    const leaving = new AbortController()
    const positions: number[] = []
    const notifiedTwice = Promise.withResolvers<void>()
    const waited = queue.turn(
      asks[0] as AdmittedAsk, // there is one
      ({ position }) => {
        if (positions.push(position) === 2) notifiedTwice.resolve()
      },
      leaving.signal,
    )
    for (let count = 0; count < 30; count++) queue.wake(upstream_id)
    await notifiedTwice.promise
    await turn()
    expect({ checks: checks(), positions }).toEqual({ checks: 2, positions: [1, 1] })
    queue.wake(upstream_id)
    await until(() => expect(positions).toEqual([1, 1, 1])) // it is checked again when it was quiet
    leaving.abort()
    await expect(waited).rejects.toThrow()
  })
})
