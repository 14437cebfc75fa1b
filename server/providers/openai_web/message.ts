import { Content, type Message, MessageId, MessageMetadata, Role } from '#contract/messages.ts'
import { ModelCode } from '#contract/models.ts'
import { type Fields, fieldOf, isFields } from '../looseJson.ts'
import { storableValue } from './storable.ts'

/** Our code for a model, by what the upstream calls it. */
export type CodeOf = (slug: string) => string | null

/** Metadata is ours by these names: what an upstream says under one of them would be shown as if we had said it. */
const OURS = new Set(['source', 'ending', 'failure', 'usage', 'sources', 'finish_reason'])
const LONGEST_NAME = 64

/** Our code for a slug: of the models that are set, else the slug itself if it can be a code. */
export function codesOf(mapping: Readonly<Record<string, string>> = {}): CodeOf {
  const codes = new Map(
    Object.entries(mapping)
      .toReversed()
      .map(([code, slug]) => [slug, code]),
  )
  return slug => codes.get(slug) ?? ModelCode.safeParse(slug).data ?? null
}

/**
 * A message of the upstream as ours, without a parent, since that does not stand in it; null for what is no message. Content of a type that
 * is not known is kept in `fallback_content`; fields of metadata that are not known pass through, those that are not what they should be do not.
 */
export function toMessage(given: unknown, codeOf: CodeOf): Message | null {
  const id = MessageId.safeParse(fieldOf(given, 'id')).data
  if (id === undefined || !isFields(given)) return null
  const content = contentOf(given['content'])
  const name = fieldOf(given['author'], 'name')
  const slug = fieldOf(given['metadata'], 'model_slug')
  return {
    id,
    source: 'openai_web',
    role: roleOf(given),
    author_name: typeof name === 'string' && name !== '' ? storableValue(name.slice(0, LONGEST_NAME)) : null,
    model: typeof slug === 'string' ? codeOf(slug) : null,
    create_time: timeOf(given['create_time']),
    parent: null,
    children: [],
    content,
    metadata: metadataOf(given, content === null ? given['content'] : undefined),
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

const contentOf = (given: unknown): Content | null =>
  isFields(given) ? (Content.safeParse(storableValue(given)).data ?? null) : null

function metadataOf(given: Fields, unknownContent: unknown): MessageMetadata {
  const metadata: Record<string, unknown> = {}
  const upstream = given['metadata']
  if (isFields(upstream))
    for (const [name, value] of Object.entries(upstream)) if (!OURS.has(name)) metadata[name] = value
  if (unknownContent !== undefined && unknownContent !== null) metadata['fallback_content'] = unknownContent
  for (const name of ['weight', 'end_turn', 'recipient']) if (given[name] !== undefined) metadata[name] = given[name]
  if (given['status'] !== undefined) metadata['message_status'] = given['status']
  return fitting({ ...storableValue(metadata), source: 'openai_web' })
}

/** Without the fields that are not what they should be. */
function fitting(metadata: Record<string, unknown>): MessageMetadata {
  const read = MessageMetadata.safeParse(metadata)
  if (read.success) return read.data
  const odd = new Set(read.error.issues.map(({ path }) => path[0]))
  const kept = Object.fromEntries(Object.entries(metadata).filter(([name]) => !odd.has(name)))
  return MessageMetadata.safeParse(kept).data ?? { source: 'openai_web' }
}
