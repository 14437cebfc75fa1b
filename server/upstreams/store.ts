import { type Insertable, sql, type Updateable } from 'kysely'
import type { Source } from '#contract/models.ts'
import type { Database, Tables } from '#server/foundation/database/open.ts'
import { type Engine, forUpdate, type RowOf } from '#server/foundation/database/schema/definition.ts'
import type { tables } from '#server/foundation/database/schema/schema.ts'
import type { ReportedRow } from './windows/pools.ts'

/** Rows of one statement, well below the most parameters that either database takes. */
const BATCH = 500

export type UpstreamRow = RowOf<typeof tables.upstreams>
export type CoolingModelRow = RowOf<typeof tables.cooling_models>
export type ModelRow = RowOf<typeof tables.upstream_models>
/** From which address models were read, and when. */
type ModelsRead = Pick<UpstreamRow, 'models_digest' | 'models_read_time'>

/**
 * Subquery for a query of `user_source_settings`: the id of the upstream of the row's person and source; null when
 * there is none.
 */
export const upstreamOfSetting = (database: Database) =>
  database
    .selectFrom('upstreams')
    .select('upstreams.id')
    .where('upstreams.user_id', '=', sql.ref<number>('user_source_settings.user_id'))
    .where('upstreams.source', '=', sql.ref<string>('user_source_settings.source'))

/** Subquery: the names that administrators gave upstreams. */
export const upstreamLabels = (database: Database) => database.selectFrom('upstreams').select(['id', 'label'])

/** Subquery: a person's own upstream of a source. */
export const ownUpstreamOf = (database: Database, { user_id, source }: { user_id: number; source: Source }) =>
  database.selectFrom('upstreams').where('user_id', '=', user_id).where('source', '=', source)

export function upstreamStore(database: Database) {
  return {
    /** In the order in which they were added. */
    listShared: () => database.selectFrom('upstreams').selectAll().where('user_id', 'is', null).orderBy('id').execute(),

    listSharedForUpdate: (engine: Engine) =>
      database
        .selectFrom('upstreams')
        .selectAll()
        .where('user_id', 'is', null)
        .orderBy('id')
        .$call(forUpdate(engine))
        .execute(),

    /** Those whose secret is sealed as it was before it was theirs. */
    listSealedAsCredentials: () =>
      database.selectFrom('upstreams').select('id').where('secret_form', '=', 'credential').orderBy('id').execute(),

    /** A shared upstream, locked until the end of the transaction. */
    findForUpdate: (id: number, engine: Engine) =>
      database
        .selectFrom('upstreams')
        .selectAll()
        .where('id', '=', id)
        .where('user_id', 'is', null)
        .$call(forUpdate(engine))
        .executeTakeFirst(),

    countShared: () =>
      database
        .selectFrom('upstreams')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('user_id', 'is', null)
        .executeTakeFirstOrThrow()
        .then(row => row.count),

    insert: (row: Insertable<Tables['upstreams']>) =>
      database
        .insertInto('upstreams')
        .values(row)
        .returning('id')
        .executeTakeFirstOrThrow()
        .then(({ id }) => id),

    change: (id: number, columns: Updateable<Tables['upstreams']>) =>
      database.updateTable('upstreams').set(columns).where('id', '=', id).execute(),

    remove: (id: number) => database.deleteFrom('upstreams').where('id', '=', id).execute(),

    /** Marks the models of these upstreams as to be read again; until then the last list counts. */
    makeDue: (ids: readonly number[]) =>
      database
        .updateTable('upstreams')
        .set({ models_read_time: null })
        .where('id', 'in', [...ids])
        .execute(),
  }
}

/** What is known of the models of upstreams. */
export function modelStore(database: Database) {
  return {
    /** What is known of the models of all upstreams, each's in their order. */
    list: () => database.selectFrom('upstream_models').selectAll().orderBy('upstream_id').orderBy('position').execute(),

    add: (row: Insertable<Tables['upstream_models']>) =>
      database
        .insertInto('upstream_models')
        .values(row)
        .onConflict(conflict => conflict.doNothing())
        .execute(),

    change: (upstream_id: number, { name }: Pick<ModelRow, 'name'>, columns: Updateable<Tables['upstream_models']>) =>
      database
        .updateTable('upstream_models')
        .set(columns)
        .where('upstream_id', '=', upstream_id)
        .where('name', '=', name)
        .execute(),

    listOf: (upstream_id: number) =>
      database
        .selectFrom('upstream_models')
        .selectAll()
        .where('upstream_id', '=', upstream_id)
        .orderBy('position')
        .execute(),

    /** Replaces what is known of the models of an upstream. In a transaction. */
    async keep(upstream_id: number, models: readonly Omit<ModelRow, 'upstream_id' | 'position'>[], read?: ModelsRead) {
      await database.deleteFrom('upstream_models').where('upstream_id', '=', upstream_id).execute()
      const rows = models.map((model, position) => ({ ...model, upstream_id, position }))
      for (let at = 0; at < rows.length; at += BATCH)
        await database
          .insertInto('upstream_models')
          .values(rows.slice(at, at + BATCH))
          .execute()
      if (read !== undefined) await database.updateTable('upstreams').set(read).where('id', '=', upstream_id).execute()
    },
  }
}

/**
 * Forgets that this person entered keys, paused upstreams or set values. Whoever writes values holds the lock of the
 * settings, as the caller has to.
 */
export async function forgetWhoSetUpstreams(database: Database, user_id: number): Promise<void> {
  await database.updateTable('upstreams').set({ secret_by: null }).where('secret_by', '=', user_id).execute()
  await database.updateTable('upstreams').set({ paused_by: null }).where('paused_by', '=', user_id).execute()
  const rows = database.selectFrom('upstreams').select(['id', 'values_set']).where('values_set', 'is not', null)
  for (const { id, values_set } of await rows.execute()) {
    const kept = Object.entries(values_set ?? {}).map(([column, set]) => [
      column,
      set?.by === user_id ? { ...set, by: null } : set,
    ])
    await upstreamStore(database).change(id, { values_set: Object.fromEntries(kept) })
  }
}

/** Models that cool while others of their account are asked. */
export function coolingModelStore(database: Database) {
  return {
    list: () => database.selectFrom('cooling_models').selectAll().orderBy('upstream_id').orderBy('model').execute(),

    /** Stores that a model cools, in place of what is over. */
    async cool(row: CoolingModelRow, now: number): Promise<void> {
      await database.deleteFrom('cooling_models').where('cooling_until', '<=', now).execute()
      const { cooling_until, since, reason } = row
      await database
        .insertInto('cooling_models')
        .values(row)
        .onConflict(conflict =>
          conflict.columns(['upstream_id', 'model']).doUpdateSet({ cooling_until, since, reason }),
        )
        .execute()
    },

    /** One model cools no more, or none of the upstream. */
    warm: (upstream_id: number, model?: string) =>
      database
        .deleteFrom('cooling_models')
        .where('upstream_id', '=', upstream_id)
        .$if(model !== undefined, query => query.where('model', '=', model ?? ''))
        .execute(),
  }
}

type Accepted = Pick<ReportedRow, 'upstream_id' | 'window_key'> & { pending_capacity: number }

/** What shared accounts say of their windows. */
export function reportedWindowStore(database: Database) {
  return {
    list: () =>
      database.selectFrom('reported_windows').selectAll().orderBy('upstream_id').orderBy('window_key').execute(),

    keep: ({ upstream_id, window_key, ...said }: ReportedRow) =>
      database
        .insertInto('reported_windows')
        .values({ upstream_id, window_key, ...said })
        .onConflict(conflict => conflict.columns(['upstream_id', 'window_key']).doUpdateSet(said))
        .execute(),

    listOf: (upstream_id: number) =>
      database
        .selectFrom('reported_windows')
        .selectAll()
        .where('upstream_id', '=', upstream_id)
        .orderBy('window_key')
        .execute(),

    /** Believes what a window has become; false where that is not what it says now. */
    accept: ({ upstream_id, window_key, pending_capacity }: Accepted) =>
      database
        .updateTable('reported_windows')
        .set({ capacity: pending_capacity, pending_capacity: null })
        .where('upstream_id', '=', upstream_id)
        .where('window_key', '=', window_key)
        .where('pending_capacity', '=', pending_capacity)
        .executeTakeFirst()
        .then(({ numUpdatedRows }) => numUpdatedRows > 0n),

    /** Of all windows but these. */
    removeOthers: (upstream_id: number, keys: readonly string[]) =>
      database
        .deleteFrom('reported_windows')
        .where('upstream_id', '=', upstream_id)
        .$if(keys.length > 0, query => query.where('window_key', 'not in', [...keys]))
        .execute(),
  }
}

/** Makes the upstream of a person who has stored an address of their own, where there is none yet. */
export async function ensureOwn(trx: Database, user_id: number, source: Source, now: number): Promise<void> {
  await trx
    .insertInto('upstreams')
    .values({ source, user_id, label: '', create_time: now })
    .onConflict(conflict => conflict.columns(['user_id', 'source']).doNothing())
    .execute()
}

/** Ids of the shared upstreams of a source and of these people's own ones, as a subquery. */
export const sharedOrOwn = (
  database: Database,
  { source, user_ids }: { source: Source; user_ids: readonly number[] },
) =>
  database
    .selectFrom('upstreams')
    .select('upstreams.id')
    .where('upstreams.source', '=', source)
    .where(({ or, eb }) => or([eb('upstreams.user_id', 'is', null), eb('upstreams.user_id', 'in', [...user_ids])]))
