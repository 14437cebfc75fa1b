import type { Call } from '#contract/call.ts'

/** Milliseconds since the page was requested. Answers that have not been used by then are fetched again. */
const GOOD_FOR_MS = 15_000

let along: Record<string, unknown> | null = null

/** The answer to a call that the server sent together with the page; given once, and only while it is fresh. */
export function takeAnswer({ method, path }: Call): unknown {
  along ??= read()
  const address = `${method} ${path}`
  const answer = performance.now() < GOOD_FOR_MS ? along[address] : undefined
  delete along[address]
  return answer
}

/** Whether the answer has come with the page, so that nobody has to wait for it. */
export function isAlong({ method, path }: Call): boolean {
  along ??= read()
  return `${method} ${path}` in along
}

/** Somebody else may be signing in: what is left was not meant for them. */
export function dropAnswers(): void {
  along = {}
}

function read(): Record<string, unknown> {
  const text = document.getElementById('answers')?.textContent ?? ''
  return text === '' ? {} : JSON.parse(text)
}
