import { whenIdle } from './turns.ts'

/** Milliseconds of drawing at one go. A page full of formulas is drawn in several, with room for the reader in between. */
const BUDGET = 4

const waiting = new Set<() => void>()
let spent = 0
let scheduled = false

/** Milliseconds within which a drawing that can wait is made, however busy the browser is. */
const WITHIN = 200

/** Runs when the frame has been painted that everything else around it belongs to; answers with the way to call it off. */
export function inOwnTurn(draw: () => void): () => void {
  return whenIdle(draw, WITHIN)
}

/** Runs at once if not much was drawn just now, else in its turn; answers with the way to call it off. */
export function inTurn(draw: () => void): () => void {
  if (waiting.size === 0 && spent < BUDGET) measured(draw)
  else waiting.add(draw)
  schedule()
  return () => { waiting.delete(draw) }
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
