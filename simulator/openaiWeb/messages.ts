import { randomUUID } from 'node:crypto'

export type WebContent = { content_type: string; [field: string]: unknown }

/** A message as the web protocol writes it. Times in epoch seconds. */
export type WebMessage = {
  id: string
  author: { role: 'system' | 'user' | 'assistant' | 'tool'; name: string | null; metadata: Record<string, unknown> }
  create_time: number | null
  update_time: number | null
  content: WebContent
  status: string
  end_turn: boolean | null
  weight: number
  metadata: Record<string, unknown>
  /** `all`, or the tool that is called. */
  recipient: string
  /** Since 2025: `analysis`, `commentary` or `final`. */
  channel?: string | null
}

export const text = (...parts: string[]): WebContent => ({ content_type: 'text', parts })
export const code = (words: string, language = 'unknown'): WebContent => ({
  content_type: 'code',
  language,
  text: words,
})

export const now = (): number => Date.now() / 1_000

/** A complete message; `changes` replace single fields. */
export function aMessage(
  role: WebMessage['author']['role'],
  content: WebContent,
  { name = null, ...changes }: Partial<WebMessage> & { name?: string | null } = {},
): WebMessage {
  return {
    id: randomUUID(),
    author: { role, name, metadata: {} },
    create_time: now(),
    update_time: null,
    content,
    status: 'finished_successfully',
    end_turn: null,
    weight: 1,
    metadata: {},
    recipient: 'all',
    ...changes,
  }
}

/** The same message with another text in its content. */
export function withText(message: WebMessage, words: string): WebMessage {
  const content =
    message.content.content_type === 'text'
      ? { ...message.content, parts: [words] }
      : { ...message.content, text: words }
  return { ...message, content }
}

export function textOf({ content }: WebMessage): string {
  if (typeof content.text === 'string') return content.text
  return Array.isArray(content.parts) ? content.parts.filter(part => typeof part === 'string').join('\n') : ''
}
