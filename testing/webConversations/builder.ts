import type { ConversationHistory } from '#contract/conversations.ts'
import type { Message, MessageMetadata } from '#contract/messages.ts'

type WebMetadata = Extract<MessageMetadata, { source: 'openai_web' }>

/** A message of a stored web conversation; `after` is the seconds since the message before. */
export type WebMessage = Pick<Message, 'role' | 'content'> & {
  name?: string
  after?: number
  metadata?: Partial<WebMetadata>
}

export const text = (...parts: string[]) => ({ content_type: 'text', parts }) as const
const code = (text: string, language = 'unknown') => ({ content_type: 'code', language, text }) as const

export const asked = (words: string, metadata?: WebMessage['metadata']): WebMessage => ({
  role: 'user',
  content: text(words),
  metadata,
})
export const answered = (words: string, metadata?: WebMessage['metadata']): WebMessage => ({
  role: 'assistant',
  content: text(words),
  metadata: { recipient: 'all', end_turn: true, finish_details: { type: 'stop' }, ...metadata },
})
/** The model calls a tool. */
export const called = (recipient: string, words: string, language?: string): WebMessage => ({
  role: 'assistant',
  content: code(words, language),
  metadata: { recipient, end_turn: false },
})
/** A tool answers. */
export const replied = (
  name: string,
  content: Message['content'],
  metadata?: WebMessage['metadata'],
  after?: number,
): WebMessage => ({ role: 'tool', name, content, metadata, after })

/** A whole conversation: each message follows the one before, and the last one is current. */
export function aWebConversation(
  _id: string,
  title: string,
  model: string,
  said: readonly WebMessage[],
): ConversationHistory {
  const startedAt = Date.parse('2026-11-20T02:40:00.000Z')
  let time = startedAt
  const idOf = (at: number) => `${_id.slice(0, 24)}${String(at).padStart(12, '0')}`
  const messages = said.map((one, at): Message => {
    time += (one.after ?? 2) * 1000
    return {
      id: idOf(at),
      source: 'openai_web',
      role: one.role,
      author_name: one.name ?? null,
      model: one.role === 'user' ? null : model,
      create_time: new Date(time).toISOString(),
      parent: at === 0 ? null : idOf(at - 1),
      children: at === said.length - 1 ? [] : [idOf(at + 1)],
      content: one.content,
      metadata: { source: 'openai_web', message_status: 'finished_successfully', ...one.metadata },
    }
  })
  return {
    _id,
    source: 'openai_web',
    title,
    create_time: new Date(startedAt).toISOString(),
    update_time: new Date(time).toISOString(),
    mapping: Object.fromEntries(messages.map(message => [message.id, message])),
    current_node: messages.at(-1)?.id ?? null,
    current_model: model,
    metadata: { source: 'openai_web', plugin_ids: null, moderation_results: [] },
  }
}

/** The messages of a conversation that never branched. */
export function messagesIn({ mapping }: ConversationHistory): Message[] {
  return Object.values(mapping)
}

/** Adds a citation in the upstream's form: the range of its mark, in characters. */
export function citing(
  words: string,
  pages: Record<string, { title: string; url: string; text: string }>,
): Pick<WebMetadata, 'citations'> {
  const characters = [...words]
  return {
    citations: Object.entries(pages)
      .flatMap(([mark, metadata]) => {
        const marks = [...words.matchAll(new RegExp(mark, 'g'))]
        return marks.map(({ index }) => {
          const start_ix = [...words.slice(0, index)].length
          return {
            start_ix,
            end_ix: start_ix + [...mark].length,
            citation_format_type: 'tether_og',
            metadata: { type: 'webpage', ...metadata },
          }
        })
      })
      .filter(({ end_ix }) => end_ix <= characters.length),
  }
}
