import type { Message } from '#contract/messages.ts'

/** A message of a conversation with an endpoint: an answer without anything in it, unless the case says otherwise. */
export const aMessage = (fields: Partial<Message> = {}): Message => ({
  id: 'message',
  source: 'openai_api',
  role: 'assistant',
  author_name: null,
  model: null,
  create_time: null,
  parent: null,
  children: [],
  content: null,
  metadata: null,
  ...fields,
})

/** The content of a message that is text. */
export const words = (text: string) => ({ content_type: 'text', text }) as const
