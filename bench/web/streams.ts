import type { Source } from '#contract/models.ts'
import { startSimulator } from '../child.ts'
import { rotated, median, megabytes, printGoal, printTable, threeDigits, sum } from '../figures.ts'
import { deltaTarget } from '../relay/productTarget.ts'
import { runLoad, SPREAD_MS, type Load } from '../relay/load.ts'
import { countWrong, lastInJournal } from '../relay/whole.ts'
import type { WebOptions } from './section.ts'
import { startWebProduct } from './webProduct.ts'

const STREAMS = 100
/** Events a second of each stream. */
const PACE = 20
const WARM_ROUNDS = 5

const SOURCES: readonly Source[] = ['openai_api', 'openai_web']

/**
 * A stamp is a token of six characters. The web service sends about five of them with each event, which makes 8 kB of
 * 250 events.
 */
const MODES = [
  { name: 'five tokens an event, snapshots of up to 8 kB', each: 5 },
  { name: 'a token an event, snapshots of up to 2 kB', each: 1 },
] as const

type Measured = { source: Source; loads: Load[]; wrong: number }

/** Paced answers with the same text: openai_api sends the new text with each event, openai_web the whole message. */
export async function streamsOfSnapshots({ rounds, quick }: WebOptions): Promise<void> {
  const events = quick ? 60 : 250
  const simulator = await startSimulator()
  const product = await startWebProduct(simulator, { COMMONS_OPENAI_WEB_MAX_COMPLETION_CONCURRENCY: '256' })
  try {
    const cookies = await product.people(STREAMS)
    const target = (source: Source) => deltaTarget(product, cookies, source)
    for (let round = 0; round < (quick ? 1 : WARM_ROUNDS); round += 1)
      for (const source of SOURCES) await runLoad(target(source), { streams: 20, tokens: 500, pace: 0, spread_ms: 0 })
    for (const { name, each } of MODES) {
      const measured = SOURCES.map((source): Measured => ({ source, loads: [], wrong: 0 }))
      for (let round = 0; round < rounds; round += 1)
        for (const one of rotated(measured, round)) {
          const after = await lastInJournal(simulator.url)
          // openai_api sends one token with each event, so for the same text it needs `each` times the events.
          const pace = one.source === 'openai_web' ? PACE : PACE * each
          const words = one.source === 'openai_web' ? `chunk=${each}` : ''
          const plan = { streams: STREAMS, tokens: events * each, pace, spread_ms: SPREAD_MS, words }
          const load = await runLoad(target(one.source), plan)
          one.wrong += await countWrong(load.texts, simulator.url, after)
          one.loads.push({ ...load, texts: [] })
        }
      report(`${STREAMS} paced streams, ${name}`, measured)
    }
  } finally {
    await Promise.all([product.stop(), simulator.stop()])
  }
}

function report(title: string, measured: Measured[]): void {
  const cpu = (one: Measured | undefined) => median(one?.loads.map(load => load.cpu) ?? [])
  const bytes = ({ loads }: Measured) => sum(loads.map(load => load.bytes)) / sum(loads.map(load => load.tokens))
  const [api, web] = measured
  printTable(
    title,
    ['', 'CPU ms/1,000 tokens', 'bytes/token', 'latency p50 ms', 'memory', 'wrong'],
    measured.map(one => [
      one.source,
      `${threeDigits(cpu(one))} (${threeDigits(cpu(one) / cpu(api))}x)`,
      threeDigits(bytes(one)),
      threeDigits(median(one.loads.flatMap(load => load.latencies))),
      megabytes(Math.max(...one.loads.map(load => load.rss))),
      String(one.wrong),
    ]),
  )
  if (web === undefined) return
  printGoal('CPU a thousand tokens against openai_api', cpu(web) / cpu(api), 3, 'at most', 'x')
  printGoal('bytes a token', bytes(web), 45)
  printGoal('answers that differ from what was sent', sum(measured.map(one => one.wrong)), 0)
}
