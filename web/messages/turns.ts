import { isShown, type Message } from '#contract/messages.ts'

/** A question and what came of it. A conversation may begin without a question. */
export type Turn = { key: string; question: Message | null; replies: Message[] }

export function turnsOf(messages: readonly Message[]): Turn[] {
  const turns: Turn[] = []
  for (const message of messages) {
    const last = turns.at(-1)
    if (!isShown(message)) continue
    if (message.role === 'user') turns.push({ key: message.id, question: message, replies: [] })
    else if (last === undefined) turns.push({ key: message.id, question: null, replies: [message] })
    else last.replies.push(message)
  }
  return turns
}
