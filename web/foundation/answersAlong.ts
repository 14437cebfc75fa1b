import type { Call } from '#contract/call.ts'

/** Milliseconds since the page was asked for. What has not been taken by then is asked for anew. */
const GOOD_FOR_MS = 15_000

let along: Record<string, unknown> | null = null

/** The answer to a call that the server sent together with the page; once, and only while it is news. */
export function takeAnswer({ method, path }: Call): unknown {
  along ??= read()
  const address = `${method} ${path}`
  const answer = performance.now() < GOOD_FOR_MS ? along[address] : undefined
  delete along[address]
  return answer
}

/** Whether an answer is there already, so that waiting for it is no waiting. */
export function isAlong({ method, path }: Call): boolean {
  along ??= read()
  return `${method} ${path}` in along
}

/** Somebody else may be signing in: nothing that is left was meant for them. */
export function dropAnswers(): void {
  along = {}
}

function read(): Record<string, unknown> {
  const text = document.getElementById('answers')?.textContent ?? ''
  return text === '' ? {} : JSON.parse(text)
}
