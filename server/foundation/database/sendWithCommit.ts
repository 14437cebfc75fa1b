import type { SendWithCommit } from './schema.ts'

/** The function a transaction is given as `sendWithCommit`, and the writes that were passed to it. A failure of any of them rejects where all are awaited. */
export function writesWithCommit(): { sendWithCommit: SendWithCommit; writes: readonly Promise<unknown>[] } {
  const writes: Promise<unknown>[] = []
  return {
    writes,
    sendWithCommit(...sent) {
      for (const write of sent) write.catch(() => undefined)
      writes.push(...sent)
    },
  }
}
