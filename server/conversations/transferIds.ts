import { createHash } from 'node:crypto'
import { Uuid } from '#contract/envelope.ts'

/** Derived from the person and the original id, so that a second import of the same file finds the conversation. */
export const importedConversationId = (user_id: number, original: string): string =>
  idFrom(`conversation\n${user_id}\n${original}`)

/** Messages keep their ids, which must be unique in their conversation only. An id of another form is replaced by a derived one. */
export function importedMessageId(conversation_id: string, original: string): string {
  return Uuid.safeParse(original).success ? original.toLowerCase() : idFrom(`message\n${conversation_id}\n${original}`)
}

/** A UUID of version 8, which is for ids of the program's own making. */
function idFrom(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex')
  const variant = ((parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
