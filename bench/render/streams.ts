import type { Browser } from '@playwright/test'
import { answerTo } from '#simulator/answers/answer.ts'
import { median, printGoal, printTable, rotated, threeDigits } from '../figures.ts'
import { buildPage, serve } from '../page/serve.ts'
import { openTab } from '../page/tab.ts'
import type { Shown } from './page/main.tsx'
import { pageMetrics } from './pageMetrics.ts'

type Cost = Shown & { script: number; layout: number; own: number; heap: number }
/** `warm`: the page has shown an answer before. Otherwise this is the first one, right after a cold load. */
type Stream = { warm: boolean; tokens: string[]; tokens_per_second: number; slowed: number }

const WAYS = ['plain', 'product'] as const
const WARMING_TOKENS_PER_SECOND = 500
/** Marks the end of an answer: the page waits until it shows these words. */
const LAST_WORDS = 'That is the whole of it.'

/**
 * Streams answers into the product's thread and, as the baseline, into the smallest React page that shows their text.
 */
export async function streamsPart(
  browser: Browser,
  { rounds, quick }: { rounds: number; quick: boolean },
): Promise<void> {
  const served = await serve(await buildPage('render/page'))
  const answer = anAnswer(quick ? 500 : 1_000)
  const streams: Stream[] = [
    { warm: false, tokens: answer, tokens_per_second: 100, slowed: 4 },
    { warm: true, tokens: answer, tokens_per_second: 100, slowed: 4 },
    { warm: true, tokens: anAnswer(quick ? 3_000 : 20_000), tokens_per_second: 1_000, slowed: 1 },
  ]
  try {
    for (const stream of streams) {
      const costs = new Map(WAYS.map(way => [way, [] as Cost[]]))
      for (let round = 0; round < rounds; round += 1)
        for (const way of rotated(WAYS, round)) costs.get(way)?.push(await showOnce(browser, served.url, way, stream))
      report(stream, costs)
    }
  } finally {
    await served.stop()
  }
}

/** An answer with formulas, tables and code, half English and half Chinese, with an end that can be found. */
function anAnswer(tokens: number): string[] {
  const halves = ['Tell me everything.', '请详细说明。'].flatMap(question => [
    ...answerTo(question, { tokens: Math.floor(tokens / 2) - 4, seed: 1 }),
    '\n```\n\n',
  ])
  return [...halves, ...`\n\n${LAST_WORDS}`.split(/(?= )/)]
}

async function showOnce(
  browser: Browser,
  url: string,
  way: string,
  { warm, tokens, tokens_per_second, slowed }: Stream,
): Promise<Cost> {
  const tab = await openTab(browser, url)
  try {
    const metrics = await pageMetrics(tab, slowed)
    await tab.beforeScripts(
      () =>
        Object.assign(globalThis, {
          isLoaded: new Promise(resolve => {
            addEventListener('load', resolve)
          }),
        }),
      null,
    )
    await tab.goTo(url)
    // page/main.tsx defines these functions.
    const prepare = `prepare(${JSON.stringify(way)}, ${JSON.stringify(tokens)})`
    await tab.value<void>(`isLoaded.then(() => ${prepare})`)
    const show = (pace: number, counted: boolean) => `show(${pace}, ${counted}, ${JSON.stringify(LAST_WORDS)})`
    if (warm) await tab.value<void>(`${show(WARMING_TOKENS_PER_SECOND, false)}.then(() => ${prepare})`)
    const before = await metrics()
    // Frames are counted at full processor speed only, because counting makes the browser paint each of them.
    const shown = await tab.value<Shown>(show(tokens_per_second, slowed === 1))
    const after = await metrics()
    const script = after.script - before.script
    const layout = after.layout - before.layout
    return { ...shown, script, layout, own: script + layout, heap: after.heap }
  } finally {
    await tab.close()
  }
}

function report({ warm, tokens, tokens_per_second, slowed }: Stream, costs: Map<string, Cost[]>): void {
  const middle = (way: string, key: keyof Cost) => median((costs.get(way) ?? []).map(cost => cost[key]))
  const characters = tokens.join('').length
  const speed = slowed === 1 ? '' : `, processor slowed ${slowed} times`
  printTable(
    `${warm ? 'An answer on a warm page' : 'The first answer after a cold load'}: ${tokens.length} tokens (${characters} characters), ${tokens_per_second} a second${speed} (medians)`,
    [
      '',
      'script s',
      'style and layout s',
      'frames',
      'dropped',
      'long tasks',
      'longest ms',
      'long frames',
      'longest ms',
      'lag ms',
      'heap MB',
    ],
    WAYS.map(way => [
      way === 'plain' ? 'smallest page' : 'product',
      ...(['script', 'layout'] as const).map(key => threeDigits(middle(way, key))),
      String(middle(way, 'frames')),
      String(middle(way, 'dropped')),
      String(middle(way, 'long_tasks')),
      threeDigits(middle(way, 'longest_task')),
      String(middle(way, 'long_frames')),
      threeDigits(middle(way, 'longest_frame')),
      threeDigits(middle(way, 'lag')),
      threeDigits(middle(way, 'heap')),
    ]),
  )
  if (slowed === 1) return
  const work = middle('product', 'own') / middle('plain', 'own')
  printGoal('script, style and layout against the smallest page', work, warm ? 0.8 : 1.2, 'at most', 'x')
  if (!warm) printGoal('frames over 50 ms', middle('product', 'long_frames'), 2)
}
