import type { ConversationHistory } from '#contract/conversations.ts'
import { EXPORT_FORMAT, EXPORT_VERSION, type ExportedFile } from '#contract/transfer.ts'

/** The ask that runs at the moment means nothing to whoever reads the file. */
function exported(history: ConversationHistory): ConversationHistory {
  return { ...history, running_ask: undefined }
}

/** One conversation as a file. */
export function fileOf(history: ConversationHistory, now: Date): Blob {
  const file: ExportedFile = {
    format: EXPORT_FORMAT,
    version: EXPORT_VERSION,
    exported_at: now.toISOString(),
    conversations: [exported(history)],
  }
  return json([JSON.stringify(file, null, 2)])
}

/** The same for many: written down piece by piece as they come, so that they need not all be objects at once. */
export function growingFile(now: Date) {
  const head = JSON.stringify({ format: EXPORT_FORMAT, version: EXPORT_VERSION, exported_at: now.toISOString() })
  const pieces: Blob[] = [new Blob([`${head.slice(0, -1)},"conversations":[`])]
  let count = 0
  return {
    add(histories: readonly ConversationHistory[]): void {
      if (histories.length === 0) return
      const lines = histories.map(history => JSON.stringify(exported(history))).join(',\n')
      // Blobs lie where the browser has room, texts in the page's own memory.
      pieces.push(new Blob([count === 0 ? '\n' : ',\n', lines]))
      count += histories.length
    },
    count: () => count,
    close: () => json([...pieces, '\n]}\n']),
  }
}

function json(parts: BlobPart[]): Blob {
  return new Blob(parts, { type: 'application/json' })
}
