import type { Configuration } from '#contract/configuration/configuration.ts'
import { type Source, SOURCES } from '#contract/models.ts'
import { DEFAULT_PLAN, MILLIONTHS } from '#contract/plans.ts'
import { CHARGED_WHOLE } from '#contract/quietAsks.ts'
import { LEDGER_REASONS, type UsageLine } from '#contract/usage.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { Database, OpenDatabase } from '#server/foundation/database/open.ts'
import { planStore } from '#server/policy/planStore.ts'
import { userStore } from '#server/users/store.ts'
import { dayAt, type Span, spanOf } from './months.ts'
import { type UsageFilter, type UsageLineRow, type UsedRow, usageReader } from './store.ts'

type Dependencies = { open: OpenDatabase; clock: Clock; configuration(): Configuration }

/** The filters that calls have. */
export type UsageQuery = {
  from?: string | undefined
  to?: string | undefined
  month?: string | undefined
  source?: Source | undefined
  model?: string | undefined
  person?: string | undefined
  plan?: string | undefined
}

export type UsageReading = ReturnType<typeof openUsageReading>

/** What all reports of use share: everything is read by `readOnly()`. */
export function openUsageReading({ open, clock, configuration }: Dependencies) {
  const reader = () => usageReader(open.readOnly())
  const timeZone = (): string => configuration().portal.time_zone
  /** Everything in a span, whoever used it. */
  const allOf = (span: Span): UsageFilter => ({
    ...span,
    user_ids: null,
    source: null,
    model: null,
    is_open: span.to >= clock.now(),
  })
  return {
    reader,
    timeZone,
    allOf,
    database: (): Database => open.readOnly(),

    async filterOf({ source, model, person, plan, ...span }: UsageQuery): Promise<UsageFilter> {
      const ofPlan = plan === undefined ? null : await peopleIn(open.readOnly(), Number(plan))
      const user_ids = person === undefined ? ofPlan : [Number(person)].filter(id => ofPlan?.includes(id) ?? true)
      const all = allOf(spanOf(span, { now: clock.now(), time_zone: timeZone() }))
      return { ...all, user_ids, source: source ?? null, model: model ?? null }
    },

    /** What every report begins with. */
    head: ({ from, to }: Span) => ({
      from: iso(from),
      to: iso(to),
      time_zone: timeZone(),
      currency: configuration().money.currency,
    }),

    /** By day of the portal's zone. */
    async days(filter: UsageFilter): Promise<(UsedRow & { day: string })[]> {
      const time_zone = timeZone()
      return (await reader().moments(filter)).map(row => ({ ...row, day: dayAt(row.start_time, time_zone) }))
    },
  }
}

/** The people who are in a plan itself; in the default one is everybody who is in no other. */
async function peopleIn(database: Database, plan_id: number): Promise<number[]> {
  const planned = (await planStore(database).listOf()).filter(({ plan_id }) => plan_id !== null)
  if (plan_id !== DEFAULT_PLAN) return planned.filter(each => each.plan_id === plan_id).map(({ user_id }) => user_id)
  const others = new Set(planned.filter(each => each.plan_id !== DEFAULT_PLAN).map(({ user_id }) => user_id))
  return (await userStore(database).names()).map(({ id }) => id).filter(id => !others.has(id))
}

const iso = (time: number): string => new Date(time).toISOString()

/** Only the two sources are ever stored. */
export const sourceOf = ({ source }: { source: string }): Source =>
  SOURCES.find(each => each === source) ?? 'openai_api'

export const accountOf = (row: UsedRow, labels: ReadonlyMap<number, string>) => ({
  source: sourceOf(row),
  model: row.model,
  upstream_id: row.upstream_id,
  upstream_label: labels.get(row.upstream_id) ?? '',
})

export const toUsageLine = (row: UsageLineRow): UsageLine => ({
  id: row.id,
  time: iso(row.time),
  ask_time: iso(row.asked_time),
  source: sourceOf(row),
  model: row.model,
  upstream_label: row.label ?? '',
  ask_id: row.ask_id,
  reason: LEDGER_REASONS.find(reason => reason === row.reason) ?? 'settled',
  asks: (row.asks * row.charged) / CHARGED_WHOLE,
  input_tokens: row.input_tokens,
  cached_tokens: row.cached_tokens,
  output_tokens: row.output_tokens,
  tokens: row.tokens,
  money: row.cost / MILLIONTHS,
  estimated: row.estimated,
})
