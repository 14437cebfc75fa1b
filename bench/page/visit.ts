import type { Browser, CDPSession } from '@playwright/test'

export type Route = {
  name: string
  url: string
  /** Present and enabled as soon as a person can type there. */
  field: string
  cookies?: { name: string; value: string }[]
  /** Done in the page before the field can be there at all, as choosing a conversation. */
  storage?: Record<string, string>
}

/** What one cold visit cost. Times are milliseconds since the navigation began. */
export type Visit = {
  requests: number
  /** Bytes of everything, as transferred. */
  transferred: number
  /** Bytes of scripts and styles, as transferred. */
  code: number
  largest_paint: number
  ready: number
  /** The page's own scripts have taken over what was painted before them. */
  alive: number
  blocking: number
  shift: number
}

type Observed = { largest_paint: number; ready: number; alive: number; blocking: number; shift: number }

const SLOW_DOWN = 4
const DEADLINE_MS = 60_000
/** Long tasks and shifts after the page is alive count as well, for so long. */
const AFTERWARDS_MS = 1_500

/** Visits a route with an empty cache and a slowed processor. */
export async function visit(browser: Browser, route: Route): Promise<Visit> {
  const context = await browser.newContext({ locale: 'zh-CN', viewport: { width: 1280, height: 800 } })
  try {
    if (route.cookies) await context.addCookies(route.cookies.map(cookie => ({ ...cookie, url: route.url })))
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOW_DOWN })
    const network = await watchNetwork(session)
    await page.addInitScript(observe, { field: route.field, storage: route.storage ?? {} })
    const alive = told(session, 'toldAlive')
    await page.goto(route.url, { waitUntil: 'commit' })
    await alive
    await page.waitForTimeout(AFTERWARDS_MS)
    const seen = await page.evaluate(() => (globalThis as unknown as { seen: Observed }).seen) // set by observe() below
    return { ...seen, ...network() }
  } finally {
    await context.close()
  }
}

/** The page itself says when: what looks into it brings scripts of its own along, and those would count as long tasks. */
async function told(session: CDPSession, name: string): Promise<void> {
  await session.send('Runtime.enable')
  await session.send('Runtime.addBinding', { name })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => reject(new Error(`nobody called ${name}`)), DEADLINE_MS)
  session.on('Runtime.bindingCalled', call => { if (call.name === name) resolve() })
  await promise.finally(() => clearTimeout(timer))
}

async function watchNetwork(session: CDPSession) {
  const kinds = new Map<string, string>()
  const sizes = new Map<string, number>()
  await session.send('Network.enable')
  session.on('Network.requestWillBeSent', ({ requestId, type, request }) => {
    if (request.url.startsWith('http')) kinds.set(requestId, type ?? 'Other')
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => void sizes.set(requestId, encodedDataLength))
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

/** Runs in the page before its own scripts. */
function observe({ field, storage }: { field: string; storage: Record<string, string> }) {
  const seen: Observed = { largest_paint: 0, ready: 0, alive: 0, blocking: 0, shift: 0 }
  Object.assign(globalThis, { seen })
  for (const [key, value] of Object.entries(storage)) localStorage.setItem(key, value)
  const watch = (type: string, take: (entry: PerformanceEntry & { value?: number; hadRecentInput?: boolean }) => void) =>
    new PerformanceObserver(list => list.getEntries().forEach(take)).observe({ type, buffered: true })
  watch('largest-contentful-paint', entry => { seen.largest_paint = entry.startTime })
  watch('longtask', entry => { seen.blocking += Math.max(0, entry.duration - 50) })
  watch('layout-shift', entry => { if (!entry.hadRecentInput) seen.shift += entry.value ?? 0 })

  function look() {
    const found = document.querySelector<HTMLInputElement>(field)
    if (!found || found.disabled || found.readOnly || found.offsetParent === null) return void requestAnimationFrame(look)
    found.focus()
    if (document.activeElement !== found) return void requestAnimationFrame(look)
    // The task after a frame with the field in it: what is typed from here on is taken at once.
    requestAnimationFrame(() => setTimeout(() => {
      seen.ready = performance.now()
      listen()
    }))
  }
  function listen() {
    if (document.querySelector('first-paint') !== null) return void requestAnimationFrame(listen)
    seen.alive = performance.now();
    (globalThis as unknown as { toldAlive(text: string): void }).toldAlive('') // bound by told()
  }
  requestAnimationFrame(look)
}
