import type { ConversationHistory } from '#contract/conversations.ts'
import type { Message } from '#contract/messages.ts'
import type { Ask } from './asks/askState.ts'

/** For tests: everything that the case is not about. */
export function aMessage(more: Partial<Message> & Pick<Message, 'id' | 'role'>): Message {
  return {
    source: 'openai_api',
    author_name: null,
    model: more.role === 'user' ? null : 'gpt_4',
    create_time: '2026-11-20T06:00:00.000Z',
    parent: null,
    children: [],
    content: { content_type: 'text', text: '' },
    metadata: more.role === 'user' ? null : { source: 'openai_api' },
    ...more,
  }
}

export function anAsk(more: Partial<Ask> = {}): Ask {
  return {
    ask_id: 'ask',
    conversation_id: null,
    request: null,
    question: null,
    replies: [],
    isStored: false,
    record: null,
    state: { phase: 'sending' },
    connection: { state: 'open' },
    since: 0,
    ...more,
  }
}

/** A conversation of these messages, each following the one before it, the last one current. */
export function aHistory(...messages: Message[]): ConversationHistory {
  const chained = messages.map((message, at) => ({
    ...message,
    parent: messages[at - 1]?.id ?? null,
    children: messages.slice(at + 1, at + 2).map(({ id }) => id),
  }))
  return {
    _id: 'c',
    source: 'openai_api',
    title: '时间',
    create_time: '2026-11-20T06:00:00.000Z',
    update_time: '2026-11-20T06:00:00.000Z',
    mapping: Object.fromEntries(chained.map(message => [message.id, message])),
    current_node: messages.at(-1)?.id ?? null,
    current_model: 'gpt_4',
    metadata: null,
  }
}
