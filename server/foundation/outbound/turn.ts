/** Milliseconds that one reader may be busy before timers and everybody else have their turn. */
const TURN_MS = 20

/** Counts how long a reader was busy with what has come, and lets others have their turn, however fast more comes. */
export function readingTurn(hold: () => void, release: () => void) {
  let busy_ms = 0
  return {
    /** `began`: when the reader got what it has just read. */
    count(began: number): void {
      busy_ms += performance.now() - began
      if (busy_ms < TURN_MS) return
      busy_ms = 0
      hold()
      setImmediate(release)
    },
  }
}
