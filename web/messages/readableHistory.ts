import * as z from 'zod/mini'
import { ConversationHistory, readConversation, readConversationCache } from '#contract/conversations.ts'
import { Time } from '#contract/envelope.ts'
import { Content, Message, MessageMetadata, Role } from '#contract/messages.ts'
import { ModelCode, Source } from '#contract/models.ts'

type JsonObject = Readonly<Record<string, unknown>>

/** Parses a conversation; a message of unknown shape is kept as raw content, so that the others can be read. */
export const ReadableHistory = z.transform((input: unknown, context): ConversationHistory => {
  const whole = ConversationHistory.safeParse(input)
  if (whole.success) return whole.data
  const repaired = ConversationHistory.safeParse(repairedHistory(input))
  if (repaired.success) return repaired.data
  context.issues.push(
    ...repaired.error.issues.map(({ message, path }) => ({ code: 'custom' as const, input, message, path })),
  )
  return z.NEVER
})

export const readReadableConversation = { ...readConversation, result: ReadableHistory }
export const readReadableCache = { ...readConversationCache, result: ReadableHistory }

function repairedHistory(input: unknown): unknown {
  if (!isObject(input) || !isObject(input['mapping'])) return input
  return {
    ...input,
    mapping: Object.fromEntries(
      Object.entries(input['mapping']).map(([id, message]) => [id, repairedMessage(id, message)]),
    ),
  }
}

function repairedMessage(id: string, given: unknown): Message {
  const known = Message.safeParse(given)
  if (known.success) return known.data
  const message: JsonObject = isObject(given) ? given : {}
  const source = Source.safeParse(message['source']).data ?? 'openai_web'
  const content = Content.safeParse(message['content']).data ?? null
  const metadata = MessageMetadata.safeParse(message['metadata']).data ?? {
    source,
    recipient: textOr(Object(message['metadata'])['recipient']) ?? 'all',
  }
  return {
    id,
    source,
    role: Role.safeParse(message['role']).data ?? 'assistant',
    author_name: textOr(message['author_name']),
    model: ModelCode.safeParse(message['model']).data ?? null,
    create_time: Time.safeParse(message['create_time']).data ?? null,
    parent: textOr(message['parent']),
    children: Array.isArray(message['children']) ? message['children'].filter(child => typeof child === 'string') : [],
    content,
    metadata: content === null ? { ...metadata, fallback_content: message['content'] ?? given } : metadata,
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOr(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
