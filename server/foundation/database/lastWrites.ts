import type { Last } from './schema.ts'

/** The function a transaction is given as `last`, and the writes that were passed to it. A failure of any of them rejects where all are awaited. */
export function lastWrites(): { last: Last; writes: readonly Promise<unknown>[] } {
  const writes: Promise<unknown>[] = []
  return {
    writes,
    last(...given) {
      for (const write of given) write.catch(() => undefined)
      writes.push(...given)
    },
  }
}
