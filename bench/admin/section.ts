import { chromium } from '@playwright/test'
import { openDatabase } from '#server/foundation/database/open.ts'
import { CHROMIUM_ARGUMENTS, findChromium } from '#testing/chromium.ts'
import { startChild, startSimulator } from '../child.ts'
import { quantile, rotated, median, printGoal, printTable, threeDigits } from '../figures.ts'
import { cookiesOf } from '../page/tab.ts'
import { visit, type Route } from '../page/visit.ts'
import { ADMIN, type Product, startProduct } from '../product.ts'
import { relayTarget } from '../relay/direct.ts'
import { runLoad, SPREAD_MS } from '../relay/load.ts'
import { deltaTarget } from '../relay/productTarget.ts'
import { type Measured, measuredCalls } from './calls.ts'
import { recordingCost } from './recording.ts'
import { FULL, QUICK, seed } from './seed.ts'

/** Repetitions of a call in a round: other work on the machine disturbs single ones. */
const CALLS_A_ROUND = 5
const STREAMS = { streams: 100, pace: 20, spread_ms: SPREAD_MS } as const

/**
 * Lists and plots of a large portal, each compared with a query written by hand; the cost of recording a request; the
 * first rows on the screen; and the latency of growing answers while an administrator reads all of these.
 */
export async function adminSection({ rounds, quick }: { rounds: number; quick: boolean }): Promise<void> {
  const simulator = await startSimulator()
  const upstream = simulator.url
  const relay = startChild('bench/relay/bareRelay.ts', [upstream])
  const { url: relay_url } = JSON.parse(await relay.firstLine())
  const product = await startProduct(upstream)
  try {
    const people = await product.people(STREAMS.streams)
    const began = performance.now()
    await seed(product.data, quick ? QUICK : FULL)
    console.log(`  filled in ${threeDigits((performance.now() - began) / 1_000)} s`)
    const cookie = await product.signIn(ADMIN)
    await calls(product, cookie, rounds)
    await recordingCost(product, cookie, quick ? 1 : rounds)
    await firstRows(product, cookie, rounds)
    const targets = [relayTarget(relay_url, relay), deltaTarget(product, people)]
    await streamsMeanwhile(product, cookie, targets, { rounds, tokens: quick ? 60 : 200 })
  } finally {
    await Promise.all([product.stop(), relay.stop(), simulator.stop()])
  }
}

/** Milliseconds of a call, its answer read to the end, and of the processor: of all that the server does meanwhile. */
async function timeOf(product: Product, cookie: string, { path }: Measured): Promise<{ took: number; cpu: number }> {
  const before = (await product.child.usage()).cpu_us
  const began = performance.now()
  await product.call(cookie, 'GET', path)
  const took = performance.now() - began
  return { took, cpu: ((await product.child.usage()).cpu_us - before) / 1_000 }
}

async function calls(product: Product, cookie: string, rounds: number): Promise<void> {
  const open = await openDatabase({ data_dir: product.data }, { migrate: false })
  const measured = measuredCalls().map(call => ({
    ...{ call, times: [] as number[], cpus: [] as number[], byHand: [] as number[] },
  }))
  try {
    for (let round = 0; round <= rounds * CALLS_A_ROUND; round += 1)
      for (const { call, times, cpus, byHand } of rotated(measured, round)) {
        const { took, cpu } = await timeOf(product, cookie, call)
        const began = performance.now()
        await call.byHand(open.readOnly(), Date.now())
        if (round > 0) times.push(took)
        if (round > 0) cpus.push(cpu)
        if (round > 0) byHand.push(performance.now() - began)
      }
  } finally {
    await open.close()
  }
  printTable(
    'Lists and plots, milliseconds until the answer is read (median, p95), of the processor, and the same query by hand on the worker',
    ['', 'ms', 'p95', 'cpu', 'by hand', ''],
    measured.map(({ call, times, cpus, byHand }) => [
      call.name,
      threeDigits(median(times)),
      threeDigits(quantile(times, 0.95)),
      threeDigits(median(cpus)),
      threeDigits(median(byHand)),
      `${threeDigits(median(times) / median(byHand))}x`,
    ]),
  )
  for (const { call, times } of measured)
    if (call.goal !== null) printGoal(call.name, median(times), call.goal, 'at most', ' ms')
}

/** Words that no row of a list has. */
const NOBODYS_WORDS = 'zzqqxx'

/** Pages with a list. The baseline is the same page with a search that finds nothing, once its filters are shown. */
const PAGES = [
  { name: 'people', path: '/admin/user' },
  { name: 'conversations', path: '/admin/conversation' },
  { name: 'log of asks', path: '/admin/log' },
]

async function firstRows({ url }: Product, cookie: string, rounds: number): Promise<void> {
  const cookies = cookiesOf(cookie)
  const routes: Route[] = PAGES.flatMap(({ name, path }) => [
    { name, url: `${url}${path}`, field: '[data-testid=admin-row]', cookies, is_shown: true },
    {
      name: `${name}, empty`,
      url: `${url}${path}?words=${NOBODYS_WORDS}`,
      field: '[data-testid=admin-filter]',
      cookies,
      is_shown: true,
    },
  ])
  const times = new Map(routes.map(({ name }) => [name, [] as number[]]))
  const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_ARGUMENTS })
  try {
    for (let round = 0; round <= rounds * 2; round += 1)
      for (const route of rotated(routes, round)) {
        const { ready } = await visit(browser, route)
        if (round > 0) times.get(route.name)?.push(ready)
      }
  } finally {
    await browser.close()
  }
  const middle = (name: string) => median(times.get(name) ?? [])
  printTable(
    'First rows on the screen, the processor slowed 4 times, and the same page with its filters alone',
    ['', 'rows ms', 'filters ms'],
    PAGES.map(({ name }) => [name, threeDigits(middle(name)), threeDigits(middle(`${name}, empty`))]),
  )
  for (const { name } of PAGES)
    printGoal(
      `${name}, first rows against the empty page`,
      middle(name) / middle(`${name}, empty`),
      1.5,
      'at most',
      'x',
    )
}

type Targets = Parameters<typeof runLoad>[0][]

/** One administrator goes through all lists and plots, one call after the other, while people read growing answers. */
async function streamsMeanwhile(
  product: Product,
  cookie: string,
  targets: Targets,
  { rounds, tokens }: { rounds: number; tokens: number },
): Promise<void> {
  const plan = { ...STREAMS, tokens }
  const latencies = targets.map(() => [] as number[])
  let answered = 0
  for (let round = 0; round <= rounds; round += 1)
    for (const [at, target] of rotated([...targets.entries()], round)) {
      const over = new AbortController()
      const reading = readAll(product, cookie, over.signal)
      const load = await runLoad(target, plan)
      over.abort()
      answered += await reading
      if (round > 0) latencies[at]?.push(...load.latencies)
    }
  const p99 = latencies.map(each => quantile(each, 0.99))
  printTable(
    `100 streams, a token each 50 ms, while ${answered} lists and plots were read`,
    ['', 'latency p50 ms', 'p99 ms'],
    targets.map(({ name }, at) => [name, threeDigits(median(latencies[at] ?? [])), threeDigits(p99[at] ?? NaN)]),
  )
  printGoal('latency p99 against the relay', (p99[1] ?? NaN) / (p99[0] ?? NaN), 3, 'at most', 'x')
}

/** Reads all lists and plots, again and again; returns how many were read. */
async function readAll(product: Product, cookie: string, signal: AbortSignal): Promise<number> {
  const all = measuredCalls()
  for (let answered = 0; ; answered += 1) {
    const call = all[answered % all.length]
    if (signal.aborted || call === undefined) return answered
    await timeOf(product, cookie, call)
  }
}
