import { type ExpressionBuilder, sql } from 'kysely'
import type { Database } from '#server/foundation/database/open.ts'
import type { auditTables } from '#server/foundation/database/schema/audit.ts'
import type { Engine, RowOf } from '#server/foundation/database/schema/definition.ts'
import type { Tables } from '#server/foundation/database/schema/schema.ts'
import { holdsWords } from '#server/foundation/search/search.ts'

export type AuditRecord = RowOf<typeof auditTables.audit>

/** `to` is not part of it. */
export type AuditFilter = {
  from: number
  to: number
  actor: number | null
  kind: string | null
  action: string | null
  subject: string | null
  subject_id: string | null
  words: string
}

/** People who are offered in the filter. */
const MAX_ACTORS = 20
/** Later changes of what a page shows that are looked at. */
const MAX_LATER = 2_000

/** Queries and nothing else. */
export function auditStore(database: Database, engine: Engine) {
  const matching = (filter: AuditFilter) =>
    database.selectFrom('audit').where(builder => builder.and(conditions(builder, filter, engine)))

  return {
    page: (filter: AuditFilter, { limit, offset }: { limit: number; offset: number }) =>
      matching(filter).selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute(),

    count: async (filter: AuditFilter) =>
      (
        await matching(filter)
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
      ).count,

    after: (filter: AuditFilter, id: number, limit: number) =>
      matching(filter).selectAll().where('id', '>', id).orderBy('id').limit(limit).execute(),

    find: (id: number) => database.selectFrom('audit').selectAll().where('id', '=', id).executeTakeFirst(),

    /** When these changes were made, and by whom. */
    among: (ids: readonly number[]) =>
      database.selectFrom('audit').select(['id', 'time', 'actor_id', 'actor_name']).where('id', 'in', ids).execute(),

    /** The fields that later rows changed of the same things in the same way. */
    laterThan: (id: number, subject_ids: readonly string[], actions: readonly string[]) =>
      database
        .selectFrom('audit')
        .select(['id', 'action', 'subject_kind', 'subject_id', 'after'])
        .where('id', '>', id)
        .where('subject_id', 'in', subject_ids)
        .where('action', 'in', actions)
        .orderBy('id')
        .limit(MAX_LATER)
        .execute(),

    /** Whoever changed something in a span, the most first. */
    actors: ({ from, to }: Pick<AuditFilter, 'from' | 'to'>) =>
      database
        .selectFrom('audit')
        .select(({ fn }) => ['actor_id', fn.max('actor_name').as('actor_name'), fn.countAll<number>().as('count')])
        .where('actor_id', 'is not', null)
        .where('time', '>=', from)
        .where('time', '<', to)
        .groupBy('actor_id')
        .orderBy('count', 'desc')
        .orderBy('actor_id')
        .limit(MAX_ACTORS)
        .execute(),

    /** The oldest, at most so many. */
    removeBefore: async (time: number, limit: number) => {
      const oldest = database.selectFrom('audit').select('id').where('time', '<', time).orderBy('time').limit(limit)
      const { numDeletedRows } = await database.deleteFrom('audit').where('id', 'in', oldest).executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },
  }
}

function conditions(builder: ExpressionBuilder<Tables, 'audit'>, filter: AuditFilter, engine: Engine) {
  const names = sql<string>`lower(coalesce(actor_name, '') || ' ' || coalesce(subject_name, ''))`
  return [
    builder('time', '>=', filter.from),
    builder('time', '<', filter.to),
    ...(filter.actor === null ? [] : [builder('actor_id', '=', filter.actor)]),
    ...(filter.kind === null ? [] : [builder('actor_kind', '=', filter.kind)]),
    ...(filter.action === null ? [] : [builder('action', '=', filter.action)]),
    ...(filter.subject === null ? [] : [builder('subject_kind', '=', filter.subject)]),
    ...(filter.subject_id === null ? [] : [builder('subject_id', '=', filter.subject_id)]),
    ...holdsWords(names, filter.words, engine),
  ]
}
