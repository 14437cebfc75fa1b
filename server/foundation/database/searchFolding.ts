import type { Database } from './schema.ts'

/** The databases all of whose messages are known to be indexed as texts are folded now. None goes back. */
const anew = new WeakSet<object>()

/** Whether the terms of all messages are those of now, and not of an earlier schema (searchRefold.ts). */
export async function isFoldedAnew(database: Database): Promise<boolean> {
  const { adapter } = database.getExecutor()
  if (anew.has(adapter)) return true
  const left = await database.selectFrom('search_refold').select('next_id').executeTakeFirst()
  if (left === undefined) anew.add(adapter)
  return left === undefined
}
