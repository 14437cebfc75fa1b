import type { ConversationRecord } from '#contract/conversations.ts'
import { hasAnywhere } from '#contract/searchWords.ts'

/** Every word must be there, in any order, whatever its case, width or accents. */
export function titlesWith(words: string, records: readonly ConversationRecord[]): ConversationRecord[] {
  return records.filter(({ title }) => hasAnywhere(title ?? '', words))
}
