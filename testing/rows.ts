import type { SourceSettingRow } from '#server/policy/plans.ts'
import type { Insertable } from 'kysely'
import type { ConversationHistory } from '#contract/conversations.ts'
import { foldedTitle } from '#contract/searchWords.ts'
import { messageStore } from '#server/conversations/messageStore.ts'
import type { Database, Tables } from '#server/foundation/database/open.ts'
import { newId, randomToken } from '#server/foundation/ids.ts'

// Complete rows: a test gives only the fields that it is about.

export function aUserRow(fields: Partial<Insertable<Tables['users']>> = {}): Insertable<Tables['users']> {
  const username = `user_${randomToken(6)}`
  return {
    username,
    nickname: 'Somebody',
    email: `${username}@example.org`,
    password_hash: '',
    create_time: 1_700_000_000_000,
    ...fields,
  }
}

/** Somebody's setting of a source, in which everything is inherited. */
export function aSettingRow(fields: Partial<SourceSettingRow> = {}): SourceSettingRow {
  return {
    user_id: 1,
    source: 'openai_api',
    begin_time: 0,
    allow_to_use: null,
    has_own_validity: false,
    valid_until: null,
    max_conv_count: null,
    total_ask_allowed: null,
    rate_limits: null,
    daily_available_time_slots: null,
    available_models: null,
    disable_uploading: null,
    use_team: null,
    allow_custom_openai_api: null,
    custom_openai_api_url: null,
    custom_openai_api_key: null,
    plan_id: null,
    own_limits: null,
    own_values: null,
    ...fields,
  }
}

export function aConversationRow(
  fields: Partial<Insertable<Tables['conversations']>> = {},
): Insertable<Tables['conversations']> {
  return {
    conversation_id: newId(),
    source: 'openai_api',
    title: 'A conversation',
    create_time: 1_700_000_000_000,
    ...fields,
    folded_title: foldedTitle(fields.title === undefined ? 'A conversation' : fields.title),
  }
}

/** Stores a user and returns the id. */
export async function storedUser(
  database: Database,
  fields: Partial<Insertable<Tables['users']>> = {},
): Promise<number> {
  return (await database.insertInto('users').values(aUserRow(fields)).returning('id').executeTakeFirstOrThrow()).id
}

/** Stores a conversation and returns the id. */
export async function storedConversation(
  database: Database,
  fields: Partial<Insertable<Tables['conversations']>> = {},
): Promise<string> {
  const row = aConversationRow(fields)
  await database.insertInto('conversations').values(row).execute()
  return row.conversation_id
}

/** Stores a conversation with its messages. */
export async function storedHistory(
  database: Database,
  user_id: number,
  history: ConversationHistory,
): Promise<string> {
  const { _id, source, title, current_model, current_node, metadata } = history
  await storedConversation(database, {
    conversation_id: _id,
    source,
    title,
    user_id,
    current_model,
    current_node,
    create_time: Date.parse(history.create_time),
    update_time: Date.parse(history.update_time),
    conversation_metadata: metadata,
  })
  await messageStore(database).add(_id, Object.values(history.mapping))
  return _id
}
