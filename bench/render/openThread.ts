import { setTimeout } from 'node:timers/promises'
import type { Browser } from '@playwright/test'
import { openTab, type Cookie, type Tab } from '../page/tab.ts'
import { pageMetrics } from './pageMetrics.ts'

export type Thread = { name: string; url: string; last: string; cookies?: Cookie[] }

/** What one cold opening cost. Times are milliseconds; those of moments since the navigation began. */
export type ThreadOpening = {
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

type Seen = Pick<ThreadOpening, 'largest_paint' | 'last_seen' | 'nodes' | 'longest_task' | 'complete'> & {
  frames: { start: number; duration: number }[]
}

const SLOW_DOWN = 4
const COMPLETE_MS = 30_000
/** Messages are complete when for so long none has come. */
const QUIET_MS = 2_500
const LOOK_EVERY_MS = 250
/** How often the wheel is turned, and how far each time. */
const HASTY = { turns: 60, pixels: 500 }
const NOTCHES = { turns: 80, pixels: 120 }
const WHEEL_EVERY_MS = 50

export async function openThread(browser: Browser, { url, last, cookies }: Thread): Promise<ThreadOpening> {
  const tab = await openTab(browser, url, cookies)
  try {
    const metrics = await pageMetrics(tab, SLOW_DOWN)
    await tab.begin(observe, last)
    await tab.goTo(url)
    await tab.value<void>('isSeen')
    const { script } = await metrics()
    const hasty = await goUp(tab, HASTY)
    await untilComplete(tab)
    const calm = await goUp(tab, NOTCHES)
    const { frames, ...seen } = await tab.value<Seen>('seen')
    const all_nodes = await tab.value<number>(
      `document.evaluate('count(//node())', document, null, XPathResult.NUMBER_TYPE).numberValue`,
    )
    const longest = ([from, to]: [number, number]) =>
      Math.max(0, ...frames.filter(({ start }) => start >= from && start <= to).map(({ duration }) => duration))
    return {
      ...seen,
      all_nodes,
      script,
      hasty_frame: longest(hasty),
      scrolling_frame: longest(calm),
      heap: (await metrics()).heap,
    }
  } finally {
    await tab.close()
  }
}

/** On a machine with more to do than this it may take long: then the numbers of that moment are reported. */
async function untilComplete(tab: Tab): Promise<void> {
  const deadline = performance.now() + COMPLETE_MS
  while (performance.now() < deadline && (await tab.value<number>('performance.now() - seen.complete')) <= QUIET_MS)
    await setTimeout(LOOK_EVERY_MS)
}

/** Answers with the time it took, from when to when. */
async function goUp(tab: Tab, { turns, pixels }: typeof HASTY): Promise<[number, number]> {
  const now = () => tab.value<number>('performance.now()')
  const from = await now()
  for (let turn = 0; turn < turns; turn += 1) {
    await tab.send('Input.dispatchMouseEvent', { type: 'mouseWheel', x: 640, y: 400, deltaX: 0, deltaY: -pixels })
    await setTimeout(WHEEL_EVERY_MS)
  }
  return [from, await now()]
}

/** Runs in the page before its own scripts. */
function observe(last: string) {
  const seen: Seen = { largest_paint: 0, last_seen: 0, nodes: 0, longest_task: 0, complete: 0, frames: [] }
  const { promise: isSeen, resolve: resolveSeen } = Promise.withResolvers<void>()
  Object.assign(globalThis, { seen, isSeen })
  const watch = (type: string, take: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver(list => list.getEntries().forEach(take)).observe({ type, buffered: true })
  watch('largest-contentful-paint', entry => {
    seen.largest_paint = entry.startTime
  })
  watch('longtask', entry => {
    seen.longest_task = Math.max(seen.longest_task, entry.duration)
  })
  watch('long-animation-frame', entry => {
    seen.frames.push({ start: entry.startTime, duration: entry.duration })
  })

  let count = 0
  setInterval(() => {
    const there = document.querySelectorAll('[data-message-id]').length
    if (there > count) seen.complete = performance.now()
    count = there
  }, 250)

  requestAnimationFrame(function look() {
    const box = document.querySelector(`[data-message-id="${last}"]`)?.getBoundingClientRect()
    if (box === undefined || box.height === 0 || box.top > innerHeight || box.bottom < 0)
      return void requestAnimationFrame(look)
    // The task after the frame that shows it.
    globalThis.setTimeout(() => {
      seen.last_seen = performance.now()
      seen.nodes = document.evaluate('count(//node())', document, null, XPathResult.NUMBER_TYPE).numberValue
      resolveSeen()
    })
  })
}
