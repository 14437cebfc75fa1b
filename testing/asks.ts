import type { Insertable } from 'kysely'
import type { Message } from '#contract/messages.ts'
import type { Source } from '#contract/models.ts'
import { aMessage, words } from './messages.ts'
import type { Database, OpenDatabase, Tables } from '#server/foundation/database/open.ts'
import type { AdmittedAsk, RequestedAsk } from '#server/asks/ask.ts'
import { newId } from '#server/foundation/ids.ts'
import type { Upstream } from '#server/upstreams/upstream.ts'
import { storedConversation, storedUser } from './rows.ts'

/** The id of the shared upstream that exists from the beginning. */
export async function firstUpstream(database: Database, source: Source = 'openai_api'): Promise<number> {
  const { id } = await database
    .selectFrom('upstreams')
    .select('id')
    .where('source', '=', source)
    .where('user_id', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  return id
}

/** Stores a running ask in a conversation of its own and returns the ids. */
export async function storedAsk({ database }: OpenDatabase, fields: Partial<Insertable<Tables['asks']>> = {}) {
  const user_id = await storedUser(database)
  const conversation_id = await storedConversation(database, { user_id })
  const ids = { ask_id: newId(), user_id, conversation_id, question_id: newId(), reply_id: newId() }
  await database
    .insertInto('asks')
    .values({
      ...ids,
      source: 'openai_api',
      model: 'gpt_4',
      ask_state: 'asking',
      upstream_id: await firstUpstream(database),
      ticket: 1,
      holder: 'somebody',
      lease_until: 0,
      reserved: { total: false, model: false },
      create_time: 1_000,
      start_time: 3_000,
      ...fields,
    })
    .execute()
  return ids
}

/** An ask of somebody whose session holds, that begins a conversation. */
export function aRequestedAsk({
  user_id = 1,
  ...fields
}: Partial<RequestedAsk> & { user_id?: number } = {}): RequestedAsk {
  return {
    ask_id: newId(),
    caller: { user_id, kind: 'session', id: 'session', bounds: null, stillValid: () => Promise.resolve(true) },
    tool: null,
    source: 'openai_api',
    model: 'gpt_4',
    text: 'A question',
    attachments: [],
    parameters: {},
    conversation: {
      id: null,
      title: null,
      parent: null,
      variant_of: null,
      context_message_count: null,
      instructions: null,
      removesUnanswered: false,
    },
    earlier: [],
    relay: null,
    extras: {},
    destination: { allowedUpstreams: null, source_id: null },
    quiet_until: null,
    ...fields,
  }
}

/** One that waits for this upstream. */
export function anAdmittedAsk(
  upstream: Upstream,
  fields: Partial<AdmittedAsk> & { user_id?: number } = {},
): AdmittedAsk {
  return {
    ...aRequestedAsk(fields),
    conversation_id: newId(),
    question: null,
    parent: newId(),
    reply_id: newId(),
    upstream_conversation_id: null,
    upstream,
    own: null,
    queueing: true,
    reserved: { total: false, model: false },
    create_time: 1_000,
    ...fields,
  }
}

/** An assistant's message, as a provider emits it. */
export const anAnswer = (id: string, text: string) =>
  aMessage({
    id,
    model: 'gpt_4',
    create_time: '2026-01-01T00:00:00.000Z',
    content: words(text),
    metadata: { source: 'openai_api', usage: null, finish_reason: null },
  })

/** Thoughts before an answer, as a provider emits them. */
export function someThoughts(id: string, text: string, parent: string | null = null): Message {
  return {
    ...anAnswer(id, ''),
    parent,
    content: { content_type: 'thoughts', text, seconds: null },
    metadata: { source: 'openai_api' },
  }
}
