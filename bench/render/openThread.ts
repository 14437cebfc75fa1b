import type { Browser, Page } from '@playwright/test'
import { pageMetrics } from './pageMetrics.ts'

export type Thread = { name: string; url: string; last: string; cookies?: { name: string; value: string }[] }

/** What one cold opening cost. Times are milliseconds; those of moments since the navigation began. */
export type Opened = {
  largest_paint: number
  /** When the last message stood on the screen, and how many nodes the page had then. */
  last_seen: number
  nodes: number
  script: number
  longest_task: number
  /** When no message was put before the others any more, and how many nodes there are with all. */
  complete: number
  all_nodes: number
  /** The longest frame while the reader goes up in haste, which begins as soon as there is something to read. */
  hasty_frame: number
  /** The longest frame while the reader goes on up by single notches of the wheel, when everything is there. */
  scrolling_frame: number
  heap: number
}

type Seen = Pick<Opened, 'largest_paint' | 'last_seen' | 'nodes' | 'longest_task' | 'complete'> & { frames: { start: number; duration: number }[] }

const SLOW_DOWN = 4
const DEADLINE_MS = 60_000
const COMPLETE_MS = 30_000
/** Messages are complete when for so long none has come. */
const QUIET_MS = 2_500
/** How often the wheel is turned, and how far each time. */
const HASTY = { turns: 60, pixels: 500 }
const NOTCHES = { turns: 80, pixels: 120 }
const WHEEL_EVERY_MS = 50

export async function openThread(browser: Browser, { url, last, cookies }: Thread): Promise<Opened> {
  const context = await browser.newContext({ locale: 'zh-CN', viewport: { width: 1280, height: 800 } })
  try {
    if (cookies) await context.addCookies(cookies.map(cookie => ({ ...cookie, url })))
    const page = await context.newPage()
    const metrics = await pageMetrics(page, SLOW_DOWN)
    await page.addInitScript(observe, last)
    await page.goto(url, { waitUntil: 'commit' })
    await page.waitForFunction(() => (globalThis as unknown as { seen: Seen }).seen.last_seen > 0, null, { timeout: DEADLINE_MS })
    const { script } = await metrics()
    const hasty = await goUp(page, HASTY)
    // On a machine with more to do than this it may take long: then what there is by then is told.
    await page.waitForFunction(quiet => performance.now() - (globalThis as unknown as { seen: Seen }).seen.complete > quiet, QUIET_MS,
      { timeout: COMPLETE_MS, polling: 250 }).catch(() => {})
    const calm = await goUp(page, NOTCHES)
    const { frames, ...seen } = await page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen) // set by observe() below
    const all_nodes = await page.evaluate(() => document.evaluate('count(//node())', document, null, XPathResult.NUMBER_TYPE).numberValue)
    const longest = ([from, to]: [number, number]) =>
      Math.max(0, ...frames.filter(({ start }) => start >= from && start <= to).map(({ duration }) => duration))
    return { ...seen, all_nodes, script, hasty_frame: longest(hasty), scrolling_frame: longest(calm), heap: (await metrics()).heap }
  } finally {
    await context.close()
  }
}

/** Answers with the time it took, from when to when. */
async function goUp(page: Page, { turns, pixels }: typeof HASTY): Promise<[number, number]> {
  const now = () => page.evaluate(() => performance.now())
  await page.mouse.move(640, 400)
  const from = await now()
  for (let turn = 0; turn < turns; turn += 1) {
    await page.mouse.wheel(0, -pixels)
    await page.waitForTimeout(WHEEL_EVERY_MS)
  }
  return [from, await now()]
}

/** Runs in the page before its own scripts. */
function observe(last: string) {
  const seen: Seen = { largest_paint: 0, last_seen: 0, nodes: 0, longest_task: 0, complete: 0, frames: [] }
  Object.assign(globalThis, { seen })
  const watch = (type: string, take: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver(list => list.getEntries().forEach(take)).observe({ type, buffered: true })
  watch('largest-contentful-paint', entry => { seen.largest_paint = entry.startTime })
  watch('longtask', entry => { seen.longest_task = Math.max(seen.longest_task, entry.duration) })
  watch('long-animation-frame', entry => { seen.frames.push({ start: entry.startTime, duration: entry.duration }) })

  let count = 0
  setInterval(() => {
    const there = document.querySelectorAll('[data-message-id]').length
    if (there > count) seen.complete = performance.now()
    count = there
  }, 250)

  requestAnimationFrame(function look() {
    const box = document.querySelector(`[data-message-id="${last}"]`)?.getBoundingClientRect()
    if (box === undefined || box.height === 0 || box.top > innerHeight || box.bottom < 0) return void requestAnimationFrame(look)
    // The task after the frame that shows it.
    setTimeout(() => {
      seen.last_seen = performance.now()
      seen.nodes = document.evaluate('count(//node())', document, null, XPathResult.NUMBER_TYPE).numberValue
    })
  })
}
