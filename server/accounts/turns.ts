import { Refusal } from '#server/foundation/refusal.ts'

export type Turns = {
  /** Runs the work when its turn comes; refuses at once when too many wait already. */
  run<T>(work: () => Promise<T>): Promise<T>
}

/** At most `at_once` run together, the others in the order in which they came. */
export function turns(at_once: number, most_waiting: number): Turns {
  let running = 0
  const waiting: (() => void)[] = []
  return {
    async run(work) {
      if (running < at_once) {
        running += 1
      } else {
        if (waiting.length >= most_waiting) throw new Refusal('tooManyRequests', { retry_after_seconds: 30 })
        const { promise, resolve } = Promise.withResolvers<void>()
        waiting.push(resolve)
        await promise // whoever finishes hands over its place, so `running` does not change
      }
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else running -= 1
      }
    },
  }
}

/** One at a time for each key; different keys do not wait for each other. */
export function turnsByKey(most_waiting: number): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const known = new Map<string, { turns: Turns; users: number }>()
  return async (key, work) => {
    const entry = known.get(key) ?? { turns: turns(1, most_waiting), users: 0 }
    known.set(key, entry)
    entry.users += 1
    try {
      return await entry.turns.run(work)
    } finally {
      entry.users -= 1
      if (entry.users === 0) known.delete(key)
    }
  }
}
