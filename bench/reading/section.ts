import { readFileSync } from 'node:fs'
import { chromium, type Browser } from '@playwright/test'
import { fixedHeaders } from '#server/foundation/http/headers.ts'
import { CHROMIUM_ARGUMENTS, findChromium } from '#testing/chromium.ts'
import { median, printGoal, printTable, threeDigits } from '../figures.ts'
import { buildPage, serve } from '../page/serve.ts'
import { openTab, type Tab } from '../page/tab.ts'
import type { ReadFigures } from './page/main.ts'

/** Seconds that reading may take, where there is an aim. */
const FILES: readonly { name: string; aim: number | null; isDrawn?: boolean }[] = [
  { name: 'text PDF, 24 pages', aim: 2 },
  { name: 'text PDF, 24 pages', aim: null, isDrawn: true },
  { name: 'text PDF, 300 pages', aim: 15 },
  { name: 'sheet of 200,000 cells', aim: null },
  { name: 'photograph of 48 megapixels', aim: null },
]
const SLOW_DOWN = 4
/** Milliseconds of a task that people notice, and megabytes that a page may need more. */
const AIMS = { task: 50, memory: 300 }

type Figures = ReadFigures & { memory: number }

/** The time to read files in the browser, under the policies that the server sends, and what the page notices of it. */
export async function readingSection({ rounds }: { rounds: number }): Promise<void> {
  const headersOf = fixedHeaders({ publicOrigin: null, scripts: [] })
  const served = await serve(await buildPage('reading/page'), path =>
    headersOf(path.includes('readingWorker-') ? 'reader' : path.endsWith('.html') ? 'page' : 'asset'),
  )
  const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_ARGUMENTS })
  try {
    const rows: string[][] = []
    // The server compresses what it is asked for first, which takes it long.
    await readRounds({ browser, url: served.url, rounds: 1, slowed: 1 }, FILES[0]?.name ?? '', false)
    const goals: (() => void)[] = []
    for (const { name, aim, isDrawn = false } of FILES) {
      const label = isDrawn ? `${name}, 3 drawn` : name
      const rate = (slowed: number) => readRounds({ browser, url: served.url, rounds, slowed }, name, isDrawn)
      const [plain, slowed] = [await rate(1), await rate(SLOW_DOWN)]
      const of = (figures: readonly Figures[], key: 'milliseconds' | 'longest_task' | 'memory') =>
        median(figures.map(each => each[key]))
      const [seconds, task, memory] = [
        of(plain, 'milliseconds') / 1_000,
        of(slowed, 'longest_task'),
        of(plain, 'memory'),
      ]
      rows.push([
        label,
        plain[0]?.outcome ?? '',
        ...[seconds, of(slowed, 'milliseconds') / 1_000, task, memory].map(threeDigits),
      ])
      goals.push(() => {
        if (aim !== null) printGoal(label, seconds, aim, 'at most', ' s')
        printGoal(`${label}: longest task, slowed ${SLOW_DOWN} times`, task, AIMS.task, 'at most', ' ms')
        printGoal(`${label}: memory`, memory, AIMS.memory, 'at most', ' MB')
      })
    }
    printTable('Reading files', ['', 'read', 's', 's slowed', 'task ms', 'MB more'], rows)
    for (const print of goals) print()
  } finally {
    await browser.close()
    await served.stop()
  }
}

type Rounds = { browser: Browser; url: string; rounds: number; slowed: number }

/** A tab for each round, as somebody who attaches a file for the first time. */
async function readRounds(
  { browser, url, rounds, slowed }: Rounds,
  name: string,
  isDrawn: boolean,
): Promise<Figures[]> {
  const figures: Figures[] = []
  for (let round = 0; round < rounds; round += 1) {
    const tab = await openTab(browser, url)
    try {
      await tab.goTo(url)
      await untilReady(tab)
      await tab.value(`make(${JSON.stringify(name)})`)
      // What making it has left is not to be collected while it is read.
      await tab.send('HeapProfiler.collectGarbage')
      await tab.send('Emulation.setCPUThrottlingRate', { rate: slowed })
      const memory = await watchMemory(browser)
      const read = await tab.value<ReadFigures>(`${isDrawn ? 'draw' : 'read'}(${JSON.stringify(name)})`)
      figures.push({ ...read, memory: memory.stop() })
    } finally {
      await tab.close()
    }
  }
  return figures
}

async function untilReady(tab: Tab): Promise<void> {
  await tab.value(
    "new Promise(done => { const look = () => 'read' in window ? done() : setTimeout(look, 20); look() })",
  )
}

const LOOK_EVERY_MS = 50

/** The most memory that all renderers together have above what they have now, in megabytes. */
async function watchMemory(browser: Browser): Promise<{ stop(): number }> {
  const root = await browser.newBrowserCDPSession()
  const { processInfo } = await root.send('SystemInfo.getProcessInfo')
  const ids = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id)
  const used = () => ids.reduce((sum, id) => sum + residentMegabytes(id), 0)
  const before = used()
  let most = before
  const timer = setInterval(() => (most = Math.max(most, used())), LOOK_EVERY_MS)
  return {
    stop() {
      clearInterval(timer)
      void root.detach()
      return Math.max(most, used()) - before
    },
  }
}

/** Of Linux; NaN elsewhere. */
function residentMegabytes(process_id: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${process_id}/status`, 'utf8'))?.[1]) / 1_024
  } catch {
    return NaN
  }
}
