import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Message, attachmentsOf, type Content, type MessageMetadata } from '#contract/messages.ts'
import type { Source } from '#contract/models.ts'
import { chunkStore } from '#server/asks/store.ts'
import type { Database, OpenDatabase } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { webFileIn } from '#contract/files.ts'
import { MESSAGE_FORMS } from '#contract/messageForms/messageForms.ts'
import { conversationStore, conversationTitles } from './store.ts'

type Account = { upstream_id: number; source_id: string | null }

/**
 * When to look again while an answer grows: what a reader has already got of it is stored a moment later, by whichever
 * process answers, and old clients ask for a picture once.
 */
const RETRY_DELAYS_MS = [100, 200, 400, 800]

/** What a source needs to know of conversations for the files that its upstreams have. */
export function openFileConversations({ open, source }: { open: OpenDatabase; source: Source }) {
  async function growing(user_id: number | null, web_file_id: string) {
    const chunks = await chunkStore(open.database).growingWith(user_id, web_file_id)
    return chunks.find(({ chunk_text }) =>
      messagesIn(chunk_text).some(({ content = null, metadata = null }) =>
        isMessageNaming({ content, message_metadata: metadata }, web_file_id),
      ),
    )
  }

  async function named(user_id: number | null, web_file_id: string): Promise<string | null> {
    const stored = await messagesWith(open.readOnly(), web_file_id, user_id)
    const found = stored.find(message => isMessageNaming(message, web_file_id)) ?? (await growing(user_id, web_file_id))
    return found?.conversation_id ?? null
  }

  return {
    /**
     * The account of a conversation; null when it has none yet. Refuses another person's conversation; a `user_id` of
     * null may read all.
     */
    async accountOf(user_id: number | null, conversation_id: string): Promise<Account | null> {
      const row = await conversationStore(open.database).find(conversation_id)
      const mayRead = row !== undefined && (user_id === null || (row.user_id === user_id && row.is_valid))
      if (!mayRead || row.source !== source) throw new Refusal('conversationNotFound')
      const { upstream_id, source_id } = row
      return upstream_id === null ? null : { upstream_id, source_id }
    },

    /**
     * The id of a conversation of this person, of anybody with null, of which its upstream has a copy, and that has a
     * message that names the file, stored or in an answer that grows.
     */
    async naming(user_id: number | null, web_file_id: string): Promise<string | null> {
      for (const delay_ms of RETRY_DELAYS_MS) {
        const mayGrow = await chunkStore(open.database).mayGrow(user_id)
        const found = await named(user_id, web_file_id)
        if (found !== null || !mayGrow) return found
        await setTimeout(delay_ms)
      }
      return named(user_id, web_file_id)
    },
  }
}

/** Titles by id, without those of conversations that are gone. */
export async function titlesOf(database: Database, ids: readonly string[]): Promise<Map<string, string | null>> {
  if (ids.length === 0) return new Map()
  const rows = await conversationTitles(database).where('conversation_id', 'in', ids).execute()
  return new Map(rows.map(({ conversation_id, title }) => [conversation_id, title]))
}

/** The messages that a chunk has as a whole, without their empty fields. */
function messagesIn(chunk_text: string): Partial<Message>[] {
  const events = JSON.parse(chunk_text) as { message?: Partial<Message> }[] // written by server/asking/chunks.ts
  return events.flatMap(({ message }) => message ?? [])
}

/** Messages in which a file is looked for. */
const MAX_NAMING = 50

/**
 * Messages of this person's conversations, of everybody's with null, that have an upstream copy and have the text in
 * their content or metadata.
 */
const messagesWith = (database: Database, text: string, user_id: number | null) =>
  database
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.conversation_id', 'messages.conversation_id')
    .select(['messages.conversation_id', 'messages.content', 'messages.message_metadata'])
    .$if(user_id !== null, query => query.where('conversations.user_id', '=', user_id).where('is_valid', '=', true))
    // An imported one may name anybody's.
    .where('upstream_conversation_id', 'is not', null)
    .where(({ or }) =>
      or([
        sql<boolean>`messages.content like ${`%${text}%`}`,
        sql<boolean>`messages.message_metadata like ${`%${text}%`}`,
      ]),
    )
    .limit(MAX_NAMING)
    .execute()

type Stored = { content: unknown; message_metadata: unknown }

/**
 * The files that a message has: attached, shown, or made by a model or by what it ran. What stands in its text is no
 * file of it.
 */
export function filesNamedIn({ content, message_metadata }: Stored): string[] {
  // Both were checked when they were stored.
  const [shown, metadata] = [content as Content | null, message_metadata as MessageMetadata | null]
  const parts = shown?.content_type === 'multimodal_text' ? shown.parts : []
  const pointers = [
    ...parts.flatMap(part => (typeof part === 'string' ? [] : [part.asset_pointer])),
    ...(metadata === null ? [] : MESSAGE_FORMS[metadata.source].madePictures(metadata)),
  ]
  return [...attachmentsOf({ metadata }).map(({ id }) => id), ...pointers.flatMap(pointer => webFileIn(pointer) ?? [])]
}

const isMessageNaming = (message: Stored, web_file_id: string): boolean => filesNamedIn(message).includes(web_file_id)
