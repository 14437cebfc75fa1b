import '#web/foundation/zodConfiguration.ts'
import { batchesOf, type ImportBatch, type Leftover } from './importBatches.ts'
import { type ExportedPicture, picturesIn } from './exportedPictures.ts'
import { readImport } from './readImport.ts'
import { type ImportReason, type RefusedConversation, UnreadableFile } from './unreadableFile.ts'

/**
 * First the file, then a request for each batch, with what had no room of the one before, and for each picture that its
 * messages point to.
 */
export type WorkerRequest = Blob | { left: readonly Leftover[] } | { picture: string; most: number }

export type WorkerResponse =
  | { kind: 'read'; titles: string[]; refused: RefusedConversation[] }
  | { kind: 'batch'; batch: ImportBatch | null }
  | { kind: 'picture'; picture: ExportedPicture | null }
  | { kind: 'unreadable'; reason: ImportReason; product: string | null }

let batches: ReturnType<typeof batchesOf> | undefined
let pictures: ReturnType<typeof picturesIn> | undefined

const respond = (message: WorkerResponse) => postMessage(message, { transfer: [] })

/** Reads a file without blocking the page. */
addEventListener('message', ({ data }: MessageEvent<WorkerRequest>) => {
  if (!(data instanceof Blob) && 'picture' in data) {
    void Promise.resolve(pictures?.read(data.picture, data.most)).then(
      picture => respond({ kind: 'picture', picture: picture ?? null }),
      () => respond({ kind: 'picture', picture: 'unreadable' }),
    )
    return
  }
  if (!(data instanceof Blob)) {
    const next = batches?.next(data.left)
    respond({ kind: 'batch', batch: next === undefined || next.done ? null : next.value })
    return
  }
  pictures = picturesIn(data)
  readImport(data)
    .then(({ conversations, refused }) => {
      batches = batchesOf(conversations)
      respond({ kind: 'read', titles: conversations.map(({ title }) => title ?? ''), refused })
    })
    .catch((error: unknown) => {
      const { reason, product } =
        error instanceof UnreadableFile ? error : new UnreadableFile('transfer.no.workerFailed')
      respond({ kind: 'unreadable', reason, product })
    })
})
