import { whenIdle } from '#web/foundation/idle.ts'

/** Milliseconds of drawing in one task: a page full of formulas takes several and stays responsive. */
const BUDGET = 4

/** Milliseconds after which a waiting drawing is made even if the browser is not idle. */
const WITHIN = 200

const waiting = new Set<() => void>()
let spent = 0
let scheduled = false

/**
 * Runs each step in an idle task of its own: a large formula takes as long to lay out as to make. Returns a function
 * that cancels the rest.
 */
export function drawInSteps([step, ...further]: readonly (() => void)[]): () => void {
  if (step === undefined) return () => {}
  let cancel = whenIdle(() => {
    step()
    cancel = drawInSteps(further)
  }, WITHIN)
  return () => cancel()
}

/** Draws at once while there is budget, otherwise in a later idle task. Returns a function that cancels it. */
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
