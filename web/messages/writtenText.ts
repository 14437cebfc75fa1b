import { type Message, textOf } from '#contract/messages.ts'
import { citedText } from './citations.ts'

/** What an answer says, as Markdown: its texts without what tools did, its sources as links. */
export function writtenText(replies: readonly Message[]): string {
  return replies
    .filter(isSaid)
    .map(reply => citedText(textOf(reply), reply, linkOf))
    .join('\n\n')
}

/** Said to the reader, and not to a tool. */
function isSaid({ role, content, metadata }: Message): boolean {
  if (role !== 'assistant' || content === null) return false
  const recipient = metadata?.source === 'openai_web' ? (metadata.recipient ?? 'all') : 'all'
  return recipient === 'all' && (content.content_type === 'text' || content.content_type === 'multimodal_text')
}

const linkOf = (number: number, url: string) => ` [${number}](${url})`
