/** Who lends and borrows of shared accounts over weeks, and what last month would have been by other rules. */
import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { RowId, Time } from './envelope.ts'
import { NamedUser } from './jobs.ts'
import { PlanChanges } from './plans.ts'
import { Keep, Sharing } from './shares.ts'

export const MAX_LENDING_WEEKS = 12

/** Asks. `borrowed` are those beyond one’s share; `lent` those of others that were of it. */
export const Lending = z.object({ used: z.int(), borrowed: z.int(), lent: z.int(), refused: z.int() })
export type Lending = z.infer<typeof Lending>

export const LendingReport = z.object({
  /** When each week began, the oldest first. */
  weeks: z.array(Time),
  /** Who lent most comes first. Of people who are gone only the sums are left: they are not among them. */
  people: z.array(z.object({ user: NamedUser, total: Lending, by_week: z.array(Lending) })),
  total: Lending,
})
export type LendingReport = z.infer<typeof LendingReport>

const byId = z.object({ id: RowId })

export const readLending = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/system/upstreams/:id/lending',
  summary: 'Who lent, borrowed and was refused of a shared account, week by week.',
  params: byId,
  query: z.object({
    weeks: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(MAX_LENDING_WEEKS)), 4),
  }),
  result: LendingReport,
} as const satisfies Call

/** Days of real asks that are asked once more. */
export const REPLAY_DAYS = 30

/** What came of the same asks by the rules as they are, and by others. */
const Replayed = z.object({ answered: z.int(), borrowed: z.int(), refused: z.int() })

export const Replay = z.object({
  from: Time,
  /** Before now where there were more asks than can be asked again at once. */
  until: Time,
  asks: z.int(),
  /** Refusals that were really met in that time. */
  met: z.int(),
  before: Replayed,
  after: Replayed,
  /** Of whom anything differs; who gains most comes first. */
  people: z.array(z.object({ user: NamedUser, before: Replayed, after: Replayed })),
})
export type Replay = z.infer<typeof Replay>

export const replaySharing = {
  ...nothing,
  access: 'superuser',
  method: 'POST',
  path: '/system/upstreams/:id/replay',
  summary: 'What the asks of the last 30 days would have met by other rules of sharing. Stores nothing.',
  params: byId,
  body: z.object({
    sharing: z.optional(Sharing),
    keep: z.optional(Keep),
    reserve_percent: z.optional(z.int().check(z.minimum(0), z.maximum(100))),
  }),
  /** Null: the account has no windows. */
  result: z.nullable(Replay),
} as const satisfies Call

export const replayPlan = {
  ...nothing,
  access: 'superuser',
  method: 'POST',
  path: '/plan/:id/replay',
  summary: 'The same for a change of a plan, of each shared account on which it has an effect. Stores nothing.',
  params: byId,
  body: PlanChanges,
  result: z.array(z.object({ upstream_id: z.int(), label: z.string(), replay: Replay })),
} as const satisfies Call
