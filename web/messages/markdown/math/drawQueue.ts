import { whenIdle } from '#web/foundation/idle.ts'

/** Milliseconds of drawing in one task. A page full of formulas takes several, so that it stays responsive. */
const BUDGET = 4

const waiting = new Set<() => void>()
let spent = 0
let scheduled = false

/** Milliseconds within which a drawing that can wait is made, however busy the browser is. */
const WITHIN = 200

/**
 * Takes each step after a frame of its own, the first one after that with everything around it: a large formula takes as long to be laid
 * out as to be made, and one frame does not bear both. Returns what cancels those that are left.
 */
export function drawInSteps([step, ...further]: readonly (() => void)[]): () => void {
  if (step === undefined) return () => {}
  let cancel = whenIdle(() => {
    step()
    cancel = drawInSteps(further)
  }, WITHIN)
  return () => cancel()
}

/** Runs at once if not much was drawn just now, else in its turn. Returns what cancels it. */
export function drawWithinBudget(draw: () => void): () => void {
  if (waiting.size === 0 && spent < BUDGET) measured(draw)
  else waiting.add(draw)
  schedule()
  return () => {
    waiting.delete(draw)
  }
}

function measured(draw: () => void): void {
  const started = performance.now()
  draw()
  spent += performance.now() - started
}

function schedule(): void {
  if (scheduled) return
  scheduled = true
  // Behind the frame that shows what was drawn before.
  whenIdle(() => {
    scheduled = false
    spent = 0
    for (const draw of waiting) {
      if (spent >= BUDGET) break
      waiting.delete(draw)
      measured(draw)
    }
    if (waiting.size > 0) schedule()
  }, WITHIN)
}
