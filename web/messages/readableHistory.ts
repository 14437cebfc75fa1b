import * as z from 'zod/mini'
import { ConversationHistory, readConversation, readConversationCache } from '#contract/conversations.ts'
import { Time } from '#contract/envelope.ts'
import { Content, Message, MessageMetadata, Role } from '#contract/messages.ts'
import { ModelCode, Source } from '#contract/models.ts'

type Loose = Readonly<Record<string, unknown>>

/** A conversation of which every message can be read: one of a shape that nobody knows does not take the others with it, and is shown as it came. */
export const ReadableHistory = z.transform((input: unknown, context): ConversationHistory => {
  const whole = ConversationHistory.safeParse(input)
  if (whole.success) return whole.data
  const mended = ConversationHistory.safeParse(mendedHistory(input))
  if (mended.success) return mended.data
  context.issues.push(
    ...mended.error.issues.map(({ message, path }) => ({ code: 'custom' as const, input, message, path })),
  )
  return z.NEVER
})

export const readReadableConversation = { ...readConversation, result: ReadableHistory }
export const readReadableCache = { ...readConversationCache, result: ReadableHistory }

function mendedHistory(input: unknown): unknown {
  if (!isLoose(input) || !isLoose(input['mapping'])) return input
  return {
    ...input,
    mapping: Object.fromEntries(
      Object.entries(input['mapping']).map(([id, message]) => [id, mendedMessage(id, message)]),
    ),
  }
}

function mendedMessage(id: string, given: unknown): Message {
  const known = Message.safeParse(given)
  if (known.success) return known.data
  const message: Loose = isLoose(given) ? given : {}
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

function isLoose(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOr(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
