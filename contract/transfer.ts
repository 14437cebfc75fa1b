import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { ConversationHistory } from './conversations.ts'
import { storable, Time } from './envelope.ts'
import { Content, MessageMetadata, Role } from './messages.ts'
import { ModelCode } from './models.ts'

/** What tells an exported file from any other JSON. The number is raised when older readers would misread it. */
export const EXPORT_FORMAT = 'chat-commons/conversations'
export const EXPORT_VERSION = 1

/** What is exported, one conversation or all of them: the history documents with all their branches. */
export type ExportedFile = {
  format: typeof EXPORT_FORMAT
  version: typeof EXPORT_VERSION
  exported_at: string
  conversations: ConversationHistory[]
}

/** Of one call. A conversation with more comes in several, each with its own part of the messages. */
export const MAX_IMPORTED_CONVERSATIONS = 100
export const MAX_IMPORTED_MESSAGES = 1000
/** Conversations that a very long one becomes. */
export const MAX_PARTS = 1000

/** The id that the file gives; it is stored under one made from it, so that it may be anything. */
const OriginalId = z.string().check(z.minLength(1), z.maxLength(200), storable)
const LongText = z.string().check(z.maxLength(500), storable)

export const ImportedMessage = z.object({
  id: OriginalId,
  /** Stands before its children; a message whose parent is neither there nor stored is a beginning. */
  parent: z.nullable(OriginalId),
  role: Role,
  author_name: z.nullable(LongText),
  model: z.nullable(ModelCode),
  create_time: z.nullable(Time),
  content: z.nullable(Content),
  metadata: z.nullable(MessageMetadata),
})
export type ImportedMessage = z.infer<typeof ImportedMessage>

export const ImportedConversation = z.object({
  id: OriginalId,
  title: z.nullable(LongText),
  create_time: Time,
  update_time: Time,
  current_node: z.nullable(OriginalId),
  current_model: z.nullable(ModelCode),
  /** Of the whole conversation, where it comes in several parts: one that is too long is then refused with the first. */
  message_count: z.optional(z.int().check(z.minimum(0))),
  /**
   * Which of several conversations this is that a very long one becomes, from 1. What finds no room in it is then not refused but counted
   * in `left`, and is to be sent as the next one, with an id of its own.
   */
  in_parts: z.optional(z.int().check(z.minimum(1), z.maximum(MAX_PARTS))),
  messages: z.array(ImportedMessage).check(z.maxLength(MAX_IMPORTED_MESSAGES)),
})
export type ImportedConversation = z.infer<typeof ImportedConversation>

export const ImportOutcome = z.enum(['new', 'completed', 'present', 'refused'])
export type ImportOutcome = z.infer<typeof ImportOutcome>

/** What became of one conversation, in the order in which they came. */
export const ImportResult = z.object({
  conversation_id: z.nullable(z.string()),
  outcome: ImportOutcome,
  added: z.int(),
  /** Messages from the end of those sent that found no room; only of one that comes in parts, and only where there are any. */
  left: z.optional(z.int()),
  /** The refusal, as in an envelope. */
  reason: z.nullable(z.string()),
})
export type ImportResult = z.infer<typeof ImportResult>

export const exportConversations = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/conv/export',
  summary: 'One’s own valid conversations with all their branches, some at a time.',
  query: z.object({ after: z.optional(z.string().check(z.regex(/^\d{1,15}$/))) }),
  /** `next` goes into `after`; null when these were the last. */
  result: z.object({ conversations: z.array(ConversationHistory), next: z.nullable(z.string()), total: z.int() }),
} as const satisfies Call

export const importConversations = {
  ...nothing,
  access: 'user',
  method: 'POST',
  path: '/conv/import',
  summary: 'Stores conversations from elsewhere; what is there already is completed, never doubled.',
  body: z.object({
    conversations: z.array(ImportedConversation).check(z.minLength(1), z.maxLength(MAX_IMPORTED_CONVERSATIONS)),
  }),
  result: z.object({ results: z.array(ImportResult) }),
} as const satisfies Call
