import type { LimitUnit, LimitWindow, PlanValues } from '#contract/plans.ts'
import type { Source } from '#contract/models.ts'
import { json, table } from './definition.ts'

/** A limit as it is stored: money in millionths. -1 is unlimited. */
export type StoredLimit = {
  source: Source
  unit: LimitUnit
  amount: number
  window: LimitWindow
  models: string[] | null
}
/** Of a person. After `until` it is inherited again; null: no end. */
export type OwnLimit = StoredLimit & { until: number | null }

/** A value that somebody keeps until a time, though their plan has another one. */
export type SparedValue = { source: Source; field: string; value: unknown; until: number }
export type OwnCommonValues = Omit<PlanValues, 'openai_web' | 'openai_api'> & { spared?: SparedValue[] }

export const planTables = {
  plans: table({
    columns: {
      id: { kind: 'id' },
      name: { kind: 'text' },
      parent_id: { kind: 'int', nullable: true, references: 'plans.id' }, // null: the default plan
      plan_limits: json<StoredLimit[]>(),
      plan_values: json<PlanValues>(),
      version: { kind: 'int', default: 0 }, // of the default plan: counts the changes of all plans
      create_time: { kind: 'ms' },
      update_time: { kind: 'ms' },
    },
  }),

  // The plan of a person, and values of their own that are no columns of user_source_settings. Without a row or a plan
  // they are in the default one.
  user_policy_values: table({
    columns: {
      user_id: { kind: 'int', references: 'users.id', onDelete: 'cascade' },
      plan_id: { kind: 'int', nullable: true, references: 'plans.id' },
      own_limits: json<OwnLimit[]>({ nullable: true }),
      own_values: json<OwnCommonValues>({ nullable: true }),
    },
    primaryKey: ['user_id'],
    indexes: [['plan_id']],
  }),
}
