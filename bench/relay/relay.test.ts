import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startChild, startSimulator, type Child } from '../child.ts'
import { directTarget, relayTarget } from './direct.ts'
import { runLoad } from './load.ts'
import type { Target } from './target.ts'
import { countWrong, lastInJournal } from './whole.ts'

let simulator: Child
let relay: Child
let upstream: string
let targets: Target[]

beforeAll(async () => {
  const started = await startSimulator([])
  simulator = started
  upstream = started.url
  relay = startChild('bench/relay/bareRelay.ts', [upstream])
  targets = [directTarget(upstream, simulator), relayTarget(JSON.parse(await relay.firstLine()).url, relay)]
})
afterAll(async () => {
  await Promise.all([simulator.stop(), relay.stop()])
})

describe('a measured load', () => {
  for (const pace of [0, 200]) {
    test(`at pace ${pace} counts every token of every stream, through the upstream and the bare relay`, async () => {
      for (const target of targets) {
        const after = await lastInJournal(upstream)
        const load = await runLoad(target, { streams: 3, tokens: 40, pace, spread_ms: 10 })
        expect(load.latencies).toHaveLength(120)
        expect(load.firstTexts).toHaveLength(3)
        expect(load.bytes).toBeGreaterThan(120 * 6)
        expect(await countWrong(load.texts, upstream, after)).toBe(0)
      }
    })
  }
  test('notices an answer that lost a token', async () => {
    const [direct] = targets
    if (!direct) throw new Error('there are two targets')
    const after = await lastInJournal(upstream)
    const { texts } = await runLoad(direct, { streams: 2, tokens: 10, pace: 0, spread_ms: 0 })
    expect(
      await countWrong(
        texts.map(text => text.slice(6)),
        upstream,
        after,
      ),
    ).toBe(2)
  })
})
