import type { Plan, PlanInForce, ValueOrigin } from '#contract/plans.ts'

const DEFAULT: ValueOrigin = { from: 'plan', plan_id: 1, name: 'Default' }
const FAMILY: ValueOrigin = { from: 'plan', plan_id: 2, name: '家人' }

export const WEEK = {
  source: 'openai_api' as const,
  unit: 'asks' as const,
  window: { kind: 'week' as const },
  models: null,
}

const ofDefault = <Value>(value: Value) => ({ value, origin: DEFAULT })
const source = () => ({
  allow_to_use: ofDefault(true),
  available_models: ofDefault(['*']),
  daily_available_time_slots: ofDefault([{ start_time: '00:00:00', end_time: '23:59:59' }]),
  max_conv_count: ofDefault(-1),
  disable_uploading: ofDefault(false),
  use_team: ofDefault(false),
  allow_custom_openai_api: ofDefault(false),
  valid_days: ofDefault<number | null>(null),
})

function inForce(more: Partial<PlanInForce> = {}): PlanInForce {
  return {
    openai_web: source(),
    openai_api: source(),
    max_upload_bytes: ofDefault<number | null>(null),
    max_file_bytes: ofDefault<number | null>(null),
    instructions: ofDefault(''),
    share_weight: ofDefault(1),
    may_borrow: ofDefault(true),
    max_keys: ofDefault(0),
    retention_days: ofDefault<number | null>(null),
    deleted_retention_days: ofDefault<number | null>(null),
    limits: [],
    ...more,
  }
}

/** The default plan, unless it says otherwise. */
export function aPlan(about: Partial<Plan> = {}): Plan {
  return {
    id: 1,
    name: 'Default',
    parent_id: null,
    limits: [],
    people: 16,
    in_force: inForce(),
    create_time: '2026-11-02T08:00:00Z',
    update_time: '2026-11-02T08:00:00Z',
    ...about,
  }
}

/** 150 asks a week, and nothing else of its own. */
export const family = aPlan({
  id: 2,
  name: '家人',
  parent_id: 1,
  people: 4,
  limits: [{ ...WEEK, amount: 150 }],
  in_force: inForce({ limits: [{ ...WEEK, amount: 150, origin: FAMILY, until: null }] }),
})

/** Below the family: it has its limits. */
export const elders = aPlan({ ...family, id: 3, name: '长辈', parent_id: 2, people: 2, limits: [] })
