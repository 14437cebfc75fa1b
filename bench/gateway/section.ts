import { setTimeout as delay } from 'node:timers/promises'
import { startSimulator } from '../child.ts'
import { median, megabytes, printGoal, printTable, quantile, rotated, sum, threeDigits } from '../figures.ts'
import { ADMIN, startProduct, type Product } from '../product.ts'
import { chatTarget, directTarget } from '../relay/direct.ts'
import { runLoad, SPREAD_MS, type Load } from '../relay/load.ts'
import { deltaTarget } from '../relay/productTarget.ts'
import type { Target } from '../relay/target.ts'
import { countWrong, lastInJournal } from '../relay/whole.ts'
import { type CallPlan, type Calls, runCalls } from './calls.ts'
import { startOthers } from './others.ts'

type GatewayOptions = { rounds: number; quick: boolean; withProduct: boolean }

const [TOOLS, PACE] = [100, 20]
const SETTLE_MS = 300
const GATEWAY = 'product'

/** A model thinks for a while and answers; how long it takes is none of the gateway's doing. */
const modes = (quick: boolean): (CallPlan & { name: string })[] => [
  { name: '10 at once', at_once: 10, calls: quick ? 50 : 400, tokens: 20, thinks_ms: 200 },
  { name: '100 at once', at_once: 100, calls: quick ? 200 : 2_000, tokens: 20, thinks_ms: 1_000 },
]

/** What a call of another tool costs and waits for, beside other gateways, which store nothing. */
export async function gatewaySection({ rounds, quick, withProduct }: GatewayOptions): Promise<void> {
  const simulator = await startSimulator()
  const product = withProduct ? await startProduct(simulator.url, ROOMY) : undefined
  const others = await startOthers(simulator.url)
  try {
    const cookies = product ? await product.people(TOOLS) : []
    const keys = product ? await keysOf(product, cookies) : []
    const own = product ? [toolTarget(product, keys)] : []
    const targets = [directTarget(simulator.url, simulator), ...own, ...others.map(({ target }) => target)]
    for (const target of targets)
      await runCalls(target, { at_once: 20, calls: quick ? 100 : 1_000, tokens: 20, thinks_ms: 0 })
    for (const mode of modes(quick)) reportCalls(mode, await measureCalls(targets, mode, rounds, simulator.url))
    if (product === undefined) return
    const page = deltaTarget(product, cookies)
    await reportStreams([toolTarget(product, keys), { ...page, name: 'its page' }], { rounds, quick }, simulator.url)
    await reportMany(product, toolTarget(product, keys), quick)
  } finally {
    await Promise.all([product?.stop(), simulator.stop(), ...others.map(({ stop }) => stop())])
  }
}

const ROOMY = { COMMONS_OPENAI_API_MAX_COMPLETION_CONCURRENCY: '1000' }

/** A key for each person, all of whose asks and tokens are limited, so that each call reserves and settles them. */
async function keysOf(product: Product, cookies: readonly string[]): Promise<string[]> {
  const admin = await product.signIn(ADMIN)
  const limit = { source: 'openai_api', models: null, window: { kind: 'day' }, amount: 1_000_000_000 } as const
  const limits = [
    { ...limit, unit: 'tokens' },
    { ...limit, unit: 'asks', amount: 1_000_000 },
  ]
  await product.call(admin, 'PATCH', '/plan/1', { max_keys: 1, limits })
  return Promise.all(
    cookies.map(
      async cookie => (await product.call<{ key: string }>(cookie, 'POST', '/user/me/keys', { name: 'bench' })).key,
    ),
  )
}

const toolTarget = ({ url, child }: Product, keys: readonly string[]): Target =>
  chatTarget(GATEWAY, child.usage, person => ({
    ...{ url: `${url}/v1/chat/completions`, model: 'gpt_4' },
    headers: { authorization: `Bearer ${keys[person] ?? ''}` },
  }))

type Measured = { target: Target; all: Calls[]; wrong: number }

async function measureCalls(targets: Target[], mode: CallPlan, rounds: number, upstream: string): Promise<Measured[]> {
  const measured = targets.map((target): Measured => ({ target, all: [], wrong: 0 }))
  for (let round = 0; round < rounds; round += 1)
    for (const each of rotated(measured, round)) {
      const after = await lastInJournal(upstream)
      const calls = await runCalls(each.target, mode)
      // The journal has the last thousand.
      each.wrong += await countWrong(calls.texts.slice(-500), upstream, after)
      each.all.push({ ...calls, texts: [] })
      await delay(SETTLE_MS)
    }
  return measured
}

function reportCalls({ name, at_once }: CallPlan & { name: string }, measured: Measured[]): void {
  const found = new Map(
    measured.map(({ target, all }) => {
      const firsts = all.flatMap(({ firstTexts }) => firstTexts)
      const figures = { p50: median(firsts), p99: quantile(firsts, 0.99), cpu: median(all.map(({ cpu }) => cpu)) }
      return [target.name, { ...figures, whole: median(all.flatMap(({ wholes }) => wholes)) }] as const
    }),
  )
  const direct = found.get('direct')
  const own = found.get(GATEWAY)
  if (direct === undefined) return
  printTable(
    `Calls of tools, ${name}`,
    ['', 'first text p50 ms', 'p99 ms', 'added p50 ms', 'added p99 ms', 'whole p50 ms', 'CPU ms a call', 'wrong'],
    measured.map(({ target, wrong }) => {
      const { p50, p99, whole, cpu } = found.get(target.name) ?? direct
      return [
        target.name,
        ...[p50, p99, p50 - direct.p50, p99 - direct.p99, whole, cpu].map(threeDigits),
        String(wrong),
      ]
    }),
  )
  if (own === undefined) return
  if (at_once === 10) {
    printGoal('first text later than direct, p50', own.p50 - direct.p50, 4, 'at most', ' ms')
    printGoal('first text later than direct, p99', own.p99 - direct.p99, 20, 'at most', ' ms')
  }
  for (const [other, { cpu }] of found) {
    if (other.startsWith('Portkey')) printGoal('CPU a call against Portkey', own.cpu / cpu, 1, 'at most', 'x')
    if (other.startsWith('LiteLLM')) printGoal('CPU a call against LiteLLM', own.cpu / cpu, 0.2, 'at most', 'x')
  }
  printGoal('answers that differ from what was sent', sum(measured.map(({ wrong }) => wrong)), 0)
}

/** The same streams as the page of the product has them. */
async function reportStreams(
  targets: readonly [Target, Target],
  { rounds, quick }: { rounds: number; quick: boolean },
  upstream: string,
): Promise<void> {
  const plan = { streams: TOOLS, tokens: quick ? 60 : 400, pace: PACE, spread_ms: SPREAD_MS }
  const measured = targets.map(target => ({ target, loads: new Array<Load>(), wrong: 0 }))
  for (let round = 0; round < rounds; round += 1)
    for (const each of rotated(measured, round)) {
      const after = await lastInJournal(upstream)
      const load = await runLoad(each.target, plan)
      each.wrong += await countWrong(load.texts, upstream, after)
      each.loads.push({ ...load, texts: [] })
    }
  const cpu = measured.map(({ loads }) => median(loads.map(load => load.cpu)))
  printTable(
    `${TOOLS} streams, a token each 50 ms`,
    ['', 'latency p50 ms', 'p99 ms', 'CPU ms/1,000 tokens', 'wrong'],
    measured.map(({ target, loads, wrong }, at) => {
      const latencies = loads.flatMap(load => load.latencies)
      const figures = [median(latencies), quantile(latencies, 0.99), cpu[at] ?? NaN].map(threeDigits)
      return [target.name, ...figures, String(wrong)]
    }),
  )
  const [tool = NaN, page = NaN] = cpu
  printGoal('CPU a thousand tokens against the page', tool / page, 1.3, 'at most', 'x')
  printGoal('answers that differ from what was sent', sum(measured.map(({ wrong }) => wrong)), 0)
}

/** Memory after thousands of calls, each of which is in the log once. */
async function reportMany(product: Product, target: Target, quick: boolean): Promise<void> {
  const admin = await product.signIn(ADMIN)
  const logged = async () => (await product.call<{ total: number }>(admin, 'GET', '/system/asks?size=20')).total
  const memory = async () => {
    await delay(2_000)
    return (await product.child.usage(true)).rss
  }
  const calls = quick ? 1_000 : 10_000
  const [before, logged_before] = [await memory(), await logged()]
  await runCalls(target, { at_once: TOOLS, calls, tokens: 5, thinks_ms: 0 })
  const after = await memory()
  const missing = Math.abs((await logged()) - logged_before - calls)
  printTable(
    `Memory over ${calls} calls`,
    ['', 'before', 'after'],
    [[target.name, megabytes(before), megabytes(after)]],
  )
  printGoal('memory afterwards', after / before, 1.1, 'at most', 'x')
  printGoal('calls that the log has not, or twice', missing, 0)
}
