import type { SendWithCommit } from './schema.ts'

/** A transaction's `sendWithCommit`, and the writes that it received. Whoever awaits all of them gets the failure of any. */
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
