import { quantile, median, megabytes, printGoal, printTable, threeDigits, sum } from '../figures.ts'
import type { Load, LoadPlan } from './load.ts'
import type { Target } from './target.ts'

export type Mode = LoadPlan & { name: string; kind: 'paced' | 'burst' | 'first' }
export type Measured = { target: Target; loads: Load[]; wrong: number }

const HEADINGS = [
  '',
  'latency p50 ms',
  'p99 ms',
  'first text p50 ms',
  'p99 ms',
  'tokens/s',
  'CPU ms/1,000',
  'bytes/token',
  'memory',
  'wrong',
]

type Summary = {
  p50: number
  p99: number
  first50: number
  first99: number
  throughput: number
  cpu: number
  bytes: number
  rss: number
}

function summary({ loads }: Measured): Summary {
  const latencies = loads.flatMap(load => load.latencies)
  const firstTexts = loads.flatMap(load => load.firstTexts)
  return {
    p50: median(latencies),
    p99: quantile(latencies, 0.99),
    first50: median(firstTexts),
    first99: quantile(firstTexts, 0.99),
    throughput: median(loads.map(load => load.tokens / load.seconds)),
    cpu: median(loads.map(load => load.cpu)),
    bytes: sum(loads.map(load => load.bytes)) / sum(loads.map(load => load.tokens)),
    rss: Math.max(...loads.map(load => load.rss)),
  }
}

/** Prints the results of the targets in one mode, each relative to the baseline, and compares them with the goals. */
export function report(mode: Mode, measured: Measured[]) {
  const all = new Map(measured.map(each => [each.target.name, summary(each)]))
  const baseline = all.get('bare relay')
  const direct = all.get('direct')
  if (!baseline || !direct) return
  const against = (value: number, base: number) => `${threeDigits(value)} (${threeDigits(value / base)}x)`
  printTable(
    mode.name,
    HEADINGS,
    measured.map(({ target, wrong }) => {
      const found = all.get(target.name) ?? baseline
      return [
        target.name,
        against(found.p50, baseline.p50),
        against(found.p99, baseline.p99),
        against(found.first50, direct.first50),
        threeDigits(found.first99),
        against(found.throughput, baseline.throughput),
        against(found.cpu, baseline.cpu),
        threeDigits(found.bytes),
        megabytes(found.rss),
        String(wrong),
      ]
    }),
  )
  const product = all.get('product')
  if (!product) return
  goals(mode, product, baseline, direct)
  printGoal('answers that differ from what was sent', sum(measured.map(each => each.wrong)), 0)
}

function goals(mode: Mode, product: Summary, baseline: Summary, direct: Summary) {
  if (mode.kind === 'paced' && mode.streams === 100) {
    printGoal('latency p50 against the relay', product.p50 / baseline.p50, 2, 'at most', 'x')
    printGoal('latency p99 against the relay', product.p99 / baseline.p99, 3, 'at most', 'x')
    printGoal('CPU a thousand tokens', product.cpu / baseline.cpu, 2.2, 'at most', 'x')
    printGoal('memory', product.rss / baseline.rss, 1.8, 'at most', 'x')
  }
  if (mode.kind === 'burst') printGoal('throughput', product.throughput / baseline.throughput, 0.8, 'at least', 'x')
  if (mode.kind === 'first') {
    printGoal('first text p50 against direct', product.first50 / direct.first50, 2.5, 'at most', 'x')
  }
}
