import { nicknames } from '#server/accounts/store.ts'
import { entriesOf } from '#server/asks/queueStore.ts'
import type { Database } from '#server/foundation/database/open.ts'

/** Queries and nothing else. */
export function statusStore(database: Database) {
  return {
    /** Who is being answered and who waits at a shared account, in the order of the tickets, with their names. */
    entriesWithNames: (upstream_id: number) =>
      database
        .selectFrom(entriesOf(database, upstream_id).as('entries'))
        .innerJoin(nicknames(database).as('people'), 'people.id', 'entries.user_id')
        .select([
          'entries.ask_id',
          'entries.user_id',
          'entries.ask_state',
          'entries.round',
          'entries.ticket',
          'people.nickname',
        ])
        .orderBy('entries.ticket')
        .execute(),
  }
}
