import type { Plan } from './screen.ts'

/** Milliseconds from the request to the response above which the scripts arrive after the first frame in any case. */
const FAR_MS = 50
/** Milliseconds after a frame was made, in case the browser reports no paint. */
const PAINTED_BY_MS = 1_000

declare global {
  /** Resolves when the scripts of the screen have run; the page then finds them loaded. */
  var screenScripts: Promise<void> | undefined
}

/** Runs before the next frame where the browser can, so that what follows is seen one frame sooner. */
export function urgentTask(): Promise<unknown> {
  return window.scheduler?.postTask(() => {}, { priority: 'user-blocking' }) ?? nextTask()
}

/** Resolves in the next task, so that the browser can paint and handle input before. */
export function nextTask(): Promise<unknown> {
  return new Promise(resolve => {
    setTimeout(resolve)
  })
}

export function isServerFar(): boolean {
  // the entries of that type
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return visit !== undefined && visit.responseStart - visit.requestStart > FAR_MS
}

/** Fetches the scripts without running them, unless the page does so by itself. */
export function preloadScripts({ scripts, screen }: Plan): void {
  if (document.querySelector('link[rel=modulepreload]') !== null) return
  const links = [...scripts, ...(screen?.scripts ?? [])].map(href =>
    Object.assign(document.createElement('link'), {
      rel: 'modulepreload',
      fetchPriority: 'low',
      crossOrigin: '',
      href,
    }),
  )
  document.head.append(...links)
}

/** One after another in a task each, so that typing and clicking never wait for all of them. */
export async function runScripts(plan: Plan): Promise<void> {
  preloadScripts(plan)
  try {
    await runEach(plan.scripts)
  } catch (error) {
    showNote(plan, 'unloaded')
    throw error
  }
  globalThis.screenScripts = runEach(plan.screen?.scripts ?? [])
  // The router fetches what is missing again, and reports it (web/app/router.tsx).
  globalThis.screenScripts.catch(() => {})
}

async function runEach(scripts: readonly string[]): Promise<void> {
  for (const script of scripts) {
    await nextTask()
    await import(/* @vite-ignore */ script)
  }
}

/**
 * Says why there is no page: `unloaded` where the scripts could not be loaded, as when the portal is served under a
 * path, where they are not found because they are fetched from the root. In every language, since the user is not
 * known yet.
 */
export function showNote({ texts }: Plan, why: 'unloaded' | 'tooOld'): void {
  const first = document.querySelector('first-paint')
  // Typed text stays, so that it can be copied by hand.
  if (first?.hasTyped !== true) first?.remove()
  const note = Object.assign(document.createElement('div'), { role: 'alert' })
  note.style.cssText = 'max-width: 40em; margin: 2em auto; padding: 0 1em; font: 1em/1.5 sans-serif'
  for (const [lang, { [why]: textContent }] of Object.entries(texts))
    note.append(Object.assign(document.createElement('p'), { lang, textContent }))
  document.body.prepend(note)
}

/**
 * Resolves when the style sheet is loaded: before, the screen would be measured and in some browsers shown without
 * styles.
 */
export async function stylesLoaded(): Promise<void> {
  const link = document.querySelector<HTMLLinkElement>('link[rel=stylesheet]')
  if (link === null || link.sheet !== null) return
  await new Promise(resolve => Object.assign(link, { onload: resolve, onerror: resolve }))
  await urgentTask()
}

/** Resolves when something has been painted; at once in a page that nobody sees. */
export function painted(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (document.hidden) resolve()
  addEventListener('visibilitychange', () => resolve(), { once: true })
  new PerformanceObserver(paints => {
    if (paints.getEntriesByName('first-contentful-paint').length > 0) resolve()
  }).observe({ type: 'paint', buffered: true })
  requestAnimationFrame(() => setTimeout(resolve, PAINTED_BY_MS))
  return promise
}
