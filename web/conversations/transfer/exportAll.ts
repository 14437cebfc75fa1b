import { exportConversations } from '#contract/transfer.ts'
import { call } from '#web/foundation/call.ts'
import { growingFile } from './exportedFile.ts'
import { patiently } from './patiently.ts'

export type ExportProgress = { done: number; total: number }

/** All of one's own conversations in one file. */
export async function exportAll(
  onProgress: (progress: ExportProgress) => void,
  signal: AbortSignal,
): Promise<{ file: Blob; count: number }> {
  const file = growingFile(new Date())
  let after: string | undefined
  for (;;) {
    const page = await patiently(() => call(exportConversations, { query: { after } }, { signal }), signal)
    file.add(page.conversations)
    onProgress({ done: file.count(), total: Math.max(page.total, file.count()) })
    if (page.next === null) return { file: file.close(), count: file.count() }
    after = page.next
  }
}
