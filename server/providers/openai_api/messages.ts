import * as z from 'zod/mini'
import { type Message, textOf, type Usage } from '#contract/messages.ts'
import type { Draft } from '../provider.ts'

export type UpstreamMessage = { role: 'system' | 'user' | 'assistant'; content: string }

/** A thread as the endpoint wants it. Messages without text (pictures, runs of tools) have nothing to say there. */
export function toUpstream(thread: readonly Message[]): UpstreamMessage[] {
  return thread
    .map(message => ({ role: message.role === 'tool' ? 'assistant' as const : message.role, content: textOf(message) }))
    .filter(message => message.content !== '')
}

/** What one event of the stream says. Upstreams differ and change: whatever is missing or odd is passed over. */
export type Piece = { text: string; finish_reason: string | null; usage: Usage | null; failed: boolean }

const Chunk = z.object({
  choices: z.optional(z.nullable(z.array(z.object({
    delta: z.optional(z.nullable(z.object({ content: z.optional(z.nullable(z.string())) }))),
    finish_reason: z.optional(z.nullable(z.string())),
  })))),
  usage: z.optional(z.nullable(z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }))),
  error: z.optional(z.unknown()),
})

/** `null` for an event that is not JSON or not of this protocol. */
export function fromUpstream(event: string): Piece | null {
  const chunk = Chunk.safeParse(parsed(event))
  if (!chunk.success) return null
  const choice = chunk.data.choices?.[0]
  const usage = chunk.data.usage
  return {
    // NUL can be stored in neither database, and nobody can see it.
    text: choice?.delta?.content?.replaceAll('\0', '') ?? '',
    finish_reason: choice?.finish_reason ?? null,
    usage: usage ? { prompt_tokens: Math.round(usage.prompt_tokens), completion_tokens: Math.round(usage.completion_tokens) } : null,
    failed: chunk.data.error !== undefined && chunk.data.error !== null,
  }
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
