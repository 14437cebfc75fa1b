import type { Call } from '#contract/call.ts'

/** Milliseconds since the page was requested; answers older than that are fetched again. */
const FRESH_FOR = 15_000

let preloaded: Record<string, unknown> | null = null

/** The answer that the server sent with the page; given once, while it is fresh. */
export function takePreloaded({ method, path }: Call): unknown {
  preloaded ??= read()
  const address = `${method} ${path}`
  const answer = performance.now() < FRESH_FOR ? preloaded[address] : undefined
  delete preloaded[address]
  return answer
}

/** Whether the answer came with the page. */
export function isPreloaded({ method, path }: Call): boolean {
  preloaded ??= read()
  return `${method} ${path}` in preloaded
}

declare global {
  /** By 'METHOD address', the requests that web/firstPaint/start.ts sent before the page's scripts ran. */
  var sentAhead: Record<string, Promise<Response>> | undefined
}

/** For the inline script of the page. */
export function fetchAhead(address: string): void {
  const response = fetch(address, { priority: 'low' })
  response.catch(() => {})
  globalThis.sentAhead = { [`GET ${address}`]: response }
}

/** The response to a request that the inline script sent; given once, while it is fresh. */
export function takeSentAhead(method: string, address: string): Promise<Response> | undefined {
  const ahead = globalThis.sentAhead
  const response = ahead?.[`${method} ${address}`]
  if (response !== undefined) globalThis.sentAhead = undefined
  return performance.now() < FRESH_FOR ? response : undefined
}

/** At sign-in and sign-out: the answers belong to the user before. */
export function dropPreloaded(): void {
  document.getElementById('answers')?.remove()
  preloaded = null
  globalThis.sentAhead = undefined
}

function read(): Record<string, unknown> {
  const text = document.getElementById('answers')?.textContent ?? ''
  return text === '' ? {} : JSON.parse(text)
}
