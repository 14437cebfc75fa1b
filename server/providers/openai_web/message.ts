import { storableText } from '#contract/storableText.ts'
import { beginningOf } from '#contract/cutText.ts'
import { readWebContent, type WebContent } from '#contract/messageForms/content.ts'
import { usesMarks } from '#contract/messageForms/marks.ts'
import { type Content, type Message, MessageId, MessageMetadata, Role } from '#contract/messages.ts'
import { ModelCode } from '#contract/models.ts'
import { type Fields, fieldOf, isFields } from '../looseJson.ts'
import { growingText, withGrowingText } from './growing.ts'
import { storableValue } from './storable.ts'

/** Our code for a model, by what the upstream calls it. */
export type CodeOf = (slug: string) => string | null

/** Metadata is ours by these names: what an upstream says under one of them would be shown as if we had said it. */
const OURS = new Set(['source', 'ending', 'failure', 'usage', 'sources', 'finish_reason'])
const MAX_NAME = 64

/** Our code for a slug: of the models that are set, else the slug itself if it can be a code. */
export function codesOf(mapping: Readonly<Record<string, string>> = {}): CodeOf {
  const codes = new Map(
    Object.entries(mapping)
      .toReversed()
      .map(([code, slug]) => [slug, code]),
  )
  return slug => codes.get(slug) ?? ModelCode.safeParse(slug).data ?? null
}

/** What a message of the upstream says, storable. `grows`: more of it is to come. */
export function contentIn(given: Fields, grows = false): WebContent {
  const read = readWebContent(given, grows)
  const content = inParts(read.content)
  return { ...read, content: storableValue(grows ? withGrowingText(content, growingText(content)) : content) }
}

/** As messages of this source are stored and sent. */
const inParts = (content: Content | null): Content | null =>
  content?.content_type === 'text' ? { content_type: 'text', parts: [content.text ?? ''] } : content

/**
 * A message of the upstream as ours, without a parent, since that does not stand in it; null for what is no message.
 * What is not for the reader is a system message. Content of a type that is not known is kept in `fallback_content`
 * beside its words; fields of metadata that are not known pass through, those that are not what they should be do not.
 */
export function toMessage(
  given: unknown,
  codeOf: CodeOf,
  read = isFields(given) ? contentIn(given) : null,
): Message | null {
  const id = MessageId.safeParse(fieldOf(given, 'id')).data
  if (id === undefined || !isFields(given) || read === null) return null
  const name = fieldOf(given['author'], 'name')
  const slug = fieldOf(given['metadata'], 'model_slug')
  return {
    id,
    source: 'openai_web',
    role: read.isHidden ? 'system' : roleOf(given),
    author_name: typeof name === 'string' && name !== '' ? storableText(beginningOf(name, MAX_NAME)) : null,
    model: typeof slug === 'string' ? codeOf(slug) : null,
    create_time: timeOf(given['create_time']),
    parent: null,
    children: [],
    content: read.content,
    metadata: metadataOf(given, read),
  }
}

/** A message of nobody that is known is not shown. */
export const roleOf = (given: unknown): Role =>
  Role.safeParse(fieldOf(fieldOf(given, 'author'), 'role')).data ?? 'system'

/** Epoch seconds as ISO 8601; null for what is no time. */
function timeOf(seconds: unknown): string | null {
  const time = typeof seconds === 'number' ? new Date(seconds * 1000) : null
  return time === null || Number.isNaN(time.getTime()) || time.getTime() < 0 || time.getUTCFullYear() > 9999
    ? null
    : time.toISOString()
}

function metadataOf(
  given: Fields,
  { content, citations, isUnknown, isHidden, isOnCanvas }: WebContent,
): MessageMetadata {
  const metadata: Record<string, unknown> = {}
  const upstream = given['metadata']
  if (isFields(upstream))
    for (const [name, value] of Object.entries(upstream)) if (!OURS.has(name)) metadata[name] = value
  // The marks that upstreams count from are no more in the text.
  if (citations.length > 0 || hadMarks(given, content)) metadata['citations'] = citations
  const raw = given['content']
  if ((isUnknown || content === null) && raw !== undefined && raw !== null) metadata['fallback_content'] = raw
  if (isHidden) metadata['is_visually_hidden_from_conversation'] = true
  for (const name of ['weight', 'end_turn', 'recipient']) if (given[name] !== undefined) metadata[name] = given[name]
  if (isOnCanvas) metadata['recipient'] = 'all'
  if (given['status'] !== undefined) metadata['message_status'] = given['status']
  return fitting({ ...storableValue(metadata), source: 'openai_web' })
}

const hadMarks = (given: Fields, content: Content | null): boolean =>
  content?.content_type === 'text' && fieldOf(given['metadata'], 'citations') !== undefined && usesMarks(rawText(given))

function rawText(given: Fields): string {
  const parts = fieldOf(given['content'], 'parts')
  return Array.isArray(parts) ? parts.filter(part => typeof part === 'string').join('') : ''
}

/** Without the fields that are not what they should be. */
function fitting(metadata: Record<string, unknown>): MessageMetadata {
  const read = MessageMetadata.safeParse(metadata)
  if (read.success) return read.data
  const odd = new Set(read.error.issues.map(({ path }) => path[0]))
  const kept = Object.fromEntries(Object.entries(metadata).filter(([name]) => !odd.has(name)))
  return MessageMetadata.safeParse(kept).data ?? { source: 'openai_web' }
}
