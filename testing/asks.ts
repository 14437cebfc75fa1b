import type { Insertable } from 'kysely'
import type { Message } from '#contract/messages.ts'
import type { Source } from '#contract/models.ts'
import { aMessage, words } from './messages.ts'
import type { Database, OpenDatabase, Tables } from '#server/foundation/database/open.ts'
import { newId } from '#server/foundation/ids.ts'
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
