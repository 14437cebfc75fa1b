import { pino } from 'pino'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { firstUpstream, storedAsk } from '#testing/asks.ts'
import { aDatabase } from '#testing/database.ts'
import { until } from '#testing/until.ts'
import { openBus } from '#server/foundation/bus.ts'
import { systemClock } from '#server/foundation/clock.ts'
import type { TransactionOptions, OpenDatabase, Work } from '#server/foundation/database/open.ts'
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
  const asks: string[] = []
  while (asks.length < waiting) asks.push((await storedAsk(open, { ask_state: 'queueing', start_time: null })).ask_id)
  const upstream_id = await firstUpstream(open.database)
  const queue = openQueue({
    open,
    bus: await openBus(open),
    clock: systemClock,
    log: pino({ level: 'silent' }),
    places: () => 0,
  })
  onTestFinished(() => queue.close())
  return { queue, asks, upstream_id, checks: () => checks }
}

describe('the checks of a queue', () => {
  test('are two for all who come at once: the one that goes on, and one after it', async () => {
    const { queue, asks, upstream_id, checks } = await aQueue(30)
    const leaving = new AbortController()
    const lastToldTwice = Promise.withResolvers<void>()
    let told = 0
    const turns = asks.map(ask_id => {
      const tell = () => {
        if (ask_id === asks.at(-1) && ++told === 2) lastToldTwice.resolve()
      }
      return queue.turn({ ask_id, upstream_id, source: 'openai_api', model: 'gpt_4' }, tell, leaving.signal)
    })
    await lastToldTwice.promise
    await turn()
    expect(checks()).toBe(2)
    leaving.abort()
    await Promise.allSettled(turns)
  })
  test('are one more for all wakes that come while it is checked', async () => {
    const {
      queue,
      asks: [ask_id = ''],
      upstream_id,
      checks,
    } = await aQueue(1)
    const leaving = new AbortController()
    const places: number[] = []
    const heardTwice = Promise.withResolvers<void>()
    const waited = queue.turn(
      { ask_id, upstream_id, source: 'openai_api', model: 'gpt_4' },
      place => {
        if (places.push(place) === 2) heardTwice.resolve()
      },
      leaving.signal,
    )
    for (let count = 0; count < 30; count++) queue.wake(upstream_id)
    await heardTwice.promise
    await turn()
    expect({ checks: checks(), places }).toEqual({ checks: 2, places: [1, 1] })
    queue.wake(upstream_id)
    await until(() => expect(places).toEqual([1, 1, 1])) // it is checked again when it was quiet
    leaving.abort()
    await expect(waited).rejects.toThrow()
  })
})
