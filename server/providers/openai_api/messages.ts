import * as z from 'zod/mini'
import type { Message, Usage } from '#contract/messages.ts'
import type { Draft } from '../provider.ts'

/** What one event of the stream means. Upstreams differ and change: missing or odd fields are ignored. */
export type Piece = { text: string; finish_reason: string | null; usage: Usage | null; failed: boolean }

const Tokens = z.int().check(z.minimum(0), z.maximum(1_000_000_000))
/** Token counts and finish reason, stored with the answer. Implausible values are dropped without losing the text. */
const PlainUsage = z.object({ prompt_tokens: Tokens, completion_tokens: Tokens })
const PlainReason = z.string().check(z.regex(/^\w{1,64}$/))

/** Some endpoints send a list in place of the text, in which thoughts and other things may stand as well. */
const Parts = z.array(z.object({ type: z.optional(z.unknown()), text: z.optional(z.unknown()) }))

const Chunk = z.object({
  choices: z.optional(z.nullable(z.array(z.object({
    index: z.optional(z.unknown()),
    delta: z.optional(z.nullable(z.object({ content: z.optional(z.nullable(z.union([z.string(), Parts]))) }))),
    finish_reason: z.optional(z.unknown()),
  })))),
  usage: z.optional(z.unknown()),
  error: z.optional(z.unknown()),
})

/** `null` for an event that is not JSON or not of this protocol. */
export function fromUpstream(event: string): Piece | null {
  const chunk = Chunk.safeParse(parsed(event))
  if (!chunk.success) return null
  // One answer was asked for. What is said of a second one is not to stand in the middle of it.
  const choice = chunk.data.choices?.find(({ index }) => (index ?? 0) === 0)
  return {
    // NUL can be stored in neither database, and nobody can see it.
    text: plain(choice?.delta?.content).replaceAll('\0', ''),
    finish_reason: plausible(PlainReason, choice?.finish_reason),
    usage: plausible(PlainUsage, chunk.data.usage),
    failed: chunk.data.error !== undefined && chunk.data.error !== null,
  }
}

function plain(content: string | z.infer<typeof Parts> | null | undefined): string {
  if (typeof content === 'string') return content
  return content?.map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : '')).join('') ?? ''
}

/** Almost every event has neither, and a schema takes long to say what is wrong with that. */
function plausible<T>(schema: z.ZodMiniType<T>, value: unknown): T | null {
  return value === undefined || value === null ? null : schema.safeParse(value).data ?? null
}

/** `undefined` for what is not JSON. */
export function parsed(event: string): unknown {
  try {
    return JSON.parse(event)
  } catch {
    return undefined
  }
}

/** The answer as our message (docs/protocol.md). */
export function answer(draft: Draft, text: string, end: { finish_reason: string | null; usage: Usage | null }): Message {
  return {
    ...draft,
    role: 'assistant',
    author_name: null,
    children: [],
    content: { content_type: 'text', text },
    metadata: { source: 'openai_api', usage: end.usage, finish_reason: end.finish_reason },
  }
}
