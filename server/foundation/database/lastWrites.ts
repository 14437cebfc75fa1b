import type { Work } from './schema.ts'

/** What a transaction is handed as `last`, and what was given to it. Each failure is heard of where all of them are awaited. */
export function lastWrites(): { last: Parameters<Work<unknown>>[1]; writes: readonly Promise<unknown>[] } {
  const writes: Promise<unknown>[] = []
  return {
    writes,
    last(...given) {
      for (const write of given) write.catch(() => undefined)
      writes.push(...given)
    },
  }
}
