import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { storable, Time, Uuid } from './envelope.ts'
import { askedFields } from './askedFields.ts'
import { AskFailure, Message, MessageId } from './messages.ts'
import { ModelCode, Source } from './models.ts'

/** Characters. A title has no line breaks or other control characters. */
export const MAX_TITLE_LENGTH = 200
export const Title = z
  .string()
  .check(storable, z.trim(), z.minLength(1), z.maxLength(MAX_TITLE_LENGTH), z.regex(/^\P{Cc}*$/u))

/** Of a conversation that goes for its age, or would; left out of most. */
const age = {
  /** Ours: whose number of days it is: the plan’s, or no plan’s (null), where it ends. */
  ends_by: z.optional(z.object({ plan: z.nullable(z.string()), days: z.int() })),
  /** Ours: its person has asked that it stays, and what an administrator answered. It ends not before that. */
  keep: z.optional(z.enum(['asked', 'kept', 'declined'])),
}

export const ConversationRecord = z.object({
  id: z.int(),
  source: Source,
  conversation_id: z.nullable(z.string()),
  source_id: z.nullable(z.string()),
  title: z.nullable(z.string()),
  user_id: z.nullable(z.int()),
  is_valid: z.boolean(),
  current_model: z.nullable(z.string()),
  create_time: Time,
  update_time: z.nullable(Time),
  /** Ours: the tool that it was begun in, and the name of its key; left out of those of the page. */
  by_tool: z.optional(z.object({ name: z.nullable(z.string()), key: z.string() })),
  /** Left out where its web account does not say that everybody with its address may read it. */
  is_public: z.optional(z.literal(true)),
  ...askedFields,
  /** Ours, only in the list of one's own conversations: its last answer is incomplete, and nobody stopped it. */
  broken_off: z.optional(z.literal(true)),
  /**
   * Ours: why nothing more can be asked in it, a key under `errors.`; left out of most. It can be read and exported all
   * the same.
   */
  read_only: z.optional(z.string()),
  /**
   * Ours: since when its account says that it does not know it. What is stored of it stays its owner's. Left out of
   * most.
   */
  gone_upstream: z.optional(Time),
  /** Ours: its account is asked too much, and is to be left alone until then; left out of most. */
  cooling_until: z.optional(Time),
  /** Ours: when it is removed for good for its age, from seven days before; left out of most. */
  ends: z.optional(Time),
  ...age,
})
export type ConversationRecord = z.infer<typeof ConversationRecord>

/** The specification, section 4: a conversation that is not stored yet. */
export const NEW_CONVERSATION = 'new_conversation'

export const WebConversationMetadata = z.looseObject({
  source: z.literal('openai_web'),
  moderation_results: z.optional(z.array(z.unknown())),
  plugin_ids: z.optional(z.nullable(z.array(z.string()))),
  gizmo_id: z.optional(z.nullable(z.string())),
  is_archived: z.optional(z.nullable(z.boolean())),
  conversation_template_id: z.optional(z.nullable(z.string())),
  is_public: z.optional(z.nullable(z.boolean())),
})

/** The latest failed ask of a question without an answer. `waited_seconds` is left out when it never left the queue. */
export const FailedAsk = z.object({
  ask_id: z.string(),
  model: ModelCode,
  time: Time,
  waited_seconds: z.optional(z.number()),
  ...AskFailure.shape,
})
export type FailedAsk = z.infer<typeof FailedAsk>

export type WebConversationMetadata = z.infer<typeof WebConversationMetadata>

export const ConversationHistory = z.object({
  _id: z.string(),
  source: Source,
  title: z.string(),
  create_time: Time,
  update_time: Time,
  mapping: z.record(z.string(), Message),
  current_node: z.nullable(z.string()),
  current_model: z.nullable(z.string()),
  /** Ours: how hard its model was told to think last; left out where it was not told. */
  thinking_level: z.optional(z.string()),
  metadata: z.nullable(WebConversationMetadata),
  /** Ours: the running ask of this conversation, so that any device can follow it. */
  running_ask: z.optional(z.nullable(z.string())),
  /** Ours: why a question got no answer, by the question's id. Left out when every question has one. */
  failures: z.optional(z.record(z.string(), FailedAsk)),
  /** Ours, sent to administrators only: the owner, when it is somebody else; null when that account is removed. */
  owner: z.optional(z.nullable(z.object({ id: z.int(), nickname: z.string() }))),
  /**
   * Ours: why nothing more can be asked in it, a key under `errors.`; left out of most. It can be read and exported all
   * the same.
   */
  read_only: z.optional(z.string()),
  /**
   * Ours: since when its account says that it does not know it. What is stored of it stays its owner's. Left out of
   * most.
   */
  gone_upstream: z.optional(Time),
  /** Ours: its account is asked too much, and is to be left alone until then; left out of most. */
  cooling_until: z.optional(Time),
  /** Ours: when it is removed for good for its age, from seven days before; left out of most. */
  ends: z.optional(Time),
  ...age,
  /**
   * Ours: this is the copy that the portal keeps, and why: a key under `errors.` of what came of asking the upstream
   * for it.
   */
  stored_copy: z.optional(z.string()),
})
export type ConversationHistory = z.infer<typeof ConversationHistory>

export const InterpreterInfo = z.object({ kernel_started: z.boolean(), time_remaining_ms: z.number() })
export type InterpreterInfo = z.infer<typeof InterpreterInfo>

export const SearchResult = z.object({
  conversation_id: z.string(),
  message_id: z.string(),
  title: z.nullable(z.string()),
  role: z.string(),
  create_time: Time,
  /** Plain text around the first hit. */
  excerpt: z.string(),
})
export type SearchResult = z.infer<typeof SearchResult>
/** `total` also counts results beyond those sent. */
export const SearchResults = z.object({ results: z.array(SearchResult), total: z.int() })
export type SearchResults = z.infer<typeof SearchResults>

const byId = z.object({ id: Uuid })

/** The last message of the thread that is shown; null when none is left. */
export const CurrentNode = z.object({ current_node: z.nullable(z.string()) })
export type CurrentNode = z.infer<typeof CurrentNode>
const flag = z.optional(z.enum(['true', 'false']))
/** Thoughts are included on request only, since old clients do not know them. */
const withThoughts = z.object({ thoughts: flag })

export const listConversations = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/conv',
  summary: 'One’s own valid conversations, the newest first.',
  result: z.array(ConversationRecord),
} as const satisfies Call

export const listAllConversations = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/conv/all',
  summary: 'Everybody’s conversations.',
  query: z.object({ valid_only: flag }),
  result: z.array(ConversationRecord),
} as const satisfies Call

export const searchConversations = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/conv/search',
  summary: 'Finds words in one’s own messages, some results at a time.',
  query: z.object({
    words: z.string().check(z.trim(), z.minLength(1), z.maxLength(200), storable),
    skip: z.optional(z.string().check(z.regex(/^\d{1,6}$/))),
  }),
  result: SearchResults,
} as const satisfies Call

export const readConversation = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/conv/:id',
  summary: 'The history document of a conversation.',
  params: byId,
  query: withThoughts,
  result: ConversationHistory,
} as const satisfies Call

export const readConversationCache = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/conv/:id/cache',
  summary: 'The history document as stored here.',
  params: byId,
  query: withThoughts,
  result: ConversationHistory,
} as const satisfies Call

export const deleteConversation = {
  ...nothing,
  access: 'user',
  method: 'DELETE',
  path: '/conv/:id',
  summary: 'Marks a conversation invalid: it leaves the list, and is removed for good after the days that it is kept.',
  params: byId,
  result: z.null(),
} as const satisfies Call

export const restoreConversation = {
  ...nothing,
  access: 'user',
  method: 'POST',
  path: '/conv/:id/restore',
  summary: 'Takes a deletion back, as long as what was deleted is not removed for good.',
  params: byId,
  result: ConversationRecord,
} as const satisfies Call

/** `own`: what a superuser means by it. Clients of the original product say nothing, and mean everybody's. */
export const deleteAllConversations = {
  ...nothing,
  access: 'user',
  method: 'DELETE',
  path: '/conv',
  summary: 'Marks all of one’s own conversations invalid; a superuser’s, without `own`: everybody’s.',
  query: z.object({ own: flag }),
  result: z.null(),
} as const satisfies Call

export const vanishConversation = {
  ...nothing,
  access: 'superuser',
  method: 'DELETE',
  path: '/conv/:id/vanish',
  summary: 'Removes a conversation here and with the provider.',
  params: byId,
  result: z.null(),
} as const satisfies Call

export const renameConversation = {
  ...nothing,
  access: 'user',
  method: 'PATCH',
  path: '/conv/:id',
  summary: 'Renames a conversation, here and with the provider.',
  params: byId,
  query: z.object({ title: Title }),
  result: ConversationRecord,
} as const satisfies Call

export const generateTitle = {
  ...nothing,
  access: 'user',
  method: 'PATCH',
  path: '/conv/:id/gen_title',
  summary: 'The title of a conversation, made from the first exchange when there is none.',
  params: byId,
  query: z.object({ message_id: MessageId }),
  result: z.string(),
} as const satisfies Call

export const chooseBranch = {
  ...nothing,
  access: 'user',
  method: 'PATCH',
  path: '/conv/:id/branch',
  summary: 'Makes the newest leaf under a message the end of the thread that is shown and asked on.',
  params: byId,
  query: z.object({ message_id: MessageId }),
  result: CurrentNode,
} as const satisfies Call

export const forkConversation = {
  ...nothing,
  access: 'user',
  method: 'POST',
  path: '/conv/:id/fork',
  summary: 'Copies what leads to a message into a new conversation (openai_api).',
  params: byId,
  query: z.object({ message_id: MessageId }),
  result: ConversationRecord,
} as const satisfies Call

/** A conversation of which nothing is left leaves the list. */
export const withdrawQuestion = {
  ...nothing,
  access: 'user',
  method: 'DELETE',
  path: '/conv/:id/question/:message_id',
  summary:
    'Takes a question and everything that follows from it out of a conversation; both are removed for good after the days that what is deleted is kept.',
  params: z.object({ id: Uuid, message_id: MessageId }),
  result: CurrentNode,
} as const satisfies Call

/** A user id, or a user name as old clients send it. Digits alone are read as an id first. */
export const assignConversation = {
  ...nothing,
  access: 'superuser',
  method: 'PATCH',
  path: '/conv/:id/assign/:user',
  summary: 'Gives a conversation to a user.',
  params: z.object({ id: Uuid, user: z.string().check(z.maxLength(64)) }),
  result: z.null(),
} as const satisfies Call

export const readInterpreter = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/conv/:id/interpreter',
  summary: 'State of the code interpreter.',
  params: byId,
  result: InterpreterInfo,
} as const satisfies Call

/** A file as the interpreter knows it, by the message that names it: an absolute path without `..`. */
const sandboxFile = z.object({
  message_id: MessageId,
  sandbox_path: z.string().check(z.maxLength(1024), z.regex(/^\/(?!(?:[^/]*\/)*\.\.(?:\/|$))[^\p{Cc}\p{Cs}\uFFFD]+$/u)),
})

export const readInterpreterDownload = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/conv/:id/interpreter/download-url',
  summary: 'Address of a file of the code interpreter: one of the portal’s own.',
  params: byId,
  query: sandboxFile,
  result: z.string(),
} as const satisfies Call

/** Ours: what such an address leads to. */
export const readInterpreterFile = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/conv/:id/interpreter/file',
  summary: 'A file of the code interpreter itself: a picture to be shown, anything else to be saved.',
  params: byId,
  query: sandboxFile,
  result: z.unknown(),
  resultKind: 'file',
} as const satisfies Call
