import type { Insertable, Updateable } from 'kysely'
import type { Database, Tables } from '#server/foundation/database/open.ts'
import type { tables } from '#server/foundation/database/schema/schema.ts'
import type { RowOf } from '#server/foundation/database/schema/definition.ts'

export type PromptRow = RowOf<typeof tables.prompts>

/** Queries and nothing else. Takes a transaction as well as the database. */
export function promptStore(database: Database) {
  return {
    /** A person's own, then those of everybody, by their names. */
    listFor: (user_id: number) =>
      database
        .selectFrom('prompts')
        .selectAll()
        .where(({ eb, or }) => or([eb('user_id', '=', user_id), eb('user_id', 'is', null)]))
        .orderBy('name')
        .orderBy('id')
        .execute(),

    listOwn: (user_id: number) =>
      database.selectFrom('prompts').selectAll().where('user_id', '=', user_id).orderBy('id').execute(),

    find: (id: number) => database.selectFrom('prompts').selectAll().where('id', '=', id).executeTakeFirst(),

    /** Of a person, or (null) of everybody. */
    async count(user_id: number | null): Promise<number> {
      const { count } = await database
        .selectFrom('prompts')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('user_id', user_id === null ? 'is' : '=', user_id)
        .executeTakeFirstOrThrow()
      return count
    },

    async insert(row: Insertable<Tables['prompts']>): Promise<number> {
      return (await database.insertInto('prompts').values(row).returning('id').executeTakeFirstOrThrow()).id
    },

    change: (id: number, changes: Updateable<Tables['prompts']>) =>
      database.updateTable('prompts').set(changes).where('id', '=', id).execute(),

    remove: (id: number) => database.deleteFrom('prompts').where('id', '=', id).execute(),

    noteUse: (use: { prompt_id: number; user_id: number; month: string }) =>
      database
        .insertInto('prompt_uses')
        .values({ ...use, uses: 1 })
        .onConflict(conflict =>
          conflict
            .columns(['prompt_id', 'month', 'user_id'])
            .doUpdateSet(({ eb, ref }) => ({ uses: eb(ref('prompt_uses.uses'), '+', 1) })),
        )
        .execute(),

    /** How often shared prompts were asked in a month, and by how many people. */
    usesIn: (month: string) =>
      database
        .selectFrom('prompt_uses')
        .select(({ fn }) => ['prompt_id', fn.sum<number>('uses').as('count'), fn.countAll<number>().as('people')])
        .where('month', '=', month)
        .groupBy('prompt_id')
        .execute(),
  }
}
