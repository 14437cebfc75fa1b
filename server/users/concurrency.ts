import { Refusal } from '#server/foundation/refusal.ts'

type ConcurrencyLimit = {
  /** Runs the work as soon as fewer than `at_once` run; refuses at once when too many wait already. */
  run<T>(work: () => Promise<T>): Promise<T>
}

/** At most `at_once` run together, the others wait in the order in which they came. */
export function concurrencyLimit(at_once: number, most_waiting: number): ConcurrencyLimit {
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
        await promise // whoever finishes starts the next one, so `running` does not change
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
export function oneAtATimeByKey(most_waiting: number): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const known = new Map<string, { limit: ConcurrencyLimit; users: number }>()
  return async (key, work) => {
    const entry = known.get(key) ?? { limit: concurrencyLimit(1, most_waiting), users: 0 }
    known.set(key, entry)
    entry.users += 1
    try {
      return await entry.limit.run(work)
    } finally {
      entry.users -= 1
      if (entry.users === 0) known.delete(key)
    }
  }
}
