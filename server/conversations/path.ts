import { sql } from 'kysely'
import type { Database } from '#server/foundation/database/open.ts'
import type { MessageRow } from './store.ts'

/**
 * From at most `count` - 1 ancestors down to the message itself. Never leaves the conversation; a cycle ends at `count`. What is
 * withdrawn goes with all that follows from it: above a message that is there, all are there.
 */
export async function messagePath(database: Database, conversation_id: string, message_id: string, count: number): Promise<MessageRow[]> {
  const steps = await sql<{ message_id: string; depth: number }>`
    with recursive path (message_id, parent, depth) as (
      select message_id, parent, 0 from messages
      where conversation_id = ${conversation_id} and message_id = ${message_id} and withdraw_time is null
      union all
      select earlier.message_id, earlier.parent, path.depth + 1
      from path join messages as earlier on earlier.conversation_id = ${conversation_id} and earlier.message_id = path.parent
      where path.depth + 1 < ${count}
    )
    select message_id, depth from path order by depth desc`.execute(database)
  const ids = steps.rows.map(row => row.message_id)
  const rows = ids.length === 0 ? [] : await database.selectFrom('messages').selectAll()
    .where('conversation_id', '=', conversation_id).where('message_id', 'in', [...new Set(ids)]).execute()
  const byId = new Map(rows.map(row => [row.message_id, row]))
  return ids.map(id => byId.get(id)).filter(row => row !== undefined)
}
