/** Milliseconds of work in one task, so that scrolling is not delayed. */
const SLICE_MS = 8

/** Does the next steps of a work for one slice of time; says whether all are done. */
export function runSlice(steps: Iterator<unknown>): boolean {
  const until = performance.now() + SLICE_MS
  let isDone = steps.next().done === true
  while (!isDone && performance.now() < until) isDone = steps.next().done === true
  return isDone
}
