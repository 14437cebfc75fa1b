import type { Configuration } from '#contract/configuration/configuration.ts'
import type { PlanPreview } from '#contract/planPeople.ts'
import { DEFAULT_PLAN, type NewPlan, type Plan, type PlanChanges } from '#contract/plans.ts'
import { recordAudit } from '#server/audit/audit.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { invitationStore } from '#server/invitations/store.ts'
import { storedLimit } from '#server/policy/limitList.ts'
import type { PlanSnapshot } from '#server/policy/planSnapshot.ts'
import { planStore, readPlans } from '#server/policy/planStore.ts'
import { type PlanRow, type Plans, plansOf, withPlans } from '#server/policy/planTree.ts'
import { countUsers } from '#server/users/store.ts'
import type { ReadUse } from './effects.ts'
import {
  auditedPlan,
  changedColumns,
  mergedValues,
  requireNoCircle,
  requirePlan,
  requireUnchanged,
} from './planChanges.ts'
import { planView } from './planView.ts'
import { openPlanWriting, subjectOf } from './planWriting.ts'
import { affectedBy, previewOf, spare } from './preview.ts'

/** More plans than a group has. */
const MAX_PLANS = 500

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  configuration(): Configuration
  plans: PlanSnapshot
  readUse: ReadUse
}

export type PlanAdministration = ReturnType<typeof openPlanAdministration>

/** What administrators do with plans. A change holds at once for all who inherit it, and writes to nobody's row. */
export function openPlanAdministration(dependencies: Dependencies) {
  const { open, clock, configuration, readUse } = dependencies
  const { change, store } = openPlanWriting(dependencies)

  async function list(): Promise<Plan[]> {
    const { rows } = plansOf(configuration())
    const [counts, { all }] = await Promise.all([
      planStore(open.database).counts(),
      countUsers(open.database, clock.now()),
    ])
    const peopleIn = new Map(counts.map(({ plan_id, people }) => [plan_id, people]))
    const inOthers = counts.reduce((sum, { people }) => sum + people, 0)
    return rows.map(row => {
      const people = row.id === DEFAULT_PLAN ? all - inOthers : (peopleIn.get(row.id) ?? 0)
      return planView(row, people, configuration())
    })
  }

  async function read(id: number): Promise<Plan> {
    const plan = (await list()).find(each => each.id === id)
    if (plan === undefined) throw new Refusal('planNotFound')
    return plan
  }

  /** What the plans would be with this one in place of the one of its id. */
  const withRow = (settings: Configuration, row: PlanRow): Configuration => {
    const { version, rows } = plansOf(settings)
    return withPlans(settings, { version, rows: rows.map(each => (each.id === row.id ? row : each)) })
  }

  function changedRow(row: PlanRow, plans: Plans, settings: Configuration, changes: PlanChanges): PlanRow {
    requireNoCircle(plans, row, changes.parent_id)
    return { ...row, ...changedColumns(row, settings, changes) }
  }

  async function countAffected(id: number, changes: PlanChanges) {
    const before = withPlans(configuration(), await readPlans(open.database))
    const row = requirePlan(plansOf(before), id)
    const after = withRow(before, changedRow(row, plansOf(before), before, changes))
    return affectedBy(open.database, { plan_id: id, before, after, now: clock.now(), readUse })
  }

  return {
    list,
    read,

    async create({ name, parent_id, limits, ...values }: NewPlan): Promise<Plan> {
      const id = await change(async (trx, plans) => {
        requirePlan(plans, parent_id)
        if (plans.rows.length >= MAX_PLANS) throw new Refusal('tooManyPlans', { most: MAX_PLANS })
        const now = clock.now()
        const columns = {
          ...{ name, parent_id, create_time: now, update_time: now, version: 0 },
          plan_limits: limits.map(storedLimit),
          plan_values: mergedValues({}, values),
        }
        const made = await planStore(trx).insert(columns)
        const subject = subjectOf({ id: made, name })
        await recordAudit(trx, { action: 'plan.created', subject, after: auditedPlan(columns) })
        return made
      })
      return read(id)
    },

    /** Who would be blocked at once, who gains, and who is untouched. */
    async preview(id: number, changes: PlanChanges): Promise<PlanPreview> {
      const before = withPlans(configuration(), await readPlans(open.database))
      const row = requirePlan(plansOf(before), id)
      const after = withRow(before, changedRow(row, plansOf(before), before, changes))
      return previewOf(open.database, { plan_id: id, before, after, now: clock.now(), readUse })
    },

    /** The settings with the plans as a change would make them. Stores nothing. */
    async configurationAfter(id: number, changes: PlanChanges): Promise<Configuration> {
      const before = withPlans(configuration(), await readPlans(open.database))
      return withRow(before, changedRow(requirePlan(plansOf(before), id), plansOf(before), before, changes))
    },

    async change(id: number, { spare: spared = [], ...changes }: PlanChanges): Promise<Plan> {
      // Before the lock, which asks wait for: it is what the administrator was shown, and changes nothing.
      const affected = await countAffected(id, changes)
      await change(async (trx, plans, settings) => {
        const row = requirePlan(plans, id)
        if (changes.expected) requireUnchanged(row, settings, changes)
        const changed = changedRow(row, plans, settings, changes)
        const at = { plan_id: id, before: settings, after: withRow(settings, changed), now: clock.now(), readUse }
        if (spared.length > 0) await spare(trx, spared, at)
        await store(trx, row, changed, affected)
      })
      return read(id)
    },

    /** `move_to`: where its people, the plans below it and its invitations go. */
    async remove(id: number, move_to?: number): Promise<void> {
      await change(async (trx, plans) => {
        const row = requirePlan(plans, id)
        if (id === DEFAULT_PLAN) throw new Refusal('planIsDefault')
        await planStore(trx).lock(id, open.engine)
        const inUse = await usesOf(trx, plans, id, clock.now())
        if (move_to !== undefined) await moveAll(trx, plans, id, move_to)
        else if (Object.values(inUse).some(count => count > 0)) throw new Refusal('planInUse', inUse)
        await planStore(trx).remove(id)
        const after = move_to === undefined ? null : { moved_to: move_to, ...inUse }
        await recordAudit(trx, { action: 'plan.deleted', subject: subjectOf(row), before: auditedPlan(row), after })
      })
    },
  }
}

/** How many people and plans are in it, and how many invitations lead into it. */
async function usesOf(trx: Transaction, { rows }: Plans, id: number, now: number) {
  const people = (await planStore(trx).counts()).find(({ plan_id }) => plan_id === id)?.people ?? 0
  const plans = rows.filter(({ parent_id }) => parent_id === id).length
  return { people, plans, invitations: await invitationStore(trx).countOpenInto(id, now) }
}

async function moveAll(trx: Transaction, plans: Plans, from: number, to: number): Promise<void> {
  requirePlan(plans, to)
  if (plans.wayUp(to).some(row => row.id === from)) throw new Refusal('planInCircle')
  await planStore(trx).movePeople(from, to)
  await planStore(trx).moveBelow(from, to)
  await invitationStore(trx).leadInto(from, to)
}
