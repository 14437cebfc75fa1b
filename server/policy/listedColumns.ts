import { type RawBuilder, sql } from 'kysely'
import type { Engine } from '#server/foundation/database/schema/definition.ts'

/** Both databases read JSON with the same operators, but for how a list becomes rows. */
const ENTRIES: Record<Engine, { limits: RawBuilder<unknown>; spared: RawBuilder<unknown> }> = {
  sqlite: {
    limits: sql`json_each(user_policy_values.own_limits)`,
    spared: sql`json_each(user_policy_values.own_values, '$.spared')`,
  },
  postgresql: {
    limits: sql`json_array_elements(user_policy_values.own_limits::json)`,
    spared: sql`json_array_elements(user_policy_values.own_values::json -> 'spared')`,
  },
}

export const asWhole = sql<number>`cast(entry.value ->> 'value' as bigint)`
/** SQLite reads true as 1. */
export const asBoolean = sql<boolean>`cast(entry.value ->> 'value' as text) in ('true', '1')`

/**
 * What somebody has of their own in lists, as far as it holds now, in SQL: of a row of `user_source_settings`, null
 * where there is nothing.
 */
export function listedColumns(engine: Engine, now: number) {
  const entriesOf = (list: 'limits' | 'spared', value: RawBuilder<unknown>, condition: RawBuilder<unknown>) => sql`(
    select ${value} from user_policy_values cross join ${ENTRIES[engine][list]} as entry
    where user_policy_values.user_id = user_source_settings.user_id
      and entry.value ->> 'source' = user_source_settings.source
      and ${condition}
      and (entry.value ->> 'until' is null or cast(entry.value ->> 'until' as bigint) > ${sql.lit(now)})
    limit 1)`
  const isField = (field: string) => sql`entry.value ->> 'field' = ${sql.lit(field)}`
  return {
    /** Asks for ever, of a model alone or in all. */
    allowed: (model: string | null): RawBuilder<number> =>
      entriesOf(
        'limits',
        sql`cast(entry.value ->> 'amount' as bigint)`,
        sql`entry.value ->> 'unit' = 'asks' and entry.value -> 'window' ->> 'kind' = 'ever' and ${
          model === null
            ? sql`entry.value ->> 'models' is null`
            : sql`entry.value -> 'models' ->> 0 = ${model} and entry.value -> 'models' ->> 1 is null`
        }`,
      ) as RawBuilder<number>, // of the amount
    spared: <T>(field: string, value: RawBuilder<T>): RawBuilder<T> =>
      entriesOf('spared', value, isField(field)) as RawBuilder<T>, // of the value
    isSpared: (field: string): RawBuilder<boolean> =>
      sql<boolean>`exists ${entriesOf('spared', sql`1`, isField(field))}`,
  }
}
