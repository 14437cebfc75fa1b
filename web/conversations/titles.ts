import type { ConversationRecord } from '#contract/conversations.ts'

/** Every word must be there, in any order, whatever its case or width. */
export function titlesWith(words: string, records: readonly ConversationRecord[]): ConversationRecord[] {
  const parts = folded(words).split(/\s+/).filter(part => part !== '')
  return records.filter(({ title }) => parts.every(part => folded(title ?? '').includes(part)))
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}
