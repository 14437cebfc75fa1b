import { importConversations, type ImportOutcome, type ImportResult } from '#contract/transfer.ts'
import { call } from '#web/foundation/call.ts'
import { callWithRetries } from './callWithRetries.ts'
import type { ImportBatch, Leftover } from './importBatches.ts'
import { importedPictures, MAX_PICTURE_BYTES } from './importedPictures.ts'
import type { WorkerRequest, WorkerResponse } from './importWorker.ts'
import { type RefusedConversation, UnreadableFile } from './unreadableFile.ts'

export type ImportProgress = { done: number; total: number }

/** The outcome of importing a file. */
export type ImportSummary = {
  counts: Record<ImportOutcome, number>
  refused: RefusedConversation[]
  /** Conversations that were too long for one, and became several. */
  split: number
  /** Conversations that were not sent because the import was cancelled. */
  left: number
  /** Pictures of the file that were not taken: too large, or without room. */
  pictures_left_out: number
}

/** The result of each conversation of the file, by the number of its part: a long one becomes several. */
type Results = (Map<number, ImportResult> | undefined)[]

/** Imports a file. What has been stored when it is cancelled stays; the same file can be imported again. */
export async function importFile(
  file: Blob,
  onProgress: (progress: ImportProgress) => void,
  signal: AbortSignal,
): Promise<ImportSummary> {
  const reader = readerOf(file, signal)
  const results: Results = []
  let titles: string[] = []
  let refused: RefusedConversation[] = []
  let left: Leftover[] = []
  const pictures = importedPictures(id => reader.picture(id), signal)
  try {
    ;({ titles, refused } = await reader.read())
    onProgress({ done: 0, total: titles.length })
    for (let batch = await reader.next(left); batch !== null && !signal.aborted; batch = await reader.next(left)) {
      left = await send(await pictures.takeAlong(batch), results, signal)
      onProgress({ done: results.length, total: titles.length })
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    reader.close()
  }
  return { ...summaryOf(titles, results, refused), pictures_left_out: pictures.skipped() }
}

/** Resolves with the messages that had no room. */
async function send(batch: ImportBatch, results: Results, signal: AbortSignal): Promise<Leftover[]> {
  const body = { conversations: batch.map(({ conversation }) => conversation) }
  const answer = await callWithRetries(() => call(importConversations, { body }, { signal }), signal)
  const left = new Map<number, Leftover>()
  for (const [at, { index, part, from, conversation }] of batch.entries()) {
    const result = answer.results[at]
    if (result === undefined) continue
    const parts = (results[index] ??= new Map<number, ImportResult>())
    parts.set(part, merged(parts.get(part), result))
    // When a conversation has several items in a batch, the first that did not fit says where the next part begins.
    if (result.left !== undefined && result.left > 0 && !left.has(index))
      left.set(index, { index, part, from: from + conversation.messages.length - result.left })
  }
  return [...left.values()]
}

/** Merges the results of the items of a conversation: a new one stays new, and one refused item refuses it. */
function merged(before: ImportResult | undefined, now: ImportResult): ImportResult {
  if (before === undefined || before.outcome === 'refused') return before ?? now
  if (now.outcome === 'refused') return now
  return {
    ...now,
    outcome: before.outcome === 'present' ? now.outcome : before.outcome,
    added: before.added + now.added,
  }
}

function summaryOf(
  titles: readonly string[],
  results: Results,
  refusedHere: readonly RefusedConversation[],
): Omit<ImportSummary, 'pictures_left_out'> {
  const counts: ImportSummary['counts'] = { new: 0, completed: 0, present: 0, refused: refusedHere.length }
  const refused = [...refusedHere]
  for (const [at, parts] of results.entries()) {
    for (const { outcome, reason } of parts?.values() ?? []) {
      counts[outcome] += 1
      if (outcome === 'refused') refused.push({ title: titles[at] ?? '', reason: reason ?? 'errors.internal' })
    }
  }
  const sent = results.filter(parts => parts !== undefined)
  return { counts, refused, split: sent.filter(({ size }) => size > 1).length, left: titles.length - sent.length }
}

/** Reads a file in a worker, one request at a time. */
function readerOf(file: Blob, signal: AbortSignal) {
  const worker = new Worker(new URL('./importWorker.ts', import.meta.url), { type: 'module' })
  const request = (message: WorkerRequest) =>
    new Promise<WorkerResponse>((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<WorkerResponse>) => resolve(data), { once: true })
      worker.addEventListener('error', () => reject(new UnreadableFile('transfer.no.workerFailed')), { once: true })
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      worker.postMessage(message, { transfer: [] })
    })
  return {
    async read() {
      const response = await request(file)
      if (response.kind === 'unreadable') throw new UnreadableFile(response.reason, { product: response.product })
      if (response.kind !== 'read') throw new UnreadableFile('transfer.no.workerFailed')
      return response
    },
    async next(left: readonly Leftover[]) {
      const response = await request({ left })
      return response.kind === 'batch' ? response.batch : null
    },
    async picture(id: string) {
      const response = await request({ picture: id, most: MAX_PICTURE_BYTES })
      return response.kind === 'picture' ? response.picture : null
    },
    close: () => worker.terminate(),
  }
}
