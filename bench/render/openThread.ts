import { setTimeout } from 'node:timers/promises'
import type { Browser } from '@playwright/test'
import { openTab, type Cookie, type Tab } from '../page/tab.ts'
import { pageMetrics } from './pageMetrics.ts'

export type Thread = { name: string; url: string; last: string; cookies?: Cookie[] }

/** Measurements of one cold opening, in milliseconds; moments are counted from the start of the navigation. */
export type ThreadOpening = {
  largest_paint: number
  /** When the last message was on the screen, and the number of nodes at that moment. */
  last_seen: number
  nodes: number
  script: number
  longest_task: number
  /** When the last of the earlier messages was inserted, and the number of nodes with all of them. */
  complete: number
  all_nodes: number
  /** The longest frame while the reader scrolls up fast, from the moment the last message is shown. */
  fast_frame: number
  /** The longest frame while the reader then scrolls up slowly, with all messages inserted. */
  slow_frame: number
  heap: number
}

type Seen = Pick<ThreadOpening, 'largest_paint' | 'last_seen' | 'nodes' | 'longest_task' | 'complete'> & {
  frames: { start: number; duration: number }[]
}

const SLOW_DOWN = 4
const COMPLETE_MS = 30_000
/** Messages are complete when none has been inserted for that long. */
const QUIET_MS = 2_500
const LOOK_EVERY_MS = 250
/** Turns of the wheel, and pixels of each. */
const FAST = { turns: 60, pixels: 500 }
const SLOW = { turns: 80, pixels: 120 }
const WHEEL_EVERY_MS = 50

export async function openThread(browser: Browser, { url, last, cookies }: Thread): Promise<ThreadOpening> {
  const tab = await openTab(browser, url, cookies)
  try {
    const metrics = await pageMetrics(tab, SLOW_DOWN)
    await tab.beforeScripts(observe, last)
    await tab.goTo(url)
    await tab.value<void>('isSeen')
    const { script } = await metrics()
    const fast = await goUp(tab, FAST)
    await untilComplete(tab)
    const slow = await goUp(tab, SLOW)
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
      fast_frame: longest(fast),
      slow_frame: longest(slow),
      heap: (await metrics()).heap,
    }
  } finally {
    await tab.close()
  }
}

/** A busy machine may need longer than the deadline: then the numbers of that moment are reported. */
async function untilComplete(tab: Tab): Promise<void> {
  const deadline = performance.now() + COMPLETE_MS
  while (performance.now() < deadline && (await tab.value<number>('performance.now() - seen.complete')) <= QUIET_MS)
    await setTimeout(LOOK_EVERY_MS)
}

/** Scrolls up and returns the start and the end of it. */
async function goUp(tab: Tab, { turns, pixels }: typeof FAST): Promise<[number, number]> {
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
    // In the task after the frame that shows it.
    globalThis.setTimeout(() => {
      seen.last_seen = performance.now()
      seen.nodes = document.evaluate('count(//node())', document, null, XPathResult.NUMBER_TYPE).numberValue
      resolveSeen()
    })
  })
}
