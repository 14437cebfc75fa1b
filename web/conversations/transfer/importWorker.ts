import '#web/foundation/jitless.ts'
import { batchesOf } from './importBatches.ts'
import { UnreadableFile } from './importReasons.ts'
import { readImport } from './readImport.ts'
import type { WorkerAnswer, WorkerQuestion } from './workerTalk.ts'

let batches: ReturnType<typeof batchesOf> | undefined

const answer = (message: WorkerAnswer) => postMessage(message, { transfer: [] })

/** Reads the file away from the page, and gives out what goes into one call each, as it is asked for. */
addEventListener('message', ({ data }: MessageEvent<WorkerQuestion>) => {
  if (!(data instanceof Blob)) {
    const next = batches?.next(data.left)
    answer({ kind: 'batch', batch: next === undefined || next.done ? null : next.value })
    return
  }
  readImport(data)
    .then(({ conversations, refused }) => {
      batches = batchesOf(conversations)
      answer({ kind: 'read', titles: conversations.map(({ title }) => title ?? ''), refused })
    })
    .catch((error: unknown) => {
      const { reason, product } =
        error instanceof UnreadableFile ? error : new UnreadableFile('transfer.no.workerFailed')
      answer({ kind: 'unreadable', reason, product })
    })
})
