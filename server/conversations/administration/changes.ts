import type { ConversationAction } from '#contract/conversationAdministration.ts'
import type { RefusalKey } from '#contract/refusals.ts'
import { userStore } from '#server/users/store.ts'
import { type Engine, forUpdate } from '#server/foundation/database/schema/definition.ts'
import type { Transaction } from '#server/foundation/database/open.ts'
import type { Sources } from '#server/sources/source.ts'
import { hidden, SHOWN } from '../store.ts'

/**
 * `deletion`: the deletion that hidden conversations belong to. `user_id`: to whom they are assigned. `by`: who makes
 * the change.
 */
export type Change = { action: ConversationAction; user_id: number | null; deletion: number | null; by: number }

/** What has become of conversations, by their row ids. */
export type Outcome = { done: number[]; already: number[]; failed: Failed[] }
export type Failed = { reason: RefusalKey; ids: number[] }

type Surroundings = { engine: Engine; now: number; sources: Pick<Sources, 'noteChange'> }

/**
 * Changes some conversations in a transaction. Their rows are locked, so that of two administrators one changes them
 * and the other finds them changed. One that is gone is destroyed already, and cannot be changed in any other way.
 */
export async function changeSome(
  trx: Transaction,
  ids: readonly number[],
  change: Change,
  { engine, now, sources }: Surroundings,
): Promise<Outcome> {
  if (ids.length === 0) return { done: [], already: [], failed: [] }
  const rows = await trx
    .selectFrom('conversations')
    .select(['id', 'is_valid', 'user_id'])
    .where('id', 'in', ids)
    .orderBy('id')
    .$call(forUpdate(engine))
    .execute()
  const there = new Set(rows.map(({ id }) => id))
  const gone = ids.filter(id => !there.has(id))
  if (change.action === 'vanish') {
    const done = [...there]
    if (done.length > 0) await trx.deleteFrom('conversations').where('id', 'in', done).execute()
    return { done, already: gone, failed: [] }
  }
  if (change.action === 'assign' && (await userStore(trx).find(change.user_id ?? 0)) === undefined)
    return { done: [], already: [], failed: [{ reason: 'userNotFound', ids: [...ids] }] }
  const isSo = stateOf(change)
  const done = rows.filter(row => !isSo(row)).map(({ id }) => id)
  if (done.length > 0)
    await trx.updateTable('conversations').set(valuesOf(change, now)).where('id', 'in', done).execute()
  if (done.length > 0 && change.action !== 'assign') await sources.noteChange(trx, { ids: done }, 'visibility', now)
  return {
    done,
    already: rows.filter(isSo).map(({ id }) => id),
    failed: gone.length === 0 ? [] : [{ reason: 'conversationNotFound', ids: gone }],
  }
}

type State = { is_valid: boolean; user_id: number | null }

/** Whether a conversation is already as the change would leave it. */
function stateOf({ action, user_id }: Change): (row: State) => boolean {
  if (action === 'assign') return row => row.user_id === user_id
  return row => row.is_valid === (action === 'restore')
}

function valuesOf({ action, user_id, deletion, by }: Change, now: number) {
  if (action === 'assign') return { user_id, update_time: now }
  return action === 'restore' ? SHOWN : hidden(now, by, deletion)
}
