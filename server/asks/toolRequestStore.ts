import type { Database } from '#server/foundation/database/open.ts'
import { livingAsks } from './store.ts'

/** What tells requests of tools apart. Queries and nothing else. */
export function toolRequestStore(database: Database) {
  return {
    /** Those that came to nothing, the earliest first: they failed, or were given up before anything had come. */
    triesOf: (key_id: number, digest: string, since: number) =>
      database
        .selectFrom('asks')
        .select(['upstream_id', 'round', 'ticket', 'charged', 'first_token_time'])
        .where('request_digest', '=', digest)
        .where('key_id', '=', key_id)
        .where('end_time', '>=', since)
        .where(({ or, eb }) => or([eb('outcome', 'in', ['failed', 'interrupted']), eb('first_token_time', 'is', null)]))
        .orderBy('create_time')
        .limit(10)
        .execute(),

    /** How many run beside a question. */
    besideOf: async (key_id: number): Promise<number> => {
      const rows = await livingAsks(database)
        .select('ask_id')
        .where('key_id', '=', key_id)
        .where('is_beside', '=', true)
        .limit(1)
        .execute()
      return rows.length
    },
  }
}
