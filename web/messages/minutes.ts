/** How often a text such as "3 minutes ago" is looked at again, in milliseconds. */
const OFTEN_ENOUGH = 30_000

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** One clock for all the times of a long thread; whoever's text is still the same is not drawn again. */
export function everyHalfMinute(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const tell of listeners) tell()
  }, OFTEN_ENOUGH)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
