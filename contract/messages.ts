import * as z from 'zod/mini'
import { storableText } from './storableText.ts'
import { Time } from './envelope.ts'
import { ModelCode, Source } from './models.ts'

/** A message's id. Those of the web source are the upstream's own, and not always UUIDs. */
export const MessageId = z.string().check(
  z.minLength(1),
  z.maxLength(64),
  z.refine(id => id === storableText(id), 'unstorable'),
)

export const Role = z.enum(['system', 'user', 'assistant', 'tool'])
export type Role = z.infer<typeof Role>

const nullish = <S extends z.ZodMiniType>(schema: S) => z.optional(z.nullable(schema))

export const ImagePart = z.looseObject({
  content_type: z.optional(z.literal('image_asset_pointer')),
  asset_pointer: z.string(),
  size_bytes: nullish(z.number()),
  width: nullish(z.number()),
  height: nullish(z.number()),
  metadata: nullish(
    z.looseObject({
      dalle: nullish(
        z.looseObject({
          prompt: nullish(z.string()),
          seed: nullish(z.number()),
          serialization_title: nullish(z.string()),
        }),
      ),
    }),
  ),
})
export type ImagePart = z.infer<typeof ImagePart>

/** openai_api writes `text`, openai_web writes `parts`; `textOf` reads either. */
export const TextContent = z.object({
  content_type: z.literal('text'),
  text: z.optional(z.string()),
  parts: z.optional(z.array(z.string())),
})
export const MultimodalText = z.object({
  content_type: z.literal('multimodal_text'),
  parts: z.array(z.union([z.string(), ImagePart])),
})
export const Code = z.object({ content_type: z.literal('code'), language: nullish(z.string()), text: z.string() })
export const ExecutionOutput = z.object({ content_type: z.literal('execution_output'), text: z.string() })
export const Stderr = z.object({ content_type: z.literal('stderr'), text: z.string() })
export const BrowsingDisplay = z.looseObject({ content_type: z.literal('tether_browsing_display'), result: z.string() })
export const BrowsingQuote = z.looseObject({
  content_type: z.literal('tether_quote'),
  url: z.string(),
  domain: nullish(z.string()),
  text: z.string(),
  title: nullish(z.string()),
})
/**
 * Ours: the thoughts of a model, as a message of its own before the answer. `seconds` is null until they are complete.
 */
export const Thoughts = z.object({
  content_type: z.literal('thoughts'),
  text: z.string(),
  seconds: z._default(z.nullable(z.number()), null),
})
export const SystemError = z.looseObject({
  content_type: z.literal('system_error'),
  name: z.string(),
  text: z.string(),
})

/**
 * The specification, section 3, "Content types". Anything else is kept in `metadata.fallback_content`, never dropped.
 */
export const Content = z.discriminatedUnion('content_type', [
  TextContent,
  MultimodalText,
  Code,
  ExecutionOutput,
  Stderr,
  BrowsingDisplay,
  BrowsingQuote,
  SystemError,
  Thoughts,
])
export type Content = z.infer<typeof Content>

export const Attachment = z.object({
  name: z.string().check(z.maxLength(512)),
  id: z.string().check(z.maxLength(200)),
  size: nullish(z.number()),
  height: nullish(z.number()),
  width: nullish(z.number()),
  mimeType: nullish(z.string()),
})
export type Attachment = z.infer<typeof Attachment>

/** Ours: a file that is kept here, as it went with a question. A question to a web account has `Attachment`. */
export const KeptAttachment = z.extend(Attachment, {
  as: z.enum(['picture', 'text', 'file']),
  /** Which pages of a document: "1-24, 30"; null for all. */
  pages: nullish(z.string()),
  /** How many pages it has. */
  page_count: nullish(z.int()),
  detail: nullish(z.enum(['auto', 'low', 'high'])),
  /** Of all of its text, estimated; null where nobody has read any. */
  tokens: nullish(z.int()),
})
export type KeptAttachment = z.infer<typeof KeptAttachment>

export const Citation = z.looseObject({
  start_ix: z.number(),
  end_ix: z.number(),
  metadata: nullish(z.looseObject({ title: nullish(z.string()), url: nullish(z.string()), text: nullish(z.string()) })),
})

export const AggregateResult = z.looseObject({
  status: z.string(),
  run_id: nullish(z.string()),
  start_time: nullish(z.number()),
  update_time: nullish(z.number()),
  end_time: nullish(z.number()),
  final_expression_output: nullish(z.string()),
  code: nullish(z.string()),
  in_kernel_exception: z.optional(z.unknown()),
  messages: nullish(
    z.array(
      z.looseObject({
        message_type: z.string(),
        time: nullish(z.number()),
        sender: nullish(z.string()),
        image_url: nullish(z.string()),
        stream_name: nullish(z.string()),
        text: nullish(z.string()),
      }),
    ),
  ),
  jupyter_messages: nullish(z.array(z.unknown())),
})

/** Ours: why an answer is incomplete. The page marks such an answer. */
export const Ending = z.enum(['stopped', 'interrupted', 'failed'])
export type Ending = z.infer<typeof Ending>

const values = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))

/** Why there is no answer, or only a part: a refusal, and whether the ask was charged. */
export const AskFailure = z.object({ tip: z.string(), values: z.nullable(values), charged: z.boolean() })
export type AskFailure = z.infer<typeof AskFailure>

/** Upstreams change; fields we do not know pass through. */
export const WebMetadata = z.looseObject({
  source: z.literal('openai_web'),
  finish_details: nullish(z.looseObject({ type: z.string() })),
  weight: nullish(z.number()),
  end_turn: nullish(z.boolean()),
  message_status: nullish(z.string()),
  recipient: nullish(z.string()),
  fallback_content: z.optional(z.unknown()),
  invoked_plugin: nullish(
    z.looseObject({
      http_response_status: nullish(z.number()),
      namespace: nullish(z.string()),
      plugin_id: nullish(z.string()),
      type: nullish(z.string()),
    }),
  ),
  command: nullish(z.string()),
  args: z.optional(z.unknown()),
  _cite_metadata: nullish(
    z.looseObject({
      citation_format: z.optional(z.unknown()),
      metadata_list: nullish(
        z.array(z.looseObject({ title: nullish(z.string()), url: nullish(z.string()), text: nullish(z.string()) })),
      ),
    }),
  ),
  citations: nullish(z.array(Citation)),
  attachments: nullish(z.array(Attachment)),
  status: nullish(z.string()),
  is_complete: nullish(z.boolean()),
  timestamp_: nullish(z.string()),
  aggregate_result: nullish(AggregateResult),
  ending: nullish(Ending),
  /** Ours: set with `ending`, unless the reader stopped it. */
  failure: nullish(AskFailure),
})

export const Usage = z.object({
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  /** Of the prompt: what the upstream had kept of an earlier one, mostly at a lower price. */
  cached_tokens: z.optional(z.int()),
})
export type Usage = z.infer<typeof Usage>

export const ApiCitedPage = z.object({
  title: z.nullable(z.string()),
  url: z.string(),
  /** Ours: what the text calls it, `[2]`, where that is not its place in the list alone. */
  numbers: z.optional(z.array(z.int())),
})
export type ApiCitedPage = z.infer<typeof ApiCitedPage>

export const ApiMetadata = z.looseObject({
  source: z.literal('openai_api'),
  usage: nullish(Usage),
  finish_reason: nullish(z.string()),
  ending: nullish(Ending),
  /** Ours: set with `ending`, unless the reader stopped it. */
  failure: nullish(AskFailure),
  /** Ours: web pages that the endpoint names as sources. The text refers to the first as [1]. */
  sources: nullish(z.array(ApiCitedPage)),
  /** Ours: how many earlier messages the model was not sent, since they do not fit its context. */
  left_out_messages: nullish(z.int()),
  /** Ours: the same of what went with them, pictures and other files. */
  left_out_pictures: nullish(z.int()),
  left_out_files: nullish(z.int()),
  /** Ours: how many of those files are no longer here. */
  gone_files: nullish(z.int()),
  /** Ours: what went with a question, as its owner had it then. */
  attachments: nullish(z.array(KeptAttachment)),
})
export const MessageMetadata = z.discriminatedUnion('source', [WebMetadata, ApiMetadata])
export type MessageMetadata = z.infer<typeof MessageMetadata>

/**
 * Every key is always present on the wire and in this order, null when unset; only events leave keys out
 * (docs/protocol.md).
 */
export const Message = z.object({
  id: z.string(),
  source: Source,
  role: Role,
  author_name: z.nullable(z.string()),
  model: z.nullable(ModelCode),
  create_time: z.nullable(Time),
  parent: z.nullable(z.string()),
  children: z.array(z.string()),
  content: z.nullable(Content),
  metadata: z.nullable(MessageMetadata),
})
export type Message = z.infer<typeof Message>

/** System messages are not shown in a thread, and so not found by search either. */
export function isShown({ role }: Pick<Message, 'role'>): boolean {
  return role !== 'system'
}

/** The files that were sent along with a question. */
export function attachmentsOf({ metadata }: Pick<Message, 'metadata'>): (Attachment | KeptAttachment)[] {
  return metadata?.attachments ?? []
}

/** The plain text of a message of either source, without pictures. */
export function textOf(message: Pick<Message, 'content'>): string {
  const content = message.content
  if (content === null) return ''
  switch (content.content_type) {
    case 'text':
      return content.text ?? content.parts?.join('') ?? ''
    case 'multimodal_text':
      return content.parts.filter(part => typeof part === 'string').join('\n')
    case 'code':
    case 'execution_output':
    case 'stderr':
    case 'tether_quote':
    case 'system_error':
      return content.text
    case 'tether_browsing_display':
      return content.result
    // Thoughts are not part of the text: not sent on, searched, copied, exported or counted as an answer.
    case 'thoughts':
      return ''
  }
}

/** Whether a text has visible characters: white space and invisible characters alone are no answer. */
export const isVisible = (text: string): boolean => /[^\s\p{Cc}\p{Cf}]/u.test(text)

/** Replaces the text of a content in the form in which it came (`text` or `parts`); pictures stay. */
export function withText(content: Content | null, text: string): Content | null {
  if (content === null || content.content_type === 'multimodal_text') return content
  if (content.content_type === 'tether_browsing_display') return { ...content, result: text }
  if (content.content_type !== 'text') return { ...content, text }
  return content.text === undefined && content.parts !== undefined
    ? { ...content, parts: [text] }
    : { content_type: 'text', text }
}

export function isThoughts({ content }: Pick<Message, 'content'>): boolean {
  return content?.content_type === 'thoughts'
}

/** Maximum length, in characters, of all pictures in the text of one answer. */
export const MAX_PICTURES = 32 * 1024 * 1024

/** Shorter data addresses are text about data addresses, not pictures. */
const PICTURE =
  /(?:!\[[^\]\n]{0,1000}\]\(\s{0,20}<?)?data:[\w/.+-]{1,100}(?:;[\w=.-]{1,100}){0,5},[A-Za-z0-9+/=_%-]{200,}(?:>?\s{0,20}(?:"[^"\n]{0,1000}")?\s{0,20}\))?/g

/** Pictures of an answer that were stored as files. */
const KEPT_PICTURE = /!\[[^\]\n]{0,1000}\]\(\/api\/files\/[0-9a-f-]{36}\/content\)/g

/** Removes pictures (data: URLs, stored ones) from a text. They are shown, but neither sent to a model nor searched. */
export function withoutPictures(text: string): string {
  const others = text.includes('data:') ? text.replace(PICTURE, '') : text
  return others.includes('](/api/files/') ? others.replace(KEPT_PICTURE, '') : others
}
