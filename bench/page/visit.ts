import { setTimeout } from 'node:timers/promises'
import { brotliCompressSync } from 'node:zlib'
import type { Browser } from '@playwright/test'
import { openTab, type Cookie, type Tab } from './tab.ts'

export type Route = {
  name: string
  url: string
  /** Selector of a field that is present and enabled as soon as a person can type. */
  field: string
  /** The field need not accept text: the visit is ready when it is shown. */
  is_shown?: true
  cookies?: Cookie[]
}

/** Measurements of one cold visit. Times are milliseconds since the navigation started. */
export type Visit = {
  requests: number
  /** Bytes of everything, as transferred. */
  transferred: number
  /** Transferred bytes of scripts and styles; for inline scripts, their size when compressed alone. */
  code: number
  largest_paint: number
  ready: number
  /** When the page's scripts have replaced the first paint. */
  alive: number
  blocking: number
  shift: number
}

type Observed = { largest_paint: number; ready: number; alive: number; blocking: number; shift: number }

const SLOW_DOWN = 4
/** Milliseconds after the page is alive in which long tasks and layout shifts still count. */
const AFTERWARDS_MS = 1_500

const SCRIPT_IN_PAGE = "document.querySelector('script:not([src], [type])')?.text ?? ''"

/** Visits a route with an empty cache on a slowed processor. */
export async function visit(browser: Browser, route: Route): Promise<Visit> {
  const tab = await openTab(browser, route.url, route.cookies)
  try {
    await tab.send('Emulation.setCPUThrottlingRate', { rate: SLOW_DOWN })
    const network = await watchNetwork(tab)
    await tab.beforeScripts(observe, { field: route.field, isShown: route.is_shown === true })
    await tab.goTo(route.url)
    await tab.value<void>('isAlive')
    await setTimeout(AFTERWARDS_MS)
    const inPage = await tab.value<string>(SCRIPT_IN_PAGE)
    const { code, ...others } = network()
    return { ...(await tab.value<Observed>('seen')), ...others, code: code + brotliCompressSync(inPage).length }
  } finally {
    await tab.close()
  }
}

async function watchNetwork(tab: Tab) {
  const kinds = new Map<string, string>()
  const sizes = new Map<string, number>()
  await tab.send('Network.enable')
  tab.on('Network.requestWillBeSent', ({ requestId, type, request }) => {
    if (request.url.startsWith('http')) kinds.set(requestId, type ?? 'Other')
  })
  tab.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => void sizes.set(requestId, encodedDataLength))
  return () => {
    const of = (wanted: (kind: string) => boolean) =>
      [...kinds].reduce((total, [id, kind]) => total + (wanted(kind) ? (sizes.get(id) ?? 0) : 0), 0)
    return {
      requests: kinds.size,
      transferred: of(() => true),
      code: of(kind => kind === 'Script' || kind === 'Stylesheet'),
    }
  }
}

type VisitOptions = { field: string; isShown: boolean }

/** Runs in the page before its own scripts. */
function observe({ field, isShown }: VisitOptions) {
  const seen: Observed = { largest_paint: 0, ready: 0, alive: 0, blocking: 0, shift: 0 }
  const { promise: isAlive, resolve: resolveAlive } = Promise.withResolvers<void>()
  Object.assign(globalThis, { seen, isAlive })
  const watch = (
    type: string,
    take: (entry: PerformanceEntry & { value?: number; hadRecentInput?: boolean }) => void,
  ) => new PerformanceObserver(list => list.getEntries().forEach(take)).observe({ type, buffered: true })
  watch('largest-contentful-paint', entry => {
    seen.largest_paint = entry.startTime
  })
  watch('longtask', entry => {
    seen.blocking += Math.max(0, entry.duration - 50)
  })
  watch('layout-shift', entry => {
    if (!entry.hadRecentInput) seen.shift += entry.value ?? 0
  })

  function look() {
    const found = document.querySelector<HTMLInputElement>(field)
    if (!found || found.disabled || found.readOnly || found.offsetParent === null)
      return void requestAnimationFrame(look)
    found.focus()
    if (!isShown && document.activeElement !== found) return void requestAnimationFrame(look)
    // In the task after the frame that shows the field: from here on, typed text is accepted at once.
    requestAnimationFrame(() =>
      globalThis.setTimeout(() => {
        seen.ready = performance.now()
        listen()
      }),
    )
  }
  function listen() {
    if (document.querySelector('first-paint') !== null) return void requestAnimationFrame(listen)
    seen.alive = performance.now()
    resolveAlive()
  }
  requestAnimationFrame(look)
}
