import type { Call } from '#contract/call.ts'

/** Milliseconds since the page was requested. Answers that have not been used by then are fetched again. */
const GOOD_FOR_MS = 15_000

let preloaded: Record<string, unknown> | null = null

/** The answer to a call that the server sent together with the page; given once, and only while it is fresh. */
export function takePreloaded({ method, path }: Call): unknown {
  preloaded ??= read()
  const address = `${method} ${path}`
  const answer = performance.now() < GOOD_FOR_MS ? preloaded[address] : undefined
  delete preloaded[address]
  return answer
}

/** Whether the answer has come with the page, so that nobody has to wait for it. */
export function isPreloaded({ method, path }: Call): boolean {
  preloaded ??= read()
  return `${method} ${path}` in preloaded
}

declare global {
  /** By 'METHOD address', the requests that start.js sent before the page's scripts ran. */
  var sentAhead: Record<string, Promise<Response>> | undefined
}

/** The response to a request that was sent before this script ran; given once, and only while it is fresh. */
export function takeSentAhead(method: string, address: string): Promise<Response> | undefined {
  const ahead = globalThis.sentAhead
  const response = ahead?.[`${method} ${address}`]
  if (response !== undefined) globalThis.sentAhead = undefined
  return performance.now() < GOOD_FOR_MS ? response : undefined
}

/** Somebody else may be signing in: what is left was not meant for them. */
export function dropPreloaded(): void {
  preloaded = {}
  globalThis.sentAhead = undefined
}

function read(): Record<string, unknown> {
  const text = document.getElementById('answers')?.textContent ?? ''
  return text === '' ? {} : JSON.parse(text)
}
