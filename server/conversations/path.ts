import { sql } from 'kysely'
import type { Database } from '#server/foundation/database/open.ts'
import { isThoughtsRow, type MessageRow } from './messageStore.ts'

/** Messages after which the search for a question ends, as it does in a cycle. */
const FARTHEST = 1_000

/**
 * The message and at most `count` - 1 of its ancestors, the oldest first. Goes on to the next question above where there is none among them,
 * so that no answer comes without its question. Thoughts are left out and not counted. Only messages of this conversation. A withdrawn message
 * is withdrawn with all below it, so no ancestor of a message that is shown is withdrawn.
 */
export async function messagePath(
  database: Database,
  conversation_id: string,
  message_id: string,
  count: number,
): Promise<MessageRow[]> {
  const steps = await sql<{ message_id: string }>`
    with recursive path (message_id, parent, step, depth, has_question, is_thoughts) as (
      select message_id, parent, 0, 0, role = 'user', ${isThoughtsRow('messages')} from messages
      where conversation_id = ${conversation_id} and message_id = ${message_id} and withdraw_time is null
      union all
      select earlier.message_id, earlier.parent, path.step + 1, path.depth + case when ${isThoughtsRow('earlier')} then 0 else 1 end,
        path.has_question or earlier.role = 'user', ${isThoughtsRow('earlier')}
      from path join messages as earlier on earlier.conversation_id = ${conversation_id} and earlier.message_id = path.parent
      where path.step < ${FARTHEST * 2} and (path.depth + 1 < ${count} or (not path.has_question and path.depth + 1 < ${FARTHEST}))
    )
    select message_id from path where not is_thoughts order by step desc`.execute(database)
  const ids = steps.rows.map(row => row.message_id)
  const rows =
    ids.length === 0
      ? []
      : await database
          .selectFrom('messages')
          .selectAll()
          .where('conversation_id', '=', conversation_id)
          .where('message_id', 'in', [...new Set(ids)])
          .execute()
  const byId = new Map(rows.map(row => [row.message_id, row]))
  return ids.map(id => byId.get(id)).filter(row => row !== undefined)
}
