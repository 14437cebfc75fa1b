import type { PersonName } from '#contract/jobs.ts'
import type { Database } from '#server/foundation/database/open.ts'

/** Subquery: people as the admin area names them. */
export const personNames = (database: Database) => database.selectFrom('users').select(['id', 'username', 'nickname'])

/** The names of these people by id; without those who have no account any more. */
export async function namesOf(
  database: Database,
  user_ids: Iterable<number | null>,
): Promise<(user_id: number | null) => PersonName | null> {
  const ids = [...new Set(user_ids)].filter(id => id !== null)
  const found = ids.length === 0 ? [] : await personNames(database).where('id', 'in', ids).execute()
  const names = new Map(found.map(person => [person.id, person]))
  return user_id => (user_id === null ? null : (names.get(user_id) ?? null))
}
