import { importConversations, type ImportResult } from '#contract/transfer.ts'
import { call } from '#web/foundation/call.ts'
import type { ImportBatch, Leftover } from './importBatches.ts'
import { type RefusedConversation, UnreadableFile } from './importReasons.ts'
import { patiently } from './patiently.ts'
import { type Tally, tallyOf } from './tally.ts'
import type { WorkerAnswer, WorkerQuestion } from './workerTalk.ts'

export type ImportProgress = { done: number; total: number }

/** What became of each conversation of the file, and of each that a long one became. */
export type Results = Map<number, ImportResult>[]

/** Takes the conversations of a file. Whatever is done when it is cancelled stays, and the file can be taken again. */
export async function importFile(
  file: Blob,
  onProgress: (progress: ImportProgress) => void,
  signal: AbortSignal,
): Promise<Tally> {
  const reader = readingOf(file, signal)
  const results: Results = []
  let titles: string[] = []
  let refused: RefusedConversation[] = []
  let left: Leftover[] = []
  try {
    ;({ titles, refused } = await reader.read())
    onProgress({ done: 0, total: titles.length })
    for (let batch = await reader.next(left); batch !== null && !signal.aborted; batch = await reader.next(left)) {
      left = await send(batch, results, signal)
      onProgress({ done: results.length, total: titles.length })
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    reader.close()
  }
  return tallyOf(titles, results, refused)
}

/** Gives what found no room. */
async function send(batch: ImportBatch, results: Results, signal: AbortSignal): Promise<Leftover[]> {
  const body = { conversations: batch.map(({ conversation }) => conversation) }
  const answer = await patiently(() => call(importConversations, { body }, { signal }), signal)
  const left = new Map<number, Leftover>()
  for (const [
    at,
    {
      index,
      part,
      from,
      conversation: { messages },
    },
  ] of batch.entries()) {
    const result = answer.results[at]
    if (result === undefined) continue
    const parts = (results[index] ??= new Map<number, ImportResult>())
    parts.set(part, merged(parts.get(part), result))
    // Of several pieces the first that was not taken whole says where it goes on.
    if (result.left !== undefined && result.left > 0 && !left.has(index))
      left.set(index, { index, part, from: from + messages.length - result.left })
  }
  return [...left.values()]
}

/** Of a conversation that came in pieces: new stays new, and one piece that is refused is a refusal. */
function merged(before: ImportResult | undefined, now: ImportResult): ImportResult {
  if (before === undefined || before.outcome === 'refused') return before ?? now
  if (now.outcome === 'refused') return now
  return {
    ...now,
    outcome: before.outcome === 'present' ? now.outcome : before.outcome,
    added: before.added + now.added,
  }
}

/** A file that is read away from the page; one question at a time. */
function readingOf(file: Blob, signal: AbortSignal) {
  const worker = new Worker(new URL('./importWorker.ts', import.meta.url), { type: 'module' })
  const asked = (question: WorkerQuestion) =>
    new Promise<WorkerAnswer>((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<WorkerAnswer>) => resolve(data), { once: true })
      worker.addEventListener('error', () => reject(new UnreadableFile('transfer.no.workerFailed')), { once: true })
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      worker.postMessage(question, { transfer: [] })
    })
  return {
    async read() {
      const answer = await asked(file)
      if (answer.kind === 'unreadable') throw new UnreadableFile(answer.reason, { product: answer.product })
      if (answer.kind !== 'read') throw new UnreadableFile('transfer.no.workerFailed')
      return answer
    },
    async next(left: readonly Leftover[]) {
      const answer = await asked({ left })
      return answer.kind === 'batch' ? answer.batch : null
    },
    close: () => worker.terminate(),
  }
}
