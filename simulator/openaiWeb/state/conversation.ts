import { randomUUID } from 'node:crypto'
import { titleFor } from '../../answers/answer.ts'
import { readDirectives } from '../../foundation/directives.ts'

type WebNode = { id: string; message: WebMessage | null; parent: string | null; children: string[] }

/** A conversation as the upstream keeps it. Times in epoch seconds. */
export type WebConversation = {
  id: string
  title: string | null
  create_time: number
  update_time: number
  /** Hidden ones are neither listed nor read. */
  is_visible: boolean
  mapping: Record<string, WebNode>
  current_node: string
  plugin_ids: string[] | null
  /** The model that was asked last, by the upstream's name. */
  model: string
  /** Text files that runs of code have left, by their path. */
  sandbox: Record<string, string>
  /** The approximate length of all messages. */
  characters: number
  /** When the code interpreter was last used, in epoch seconds; null: never. */
  interpreter_used: number | null
}

const TITLES = ['Weekly plan', 'Notes on a recipe', 'A letter to the landlord', 'Train times', 'Cleaning up a table']

/** A conversation with a root and a hidden system message, as each one begins. */
export function newConversation(model: string, plugin_ids: string[] | null): WebConversation {
  const time = now()
  const root = randomUUID()
  const conversation: WebConversation = {
    id: randomUUID(),
    title: 'New chat',
    create_time: time,
    update_time: time,
    is_visible: true,
    mapping: { [root]: { id: root, message: null, parent: null, children: [] } },
    current_node: root,
    plugin_ids,
    model,
    sandbox: {},
    characters: 0,
    interpreter_used: null,
  }
  addMessage(conversation, aMessage('system', text(''), { weight: 0, end_turn: true }), root)
  return conversation
}

/** A node by an id that came from outside. */
export function nodeOf({ mapping }: WebConversation, id: unknown): WebNode | undefined {
  return typeof id === 'string' && Object.hasOwn(mapping, id) ? mapping[id] : undefined
}

/** Adds a message under its parent, or replaces the one that has its id; it becomes the current one. */
export function addMessage(conversation: WebConversation, message: WebMessage, parent: string) {
  const present = nodeOf(conversation, message.id)
  if (present) present.message = message
  else {
    conversation.mapping[message.id] = { id: message.id, message, parent, children: [] }
    nodeOf(conversation, parent)?.children.push(message.id)
  }
  conversation.current_node = message.id
  conversation.update_time = now()
}

/**
 * One of many listed conversations, whose messages are made when they are first read. `at` is its position from the
 * newest.
 */
export function listedConversation(at: number): WebConversation {
  const time = now() - at * 60
  let made: WebConversation | undefined
  const read = () => (made ??= withOneAnswer(time))
  return {
    id: randomUUID(),
    title: `${TITLES[at % TITLES.length] ?? ''} ${at + 1}`,
    create_time: time,
    update_time: time,
    is_visible: true,
    get mapping() {
      return read().mapping
    },
    get current_node() {
      return read().current_node
    },
    set current_node(id) {
      read().current_node = id
    },
    plugin_ids: null,
    model: 'gpt-4',
    sandbox: {},
    characters: 0,
    interpreter_used: null,
  }
}

function withOneAnswer(time: number): WebConversation {
  const conversation = newConversation('gpt-4', null)
  const question = aMessage('user', text('What should I do first this week?'), { create_time: time })
  const answer = aMessage('assistant', text('The one thing that others are waiting for.'), {
    create_time: time + 2,
    end_turn: true,
    metadata: { model_slug: 'gpt-4', finish_details: { type: 'stop' } },
  })
  addMessage(conversation, question, conversation.current_node)
  addMessage(conversation, answer, question.id)
  return conversation
}

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

/** A title from the first question. */
export function titleOf({ mapping }: WebConversation): string {
  const first = Object.values(mapping).find(node => node.message?.author.role === 'user')?.message
  return titleFor(first ? readDirectives(textOf(first)).question : '')
}
