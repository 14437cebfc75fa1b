import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { ConversationHistory } from './conversations.ts'
import { storable, Time } from './envelope.ts'
import { Content, MessageMetadata, Role } from './messages.ts'
import { ModelCode } from './models.ts'

/** Marks a JSON file as an export of ours. The version is raised when older readers would misread a file. */
export const EXPORT_FORMAT = 'chat-commons/conversations'
export const EXPORT_VERSION = 1

/** An exported file: one conversation or many, as history documents with all branches. */
export type ExportedFile = {
  format: typeof EXPORT_FORMAT
  version: typeof EXPORT_VERSION
  exported_at: string
  conversations: ConversationHistory[]
}

/** Conversations in one call. A very long conversation comes in several items, each with a part of its messages. */
export const MAX_IMPORTED_CONVERSATIONS = 100
export const MAX_IMPORTED_MESSAGES = 1000
/** Maximum number of conversations that a very long one is split into. */
export const MAX_PARTS = 1000

/** The id in the file. It may be anything: what is stored gets an id derived from it. */
const OriginalId = z.string().check(z.minLength(1), z.maxLength(200), storable)
const LongText = z.string().check(z.maxLength(500), storable)

export const ImportedMessage = z.object({
  id: OriginalId,
  /** A message comes before its children. One whose parent is neither sent nor stored becomes a root. */
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
  /**
   * Messages of the whole conversation when it comes in several items, so that one that is too long is refused with the
   * first.
   */
  message_count: z.optional(z.int().check(z.minimum(0))),
  /**
   * Number, from 1, of this conversation among those that a very long one is split into. Messages without room are then
   * not refused but counted in `left`, to be sent as the next conversation with an id of its own.
   */
  in_parts: z.optional(z.int().check(z.minimum(1), z.maximum(MAX_PARTS))),
  messages: z.array(ImportedMessage).check(z.maxLength(MAX_IMPORTED_MESSAGES)),
})
export type ImportedConversation = z.infer<typeof ImportedConversation>

export const ImportOutcome = z.enum(['new', 'completed', 'present', 'refused'])
export type ImportOutcome = z.infer<typeof ImportOutcome>

/** The result for each conversation, in the order sent. */
export const ImportResult = z.object({
  conversation_id: z.nullable(z.string()),
  outcome: ImportOutcome,
  added: z.int(),
  /** Messages at the end of those sent that had no room; only with `in_parts`, and only when there are any. */
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
  /** `next` is the `after` of the next call; null at the end. */
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
