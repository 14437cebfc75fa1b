import type { ResultOf } from '#contract/call.ts'
import type { ConversationHistory } from '#contract/conversations.ts'
import type { exportConversations } from '#contract/transfer.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { toHistory } from './history.ts'
import { messageStore } from './messageStore.ts'
import { transferStore } from './transferStore.ts'

/** Characters of JSON. A page of the export ends with the conversation that reaches this size. */
const PAGE_CHARACTERS = 1_000_000
const PAGE_SIZE = 100

type ExportPage = ResultOf<typeof exportConversations>

/** One's own conversations, as many at a time as make an answer of bounded size. */
export function openExport({ open }: { open: OpenDatabase }) {
  const [transfer, messages] = [transferStore(open.readOnly()), messageStore(open.readOnly())]
  return async (user_id: number, after: string | undefined): Promise<ExportPage> => {
    const [rows, total] = await Promise.all([
      transfer.validAfter(user_id, Number(after ?? 0), PAGE_SIZE),
      transfer.countValid(user_id),
    ])
    const conversations: ConversationHistory[] = []
    let size = 0
    for (const row of rows) {
      const history = toHistory(row, await messages.listOf(row.conversation_id), undefined)
      conversations.push(history)
      size += JSON.stringify(history.mapping).length
      if (size >= PAGE_CHARACTERS) break
    }
    const all = conversations.length === rows.length && rows.length < PAGE_SIZE
    return { conversations, next: all ? null : String(rows[conversations.length - 1]?.id), total }
  }
}
