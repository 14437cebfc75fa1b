import { beginningOf } from '#contract/cutText.ts'
import type { ConversationHistory } from '#contract/conversations.ts'
import { EXPORT_FORMAT, EXPORT_VERSION, exportConversations, type ExportedFile } from '#contract/transfer.ts'
import { call } from '#web/foundation/call.ts'
import { callWithRetries } from './callWithRetries.ts'

/** One conversation as a file. */
export function fileOf(history: ConversationHistory, now: Date): Blob {
  const file: ExportedFile = { ...headOf(now), conversations: [withoutAsk(history)] }
  return json([JSON.stringify(file, null, 2)])
}

/** One file with many conversations, which are added as they arrive. */
export function growingFile(now: Date) {
  // The browser may keep blobs on disk; strings stay in the memory of the page.
  const pieces: Blob[] = [new Blob([`${JSON.stringify(headOf(now)).slice(0, -1)},"conversations":[`])]
  let count = 0
  return {
    add(histories: readonly ConversationHistory[]): void {
      if (histories.length === 0) return
      const lines = histories.map(history => JSON.stringify(withoutAsk(history))).join(',\n')
      pieces.push(new Blob([count === 0 ? '\n' : ',\n', lines]))
      count += histories.length
    },
    count: () => count,
    close: () => json([...pieces, '\n]}\n']),
  }
}

function headOf(now: Date): Omit<ExportedFile, 'conversations'> {
  return { format: EXPORT_FORMAT, version: EXPORT_VERSION, exported_at: now.toISOString() }
}

/** A running ask means nothing outside of this portal. */
function withoutAsk(history: ConversationHistory): ConversationHistory {
  return { ...history, running_ask: undefined }
}

function json(parts: BlobPart[]): Blob {
  return new Blob(parts, { type: 'application/json' })
}

export type ExportProgress = { done: number; total: number }

/** All of one’s own conversations in one file. */
export async function exportAll(
  onProgress: (progress: ExportProgress) => void,
  signal: AbortSignal,
): Promise<{ file: Blob; count: number }> {
  const file = growingFile(new Date())
  let after: string | undefined
  for (;;) {
    const page = await callWithRetries(() => call(exportConversations, { query: { after } }, { signal }), signal)
    file.add(page.conversations)
    onProgress({ done: file.count(), total: Math.max(page.total, file.count()) })
    if (page.next === null) return { file: file.close(), count: file.count() }
    after = page.next
  }
}

/** Characters of a title in a file name. Systems allow 255 bytes, and a Chinese character has three. */
const MAX_TITLE = 60
/** Names that Windows reserves. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i

/** A file name that every system accepts, from any title. */
export function fileNameOf(title: string, fallback: string, extension: string): string {
  const plain = title
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\uFFFD]/gu, '')
    .replace(/[\\/:*?"<>|]/g, ' ')
    .replace(/\s+/g, ' ')
  const longest = Array.from(plain.slice(0, 2 * MAX_TITLE))
    .slice(0, MAX_TITLE)
    .join('').length
  const cut = beginningOf(plain, longest).replace(/^[\s.]+|[\s.]+$/g, '')
  const base = cut.split('.')[0] ?? ''
  return `${cut === '' || RESERVED.test(base.trim()) ? fallback : cut}.${extension}`
}
