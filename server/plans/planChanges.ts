import { isDeepStrictEqual } from 'node:util'
import type { Configuration } from '#contract/configuration/configuration.ts'
import { DEFAULT_PLAN, type PlanChanges, type PlanLimit, type PlanValues } from '#contract/plans.ts'
import { SOURCES } from '#contract/models.ts'
import type { AuditValues } from '#server/audit/audit.ts'
import { conflictsIn, Refusal, refuseConflicts } from '#server/foundation/refusal.ts'
import { limitKey, sentLimit, storedLimit } from '#server/policy/limitList.ts'
import { COMMON_FIELDS, type PlanRow, type Plans } from '#server/policy/planTree.ts'
import { shownLimits, shownValues } from './planView.ts'

export function requirePlan({ rows }: Plans, id: number): PlanRow {
  const row = rows.find(each => each.id === id)
  if (row === undefined) throw new Refusal('planNotFound')
  return row
}

/** The default plan stays at the top; no other one comes below itself. */
export function requireNoCircle(
  plans: Plans,
  { id, parent_id: before }: PlanRow,
  parent_id: number | null | undefined,
): void {
  if (parent_id === undefined || parent_id === before) return
  if (id === DEFAULT_PLAN || parent_id === null) throw new Refusal('planIsDefault')
  requirePlan(plans, parent_id)
  if (plans.wayUp(parent_id).some(row => row.id === id)) throw new Refusal('planInCircle')
}

type Values = Partial<PlanValues>

/** Null makes a value inherited again; what is not sent stays. */
export function mergedValues(before: Values, sent: Values): PlanValues {
  const common = COMMON_FIELDS.map(field => [field, sent[field] === undefined ? before[field] : sent[field]] as const)
  const sources = SOURCES.map(source => [source, withoutNulls({ ...before[source], ...sent[source] })] as const)
  return {
    ...withoutNulls(Object.fromEntries(common)),
    ...Object.fromEntries(sources.filter(([, values]) => Object.keys(values).length > 0)),
  }
}

const withoutNulls = (values: object) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined))

/** What the default plan shows of the settings and is sent back as it was shown stays theirs. */
export function changedColumns(row: PlanRow, settings: Configuration, changes: PlanChanges) {
  const { name = row.name, parent_id = row.parent_id, limits, ...sent } = changes
  const shown = shownValues(row, settings)
  const differing = (values: object | undefined, before: object | undefined) =>
    Object.fromEntries(
      Object.entries(values ?? {}).filter(
        ([field, value]) => !isDeepStrictEqual(value, Reflect.get(before ?? {}, field) ?? null),
      ),
    )
  const changed: Values = {
    ...sent,
    openai_web: differing(sent.openai_web, shown.openai_web),
    openai_api: differing(sent.openai_api, shown.openai_api),
  }
  return {
    name,
    parent_id,
    plan_values: mergedValues(row.plan_values, changed),
    ...(limits && { plan_limits: changedLimits(row, settings, limits) }),
  }
}

function changedLimits(row: PlanRow, settings: Configuration, limits: readonly PlanLimit[]) {
  const stored = limits.map(storedLimit)
  if (row.id !== DEFAULT_PLAN) return stored
  const shown = new Map(shownLimits(row, settings).map(limit => [limitKey(limit), storedLimit(limit)]))
  const own = new Set(row.plan_limits.map(limitKey))
  const kept = new Set(stored.map(limitKey))
  const lifted = [...shown].filter(([key]) => !kept.has(key) && !own.has(key))
  return [
    ...stored.filter(limit => own.has(limitKey(limit)) || !isDeepStrictEqual(shown.get(limitKey(limit)), limit)),
    ...lifted.map(([, limit]) => ({ ...limit, amount: -1 })),
  ]
}

export function requireUnchanged(row: PlanRow, settings: Configuration, { expected = {}, ...sent }: PlanChanges): void {
  const shown = shownValues(row, settings)
  const stored = {
    name: row.name,
    parent_id: row.parent_id,
    limits: inOrder(shownLimits(row, settings)),
    ...Object.fromEntries(COMMON_FIELDS.map(field => [field, shown[field] ?? null])),
  }
  const comparable = ({ limits, openai_web: _web, openai_api: _api, ...fields }: Omit<PlanChanges, 'expected'>) => ({
    ...fields,
    limits: limits && inOrder(limits.map(limit => sentLimit(storedLimit(limit)))),
  })
  refuseConflicts([
    ...conflictsIn([], stored, comparable(expected), comparable(sent)),
    ...SOURCES.flatMap(source => {
      const seen = expected[source] ?? {}
      const now = Object.fromEntries(
        Object.keys(seen).map(field => [field, Reflect.get(shown[source] ?? {}, field) ?? null]),
      )
      return conflictsIn([source], now, { ...seen }, { ...sent[source] })
    }),
  ])
}

const inOrder = (limits: readonly PlanLimit[]): PlanLimit[] =>
  limits.toSorted((one, other) => (limitKey(one) < limitKey(other) ? -1 : 1))

/** What the audit has of a plan, as it is stored. */
export function auditedPlan({ name, parent_id, plan_limits, plan_values }: Omit<PlanRow, 'id'>): AuditValues {
  return { name, parent_id, limits: plan_limits, values: plan_values } as AuditValues // plain JSON
}
