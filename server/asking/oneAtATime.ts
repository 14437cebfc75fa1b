import { setTimeout as wait } from 'node:timers/promises'
import { Refusal } from '#server/foundation/refusal.ts'

/** Milliseconds before each further try: mostly the other answer is about to end. A minute altogether. */
const PAUSES = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000]
/** Seconds that are believed of what the account says itself; "wait one minute" is what it says to everybody. */
const MAX_BELIEVED_SECONDS = 30

type Tried = {
  ask(): Promise<void>
  /** Whether anything of the answer has come, so that it cannot be asked for again. */
  hasBegun(): boolean
  signal: AbortSignal
}

/** Asks an account that answers one question at a time again while it answers another, in another window of its owner, say. */
export async function askUntilFree(
  { ask, hasBegun, signal }: Tried,
  pauses: readonly number[] = PAUSES,
): Promise<void> {
  for (const pause of [...pauses, null]) {
    try {
      return await ask()
    } catch (error) {
      const isBusy = error instanceof Refusal && error.key === 'openai.oneAtATime'
      if (!isBusy || pause === null || hasBegun() || signal.aborted) throw error
      await wait(Math.max(pause, retryDelayOf(error)), undefined, { signal })
    }
  }
}

function retryDelayOf({ values: { retry_after_seconds: seconds } }: Refusal): number {
  return typeof seconds === 'number' && seconds <= MAX_BELIEVED_SECONDS ? seconds * 1000 : 0
}
