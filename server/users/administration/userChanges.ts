import type { Configuration } from '#contract/configuration/configuration.ts'
import { DEFAULT_PLAN } from '#contract/plans.ts'
import type { BulkChange, BulkReason, BulkRow } from '#contract/bulk.ts'
import type { Users } from '#server/users/users.ts'
import { allUsers } from '#server/users/store.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import type { Log } from '#server/foundation/logging.ts'
import { Refusal, storageRefusalOf } from '#server/foundation/refusal.ts'
import { type Adjustment, effectOn, reasonOf } from '#server/policy/adjustments.ts'
import { planStore } from '#server/policy/planStore.ts'
import { plansOf } from '#server/policy/planTree.ts'
import { moveIntoPlan } from '#server/users/planMoves.ts'
import { effectiveSettings } from '#server/policy/effectiveSetting.ts'

type Dependencies = { open: OpenDatabase; clock: Clock; configuration(): Configuration; users: Users; log: Log }

type PlanMove = Extract<BulkChange, { action: 'plan' }>
type ChangedUser = { id: number; username: string; nickname: string; is_active: boolean; is_superuser: boolean }

export type UserChanges = ReturnType<typeof openUserChanges>

/** People who are read by one query. */
const AT_ONCE = 500

/** Makes a change to one person, and previews it for many. `by` is the administrator who makes it. */
export function openUserChanges({ open, clock, configuration, users, log }: Dependencies) {
  const database = open.readOnly()

  const read = (from: typeof database, ids: readonly number[]): Promise<ChangedUser[]> =>
    allUsers(from)
      .select(['id', 'username', 'nickname', 'is_active', 'is_superuser'])
      .where('id', 'in', ids)
      .orderBy('id')
      .execute()

  async function limitReasons(ids: readonly number[], change: Adjustment): Promise<Map<number, BulkReason | null>> {
    const now = clock.now()
    const settings = await effectiveSettings(database, configuration(), ids, now)
    const settingsOf = Map.groupBy(settings, ({ user_id }) => user_id)
    return new Map(
      [...settingsOf].map(([id, rows]) => {
        const own = rows.filter(({ source }) => change.sources.includes(source))
        return [id, reasonOf(own.map(setting => effectOn(setting, change, now)))]
      }),
    )
  }

  /** Of those who are in the plan already. */
  async function planReasons(ids: readonly number[], plan_id: number): Promise<Map<number, BulkReason | null>> {
    if (!plansOf(configuration()).rows.some(({ id }) => id === plan_id)) throw new Refusal('planNotFound')
    const planOf = new Map((await planStore(database).listOf(ids)).map(row => [row.user_id, row.plan_id]))
    return new Map(ids.map(id => [id, (planOf.get(id) ?? DEFAULT_PLAN) === plan_id ? 'already' : null]))
  }

  /** Null where it is about the state of accounts. */
  async function reasonsOf(ids: readonly number[], change: BulkChange): Promise<Map<number, BulkReason | null> | null> {
    if (change.action === 'plan') return planReasons(ids, change.plan_id)
    return 'sources' in change ? limitReasons(ids, change) : null
  }

  async function move(trx: Transaction, user_id: number, plan_id: number): Promise<BulkReason | null> {
    const { moved } = await moveIntoPlan(trx, user_id, plan_id, open)
    return moved ? null : 'already'
  }

  /** Previews one batch. `superusers` has the ids of active superusers; each previewed deactivation removes one. */
  async function previewOf(ids: readonly number[], change: BulkChange, by: number, superusers: Set<number>) {
    const byId = new Map((await read(database, ids)).map(user => [user.id, user]))
    const reasons = await reasonsOf([...byId.keys()], change)
    return ids.map((id): BulkRow => {
      const user = byId.get(id)
      if (user === undefined) return gone(id)
      const reason = reasons === null ? stateReason(user, change, by, superusers) : (reasons.get(id) ?? null)
      return rowOf(user, reason)
    })
  }

  async function changeState(user: ChangedUser, change: BulkChange, by: number): Promise<BulkReason | null> {
    const reason = stateReason(user, change, by, null)
    if (reason === null) await users.directory.update(user.id, { is_active: change.action === 'activate' })
    return reason
  }

  /**
   * Returns the reason when the change is refused. Throws when nothing can be stored, which does not concern this
   * person alone.
   */
  async function outcomeOf(id: number, work: () => Promise<BulkReason | null>): Promise<BulkReason | null> {
    try {
      return await work()
    } catch (cause) {
      if (cause instanceof Refusal && cause.key === 'lastSuperuser') return 'lastSuperuser'
      if (cause instanceof Refusal && cause.key === 'planNotFound') throw cause
      if (cause instanceof Refusal && cause.key === 'userNotExist') return 'gone'
      const refusal = storageRefusalOf(cause)
      // The job goes on later from what it has saved; a refusal would end it.
      if (refusal?.key === 'databaseUnreachable') throw cause
      if (refusal !== null) throw refusal
      log.warn({ err: cause, user_id: id }, 'a person was not changed')
      return 'failed'
    }
  }

  return {
    /** One row for each id. */
    async preview(ids: readonly number[], change: BulkChange, by: number): Promise<BulkRow[]> {
      const superusers = new Set(await users.directory.activeSuperusers())
      const rows: BulkRow[] = []
      for (let start = 0; start < ids.length; start += AT_ONCE)
        rows.push(...(await previewOf(ids.slice(start, start + AT_ONCE), change, by, superusers)))
      return rows
    },

    /** Changes one person, in a transaction of its own. */
    async change(id: number, change: BulkChange, by: number): Promise<BulkRow> {
      const [user] = await read(open.database, [id])
      if (user === undefined) return gone(id)
      const work = () => {
        if (change.action === 'plan') return open.transaction(trx => move(trx, id, change.plan_id))
        return 'sources' in change
          ? open.transaction(trx => users.adjust(trx, id, change))
          : changeState(user, change, by)
      }
      return rowOf(user, await outcomeOf(id, work))
    },

    /** Changes the limits or the plan of one person in the caller's transaction. */
    async adjustIn(trx: Transaction, id: number, change: Adjustment | PlanMove): Promise<BulkRow> {
      const [user] = await read(trx, [id])
      if (user === undefined) return gone(id)
      if (change.action === 'plan') return rowOf(user, await move(trx, id, change.plan_id))
      return rowOf(user, await users.adjust(trx, id, change))
    },
  }
}

/** Why somebody is not activated or deactivated. */
function stateReason(
  { id, is_active, is_superuser }: ChangedUser,
  { action }: BulkChange,
  by: number,
  superusers: Set<number> | null,
): BulkReason | null {
  if (is_active === (action === 'activate')) return 'already'
  if (action === 'activate') return null
  if (id === by) return 'yourself'
  if (superusers === null || !is_superuser) return null
  if (superusers.size <= 1) return 'lastSuperuser'
  superusers.delete(id)
  return null
}

const rowOf = ({ id, username, nickname }: ChangedUser, reason: BulkReason | null): BulkRow => ({
  id,
  username,
  nickname,
  reason,
})
const gone = (id: number): BulkRow => ({ id, username: '', nickname: '', reason: 'gone' })
