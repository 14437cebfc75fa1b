import { isDeepStrictEqual } from 'node:util'
import type { Configuration } from '#contract/configuration/configuration.ts'
import { AFFECTED, type AuditValues, changedFields, recordAudit } from '#server/audit/audit.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { membersChanged } from '#server/policy/members.ts'
import type { PlanSnapshot } from '#server/policy/planSnapshot.ts'
import { planStore, readPlans } from '#server/policy/planStore.ts'
import { type PlanRow, type Plans, plansOf, withPlans } from '#server/policy/planTree.ts'
import type { AffectedCounts } from './preview.ts'
import { auditedPlan, requireNoCircle, requirePlan } from './planChanges.ts'

type Dependencies = { open: OpenDatabase; clock: Clock; configuration(): Configuration; plans: PlanSnapshot }
type UndoneChange = { subject_id: string; before: AuditValues; after: AuditValues }

/** How plans are stored: under one lock, written down, and heard of by every process. */
export function openPlanWriting({ open, clock, configuration, plans: snapshot }: Dependencies) {
  /** One change of plans at a time, by what is stored now; every process learns of it. */
  async function change<T>(work: (trx: Transaction, plans: Plans, settings: Configuration) => Promise<T>): Promise<T> {
    const result = await open.transaction(async trx => {
      await planStore(trx).beginChange(clock.now())
      const settings = withPlans(configuration(), await readPlans(trx))
      const done = await work(trx, plansOf(settings), settings)
      await membersChanged(trx)
      return done
    })
    await snapshot.changed()
    return result
  }

  /** `affected`: how many people it reaches, for the audit. */
  async function store(trx: Transaction, before: PlanRow, after: PlanRow, affected?: AffectedCounts): Promise<void> {
    const changed = changedFields(auditedPlan(before), auditedPlan(after))
    if (changed === null) return
    const { name, parent_id, plan_limits, plan_values } = after
    const columns = { name, parent_id, plan_limits, plan_values, update_time: clock.now() }
    await planStore(trx).change(after.id, columns)
    const said = affected === undefined ? changed.after : { ...changed.after, [AFFECTED]: affected }
    await recordAudit(trx, { action: 'plan.changed', subject: subjectOf(after), before: changed.before, after: said })
  }

  return { change, store }
}

/** Makes a plan what it was before a change; refused when it is not as that change left it. */
export function undoingPlans(dependencies: Dependencies): (undone: UndoneChange) => Promise<void> {
  const { change, store } = openPlanWriting(dependencies)
  return ({ subject_id, before, after }) =>
    change(async (trx, plans) => {
      const row = requirePlan(plans, Number(subject_id))
      const now = auditedPlan(row)
      const fields = Object.keys(after).filter(field => field !== AFFECTED)
      const other = fields.filter(field => !isDeepStrictEqual(now[field] ?? null, after[field] ?? null))
      if (other.length > 0) {
        const detail = other.map(field => ({
          ...{ loc: ['body', field], msg: JSON.stringify(now[field] ?? null), type: 'changed_meanwhile' },
        }))
        throw new Refusal('changedMeanwhile', {}, { detail })
      }
      // as auditedPlan wrote it
      const { name, parent_id, limits, values } = { ...now, ...before } as unknown as ReturnType<typeof storedFields>
      requireNoCircle(plans, row, parent_id)
      await store(trx, row, { ...row, name, parent_id, plan_limits: limits, plan_values: values })
    })
}

const storedFields = ({ name, parent_id, plan_limits: limits, plan_values: values }: PlanRow) => ({
  name,
  parent_id,
  limits,
  values,
})

export const subjectOf = ({ id, name }: Pick<PlanRow, 'id' | 'name'>) => ({ kind: 'plan', id, name }) as const
