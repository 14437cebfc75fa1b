import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openBus } from '#server/foundation/database/bus.ts'
import { systemClock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { askStore } from '#server/asks/store.ts'
import { queueStore } from '#server/asks/queueStore.ts'
import { conversationStore } from '#server/conversations/store.ts'
import type { Upstream } from '#server/upstreams/upstream.ts'
import { anAdmittedAsk, storedAsk } from '#testing/asks.ts'
import { eachDatabase } from '#testing/database.ts'
import { someSources } from '#testing/sources.ts'
import { NO_POOLS, anUpstream, someUpstreams } from '#testing/upstreams.ts'
import { openQueue, type QueuePosition } from './queue.ts'

const HOUR = 3_600_000
const cooling = (until: number) => ({ state: 'cooling', until, since: 0, reason: 'openai.429' }) as const

/** Further shared upstreams of a source, as an administrator adds them. */
async function storedUpstreams({ database }: OpenDatabase, source: Upstream['source'], count: number) {
  const rows = Array.from({ length: count }, (_, at) => ({ source, label: `further ${at}`, create_time: 1 }))
  const stored = await database.insertInto('upstreams').values(rows).returning('id').execute()
  return stored.map(({ id }) => anUpstream({ id, source }))
}

async function loadOf({ database }: OpenDatabase, upstream_id: number) {
  return (await queueStore(database).loads()).get(upstream_id)
}

/** Two upstreams, the first one busy, and asks that wait for it. */
async function waitingFor(
  open: OpenDatabase,
  source: Upstream['source'],
  waiting: number,
  { isKept = source === 'openai_web', source_id = null as string | null } = {},
) {
  const [busy, other] = (await storedUpstreams(open, source, 2)) as [Upstream, Upstream]
  const upstreams = someUpstreams([busy, other])
  const queue = openQueue({
    open,
    bus: await openBus(open),
    clock: systemClock,
    log: pino({ level: 'silent' }),
    sources: someSources(),
    pools: NO_POOLS,
    upstreams,
  })
  onTestFinished(() => queue.close())
  await storedAsk(open, { source, upstream_id: busy.id })
  const leaving = new AbortController()
  const asks = []
  for (let at = 0; at < waiting; at++) {
    const fields = { source, upstream_id: busy.id, ask_state: 'queueing', start_time: null, round: 1, ticket: at + 2 }
    const ids = await storedAsk(open, fields)
    const positions: QueuePosition[] = []
    const notified = Promise.withResolvers<void>()
    const turn = queue.turn(
      anAdmittedAsk(busy, {
        ...ids,
        source,
        destination: { allowedUpstreams: isKept ? new Set([busy.id]) : null, source_id },
      }),
      position => {
        positions.push(position)
        notified.resolve()
      },
      leaving.signal,
    )
    turn.catch(() => undefined)
    await notified.promise
    asks.push({ ...ids, turn, positions })
  }
  onTestFinished(() => leaving.abort())
  return { busy, other, upstreams, queue, asks }
}

eachDatabase((_name, open) => {
  describe('asks that wait for an endpoint', () => {
    for (const [what, change] of [
      ['is paused', { paused_since: 1 }],
      ['is switched off', { enabled: false }],
      ['cools', { health: cooling(Date.now() + HOUR) }],
    ] as const) {
      test(`move to another one when it ${what}, and their conversations with them`, async () => {
        const database = await open()
        const { busy, other, upstreams, asks } = await waitingFor(database, 'openai_api', 2)
        upstreams.change([{ ...busy, ...change }, other])
        // One may run there; the other one waits for it.
        const first = await Promise.race(asks.map(({ turn }, at) => turn.then(upstream => ({ upstream, at }))))
        expect(first.upstream.id).toBe(other.id)
        const left = asks[1 - first.at]
        await expect.poll(() => left?.positions.at(-1)).toMatchObject({ position: 1, cooling_until: null })
        for (const { ask_id, conversation_id } of asks) {
          expect(await askStore(database.database).find(ask_id)).toMatchObject({ upstream_id: other.id })
          expect(await conversationStore(database.database).find(conversation_id)).toMatchObject({
            upstream_id: other.id,
          })
        }
      })
    }

    test('move when it is removed, and are refused when there is no other one', async () => {
      const { busy, other, upstreams, asks } = await waitingFor(await open(), 'openai_api', 1)
      upstreams.change([other])
      expect(await asks[0]?.turn).toMatchObject({ id: other.id })
      const alone = await waitingFor(await open(), 'openai_api', 1)
      alone.upstreams.change([])
      await expect(alone.asks[0]?.turn).rejects.toMatchObject({ key: 'upstreamGone' })
      expect(busy.id).not.toBe(other.id)
    })

    test('stay while it is paused and there is no other one, and run when it goes on', async () => {
      const database = await open()
      const { busy, upstreams, queue, asks } = await waitingFor(database, 'openai_api', 1)
      upstreams.change([{ ...busy, paused_since: 1, concurrency: 2 }])
      queue.wake(busy.id)
      const before = asks[0]?.positions.length ?? 0
      await expect.poll(() => asks[0]?.positions.length).toBeGreaterThan(before)
      expect(await loadOf(database, busy.id)).toEqual({ running: 1, waiting: 1 })
      upstreams.change([{ ...busy, concurrency: 2 }])
      expect(await asks[0]?.turn).toMatchObject({ id: busy.id })
    })

    test('follow where they are, also when nobody here knows that they were moved', async () => {
      const database = await open()
      const { busy, other, queue, asks } = await waitingFor(database, 'openai_api', 1)
      await queueStore(database.database).move(asks[0]?.ask_id ?? '', { upstream_id: other.id, ticket: 1, round: 1 })
      queue.wake(busy.id)
      expect(await asks[0]?.turn).toMatchObject({ id: other.id })
    })

    test('move all, however many they are', async () => {
      const database = await open()
      const { busy, other, upstreams, asks } = await waitingFor(database, 'openai_api', 20)
      await storedAsk(database, { upstream_id: other.id })
      upstreams.change([{ ...busy, paused_since: 1 }, other])
      await expect.poll(() => loadOf(database, other.id)).toEqual({ running: 1, waiting: asks.length })
    })

    test('stay in their order, behind who is there already', async () => {
      const database = await open()
      const { busy, other, upstreams, asks } = await waitingFor(database, 'openai_api', 3)
      await storedAsk(database, { upstream_id: other.id })
      upstreams.change([{ ...busy, paused_since: 1 }, other])
      await expect.poll(() => asks.map(({ positions }) => positions.at(-1)?.position)).toEqual([1, 2, 3])
      await expect
        .poll(async () => (await queueStore(database.database).entries(other.id)).map(({ ask_id }) => ask_id).slice(-3))
        .toEqual(asks.map(({ ask_id }) => ask_id))
    })
  })

  describe('asks that wait for an account of the web service', () => {
    test('stay while it cools, and get the time, where another one is healthy', async () => {
      const { busy, other, upstreams, asks } = await waitingFor(await open(), 'openai_web', 1)
      const until = Date.now() + HOUR
      upstreams.change([{ ...busy, health: cooling(until), concurrency: 2 }, other])
      await expect.poll(() => asks[0]?.positions.at(-1)).toMatchObject({ position: 1, cooling_until: until })
      // With nobody healthy it is tried.
      upstreams.change([
        { ...busy, health: cooling(until), concurrency: 2 },
        { ...other, paused_since: 1 },
      ])
      expect(await asks[0]?.turn).toMatchObject({ id: busy.id })
    })

    test('are refused when it is removed', async () => {
      const { other, upstreams, asks } = await waitingFor(await open(), 'openai_web', 1)
      upstreams.change([other])
      await expect(asks[0]?.turn).rejects.toMatchObject({ key: 'upstreamGone' })
    })

    test('move when it cools and keeps nothing of their conversation yet, to the team of the other one', async () => {
      const database = await open()
      const unkept = { isKept: false, source_id: 'team-of-the-first' }
      const { busy, other, upstreams, asks } = await waitingFor(database, 'openai_web', 1, unkept)
      upstreams.change([
        { ...busy, health: cooling(Date.now() + HOUR) },
        { ...other, team_account_id: 'team-of-the-other' },
      ])
      expect(await asks[0]?.turn).toMatchObject({ id: other.id })
      const { conversation_id = '' } = asks[0] ?? {}
      expect(await conversationStore(database.database).find(conversation_id)).toMatchObject({
        upstream_id: other.id,
        source_id: 'team-of-the-other',
      })
    })
  })
})
