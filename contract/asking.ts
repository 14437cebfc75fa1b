import * as z from 'zod/mini'
// By its name: the rule promise/valid-params takes `z.catch` for a promise's, and destructuring `z` would bundle all of
// zod's languages.
import { catch as orElse } from 'zod/mini'
import { storable, Time, Uuid } from './envelope.ts'
import { ConversationRecord, Title } from './conversations.ts'
import { webFileIn } from './files.ts'
import { Pages } from './pages.ts'
import { AskFailure, Attachment, ImagePart, Message, MessageId } from './messages.ts'
import { ConversationInstructions } from './instructions.ts'
import { ModelCode, Source, ThinkingLevel } from './models.ts'

/** Characters; a longer one is taken neither from the page's frame nor with a question. */
export const MAX_ARKOSE_TOKEN = 4096

/** The WebSocket under /api (the specification, section 7). */
export const CHAT_PATH = '/api/chat'

/** The subprotocol our page offers: numbered events and appended text instead of whole messages (docs/protocol.md). */
export const DELTA_PROTOCOL = 'commons.delta.v1'

/** Maximum length of a question in UTF-16 units; `asking.max_text_length` may set a lower one. */
export const MAX_TEXT_LENGTH = 256_000
export const MAX_PLUGINS = 3
/** More than may be used are refused in words of their own, but for a list without end. */
const MAX_PLUGIN_IDS = 50
/** Of a question to a web account. `files.max_attachments` is the bound for all others. */
export const MAX_ATTACHMENTS = 10
export const MAX_IMAGES = 4
/** What an ask is parsed with; the settings may set less. */
export const MAX_ASK_ATTACHMENTS = 100
/** As the text of an ask. After an answer: continue it. After a question: answer it, or answer it once more. */
export const CONTINUE = ':continue'

/** How an answer is to be made: passed on as it is, to an upstream that takes it. */
export const RequestParameters = z.object({
  temperature: z.optional(z.number().check(z.minimum(0), z.maximum(2))),
  top_p: z.optional(z.number().check(z.minimum(0), z.maximum(1))),
  max_tokens: z.optional(z.int().check(z.minimum(1), z.maximum(10_000_000))),
  presence_penalty: z.optional(z.number().check(z.minimum(-2), z.maximum(2))),
  frequency_penalty: z.optional(z.number().check(z.minimum(-2), z.maximum(2))),
  seed: z.optional(z.int()),
  stop: z.optional(z.array(z.string().check(z.minLength(1), z.maxLength(200), storable)).check(z.maxLength(4))),
  /** How hard the model is to think: one of its levels. */
  reasoning_effort: z.optional(ThinkingLevel),
})
export type RequestParameters = z.infer<typeof RequestParameters>

/** How a file goes with a question: a picture that is looked at, its text, or the file itself. */
export const AttachedAs = z.enum(['picture', 'text', 'file'])
export type AttachedAs = z.infer<typeof AttachedAs>

/**
 * A file of the person, and how it is sent with a question. A source says what it takes. What the file is (its name,
 * size and type) counts only for web accounts; of files that are kept here it is known.
 */
export const AskAttachment = z.object({
  file_id: z.string().check(z.maxLength(200)),
  as: AttachedAs,
  /** Of a document: only these pages, as text or as pictures; left out: all. */
  pages: z.optional(z.nullable(Pages)),
  /** How closely a picture is looked at. */
  detail: z.optional(z.nullable(z.enum(['auto', 'low', 'high']))),
  name: z.optional(z.nullable(z.string().check(z.maxLength(512), storable))),
  size: z.optional(z.nullable(z.number())),
  width: z.optional(z.nullable(z.number())),
  height: z.optional(z.nullable(z.number())),
  mime_type: z.optional(z.nullable(z.string().check(z.maxLength(200)))),
})
export type AskAttachment = z.infer<typeof AskAttachment>

/**
 * The specification, section 3, "Ask request". `ask_id` is ours: made by the client, so that a resent question is the
 * same ask.
 */
export const AskRequest = z.object({
  source: Source,
  model: ModelCode,
  new_conversation: z.boolean(),
  text_content: z.string().check(z.minLength(1), z.maxLength(MAX_TEXT_LENGTH), storable),
  /** Blank: the server makes a title. */
  new_title: z.optional(z.nullable(z.union([z.string().check(z.trim(), z.maxLength(0)), Title]))),
  conversation_id: z.optional(z.nullable(Uuid)),
  parent: z.optional(z.nullable(MessageId)),
  /**
   * Ours: makes the question a sibling of that question of the same conversation, as an edited question is; `parent` is
   * then not needed.
   */
  variant_of: z.optional(z.nullable(MessageId)),
  api_context_message_count: z.optional(z.nullable(z.int().check(z.minimum(0), z.maximum(1000)))),
  openai_web_plugin_ids: z.optional(
    z.nullable(z.array(z.string().check(z.maxLength(200))).check(z.maxLength(MAX_PLUGIN_IDS))),
  ),
  /** Ours: what a new conversation tells the model before its first question. */
  instructions: z.optional(z.nullable(ConversationInstructions)),
  /** Ours. */
  parameters: z.optional(z.nullable(RequestParameters)),
  /** Ours; the two fields of the specification behind it are aliases, of files and of pictures. */
  attachments: z.optional(z.nullable(z.array(AskAttachment).check(z.maxLength(MAX_ASK_ATTACHMENTS)))),
  openai_web_attachments: z.optional(z.nullable(z.array(Attachment).check(z.maxLength(MAX_ATTACHMENTS)))),
  openai_web_multimodal_image_parts: z.optional(z.nullable(z.array(ImagePart).check(z.maxLength(MAX_IMAGES)))),
  arkose_token: z.optional(z.nullable(z.string().check(z.maxLength(MAX_ARKOSE_TOKEN)))),
  ask_id: z.optional(z.nullable(Uuid)),
  /** Ours. `quiet`: it waits until nobody else does, and costs half (docs/protocol.md). */
  when: z.optional(z.nullable(z.enum(['now', 'quiet']))),
  /** Ours: when it is given up; left out: the next morning. */
  quiet_until: z.optional(z.nullable(Time)),
})
export type AskRequest = z.infer<typeof AskRequest>

/**
 * The field that does not go with the others, or that they need; null when they are consistent: a new conversation has
 * no ids; an existing one has its id, and `parent` or `variant_of`.
 */
export function inconsistentField(request: AskRequest): { field: keyof AskRequest; reason: string } | null {
  const { new_conversation, conversation_id, parent, variant_of, new_title, when, quiet_until } = request
  if ((quiet_until ?? null) !== null && when !== 'quiet')
    return { field: 'quiet_until', reason: 'For an ask when it is quiet only' }
  if (new_conversation) {
    const field = (['conversation_id', 'parent', 'variant_of'] as const).find(name => (request[name] ?? null) !== null)
    return field === undefined ? null : { field, reason: 'Not for a new conversation' }
  }
  if ((conversation_id ?? null) === null) return { field: 'conversation_id', reason: 'Missing' }
  if ((parent ?? variant_of ?? null) === null) return { field: 'parent', reason: 'Missing' }
  return (new_title ?? '') === '' ? null : { field: 'new_title', reason: 'For a new conversation only' }
}

/** What goes with a question, by whichever names a client gives it. */
export function attachmentsOfRequest(request: AskRequest): AskAttachment[] {
  const pictures = (request.openai_web_multimodal_image_parts ?? []).map(
    ({ asset_pointer, size_bytes: size, width, height }): AskAttachment => {
      // What points to no file is the id of none.
      const file_id = asset_pointer.includes('://') ? (webFileIn(asset_pointer) ?? '') : ''
      return { file_id, as: 'picture', name: '', size, width, height }
    },
  )
  const files = (request.openai_web_attachments ?? []).map(
    ({ id: file_id, name, size, width, height, mimeType: mime_type }): AskAttachment => ({
      file_id,
      as: 'file',
      name,
      size,
      width,
      height,
      mime_type,
    }),
  )
  return [...(request.attachments ?? []), ...pictures, ...files]
}

/** Resumes an ask after a lost connection: asks for all events after number `after`. */
export const ResumeRequest = z.object({ resume: Uuid, after: z.int().check(z.minimum(0)) })
export type ResumeRequest = z.infer<typeof ResumeRequest>
/** Stops the ask; the text that has arrived is kept. */
export const StopRequest = z.object({ stop: z.literal(true) })

export const AskResponseType = z.enum(['waiting', 'queueing', 'message', 'error'])

/** A frame for every client: all five keys, null where unused. */
export const AskResponse = z.object({
  type: AskResponseType,
  tip: z.nullable(z.string()),
  conversation_id: z.nullable(z.string()),
  message: z.nullable(Message),
  error_detail: z.nullable(z.string()),
})
export type AskResponse = z.infer<typeof AskResponse>

/** How an ask ended. */
export const Outcome = z.enum(['finished', 'stopped', 'failed', 'interrupted'])
export type Outcome = z.infer<typeof Outcome>

/** A message in an event: keys that are null or empty are left out. */
const { author_name, model, create_time, parent, children, content, metadata } = Message.shape
const LeanMessage = z.extend(Message, {
  author_name: z._default(author_name, null),
  model: z._default(model, null),
  create_time: z._default(create_time, null),
  parent: z._default(parent, null),
  children: z._default(children, []),
  content: z._default(content, null),
  metadata: z._default(metadata, null),
})

/**
 * With the end of an ask: the messages of its answer and the record of their conversation, as they are stored. Left out
 * when nothing could be; what an older page cannot read of it must not keep it from hearing of the end.
 */
const stored = {
  messages: orElse(z.optional(z.array(LeanMessage)), undefined),
  /** Null when the conversation is gone. */
  conversation: orElse(z.optional(z.nullable(ConversationRecord)), undefined),
}

/**
 * The events of commons.delta.v1. `n` numbers what the reply consists of: a whole message counts one, appended text one
 * for each UTF-16 unit; an event carries the number reached with it. Events without `n` tell the present state and are
 * not replayed.
 */
export const DeltaEvent = z.union([
  /** Text to append to the latest message. */
  z.object({ n: z.int(), t: z.string() }),
  /**
   * A whole message: the beginning of one, or its final state where more follows; replaces an earlier one with the same
   * id.
   */
  z.object({ n: z.int(), type: z.literal('message'), message: LeanMessage }),
  /** The question is stored; comes once, and again after each resume. */
  z.object({
    type: z.literal('accepted'),
    ask_id: z.string(),
    conversation_id: z.string(),
    question: z.nullable(LeanMessage),
  }),
  z.object({
    type: z.literal('queueing'),
    tip: z.string(),
    place: z.int(),
    estimate_seconds: z.nullable(z.int()),
    /** The account is not asked before then, though it has room. Left out when nothing but other asks is waited for. */
    cooling_until: z.optional(Time),
    /**
     * It waits until it is quiet: at most until then, and as usual about so long. Left out of an ask that waits for its
     * turn.
     */
    quiet: z.optional(z.object({ until: Time, likely_at: z.nullable(Time) })),
  }),
  z.object({ type: z.literal('waiting'), tip: z.string() }),
  z.object({ type: z.literal('error'), ...AskFailure.shape, ...stored }),
  z.object({ type: z.literal('finished'), outcome: Outcome, charged: z.boolean(), ...stored }),
  /** The title that the server made for a conversation started without one. */
  z.object({ type: z.literal('title'), title: z.string() }),
])
export type DeltaEvent = z.infer<typeof DeltaEvent>

/** Tips of the frames, keys under `tips.` of the language files. */
export const TIP_QUEUEING = 'tips.queueing'
export const TIP_WAITING = 'tips.waiting'
export const TIP_FINISHED = 'tips.finished'
export const TIP_TERMINATED = 'tips.terminated'

/** Close codes of the socket, one table (docs/protocol.md). */
export const CLOSE = {
  finished: 1000,
  upstream: 1001,
  invalidRequest: 1007,
  refused: 1008,
  tooBig: 1009,
  internal: 1011,
  restart: 1012,
  slowReader: 1013,
} as const
