import { setTimeout as delay } from 'node:timers/promises'
import { startChild, startSimulator } from '../child.ts'
import { rotated, megabytes, printGoal, printTable, threeDigits } from '../figures.ts'
import { startProduct } from '../product.ts'
import { directTarget, relayTarget } from './direct.ts'
import { reportForms } from './forms.ts'
import { runLoad, SPREAD_MS } from './load.ts'
import { deltaTarget, wholeTarget } from './productTarget.ts'
import { report, type Measured, type Mode } from './report.ts'
import type { Target } from './target.ts'
import { countWrong, lastInJournal } from './whole.ts'

type RelayOptions = { rounds: number; quick: boolean; withProduct: boolean }

/** Tokens per second: one every 50 ms. */
const PACE = 20
const SETTLE_MS = 300
/** Repetitions of the burst: one takes a tenth of a second and alone says little. */
const BURSTS = 10
/** Rounds of 220 asks each. */
const WARM_ROUNDS = 10
/** A burst: everybody has asked before anything is answered. */
const CROWD = { streams: 100, tokens: 5, pace: 0, spread_ms: 0, connected: true } as const

function modes(quick: boolean): Mode[] {
  const paced = { tokens: quick ? 60 : 120, pace: PACE, spread_ms: SPREAD_MS, kind: 'paced' } as const
  const burst = { tokens: quick ? 500 : 2_000, pace: 0, spread_ms: 0, kind: 'burst' } as const
  return [
    { name: '1 stream, a token each 50 ms', streams: 1, ...paced },
    { name: '20 streams, a token each 50 ms', streams: 20, ...paced },
    // Answers of ordinary length, so that the cost of the ask itself is shared by its tokens.
    { name: '100 streams, a token each 50 ms', streams: 100, ...paced, tokens: quick ? 60 : 400 },
    { name: '20 streams, as fast as read', streams: 20, ...burst },
    { name: '100 streams, as fast as read', streams: 100, ...burst },
    { name: '100 people ask at the same moment', ...CROWD, kind: 'first' },
    // A model that thinks as briefly as real ones do; the stand-in by itself answers at once.
    { name: '100 people ask a model that thinks for 0.2 s', ...CROWD, thinks_ms: 200, kind: 'first' },
  ]
}

/**
 * The product, the bare upstream and the bare relay. In every mode each round measures all of them, in another order.
 */
export async function relaySection({ rounds, quick, withProduct }: RelayOptions) {
  const simulator = await startSimulator()
  const upstream = simulator.url
  const relay = startChild('bench/relay/bareRelay.ts', [upstream])
  const { url: relay_url } = JSON.parse(await relay.firstLine())
  // The first start after a change fills Node's compile cache; later starts need less memory.
  if (withProduct) await (await startProduct(upstream)).stop()
  const product = withProduct ? await startProduct(upstream) : undefined
  try {
    const targets = [directTarget(upstream, simulator), relayTarget(relay_url, relay)]
    const cookies = product ? await product.people(100) : []
    if (product) targets.push(deltaTarget(product, cookies))
    await warmUp(targets, quick)
    const idle = new Map(
      await Promise.all(targets.map(async target => [target.name, (await target.usage(true)).rss] as const)),
    )
    for (const mode of modes(quick)) {
      report(mode, await measure(targets, mode, rounds, upstream))
      if (mode.kind === 'paced' && mode.streams === 100)
        await reportMemory(`Memory when idle again, after ${mode.name}`, targets, idle)
    }
    await reportMemory('Memory when idle again, after everything', targets, idle)
    if (product) await reportForms([deltaTarget(product, cookies), wholeTarget(product, cookies)], quick, upstream)
  } finally {
    await Promise.all([product?.stop(), relay.stop(), simulator.stop()])
  }
}

/**
 * Warms the targets up. Servers are asked long after their start, and each of the first hundreds of asks costs a third
 * more.
 */
async function warmUp(targets: Target[], quick: boolean) {
  for (let round = 0; round < (quick ? 1 : WARM_ROUNDS); round += 1) {
    for (const target of targets) {
      await runLoad(target, { streams: 20, tokens: 500, pace: 0, spread_ms: 0 })
      await runLoad(target, { streams: 100, tokens: 20, pace: PACE, spread_ms: 50 })
      await runLoad(target, CROWD)
    }
  }
}

async function measure(targets: Target[], mode: Mode, rounds: number, upstream: string): Promise<Measured[]> {
  const measured = targets.map(target => ({ target, loads: [] as Measured['loads'], wrong: 0 }))
  const turns = mode.kind === 'first' ? rounds * BURSTS : rounds
  for (let round = 0; round < turns; round += 1) {
    for (const each of rotated(measured, round)) {
      const after = await lastInJournal(upstream)
      const load = await runLoad(each.target, mode)
      each.wrong += await countWrong(load.texts, upstream, after)
      each.loads.push({ ...load, texts: [] })
      await delay(SETTLE_MS)
    }
  }
  return measured
}

async function reportMemory(title: string, targets: Target[], idle: Map<string, number>) {
  await delay(2_000)
  const ratios = new Map<string, number>()
  const rows: string[][] = []
  for (const target of targets) {
    const before = idle.get(target.name) ?? NaN
    const after = (await target.usage(true)).rss
    ratios.set(target.name, after / before)
    rows.push([target.name, megabytes(before), megabytes(after), `${threeDigits(after / before)}x`])
  }
  printTable(title, ['', 'before', 'after', ''], rows)
  const product = ratios.get('product')
  if (product !== undefined) printGoal('memory afterwards against idle', product, 1.1, 'at most', 'x')
}
