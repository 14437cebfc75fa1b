import type { Affected, PlanPreview } from '#contract/planPeople.ts'
import { MILLIONTHS, type PlanChanges } from '#contract/plans.ts'
import type { Database, Transaction } from '#server/foundation/database/open.ts'
import type { OwnLimit, SparedValue } from '#server/foundation/database/schema/plans.ts'
import { invalid } from '#server/foundation/refusal.ts'
import { limitKey, type PolicyLimit, sentLimit } from '#server/policy/limitList.ts'
import { withAudit } from '#server/policy/auditing.ts'
import { planStore } from '#server/policy/planStore.ts'
import type { ConfigurationChange } from './configurationChange.ts'
import { effectsOn, isBlocked, isChanged, isGained, peopleBelow, type PersonEffect, type ReadUse } from './effects.ts'

/** People of each kind that an answer names. */
const MAX_NAMED = 1_000

type Change = ConfigurationChange & { readUse: ReadUse }

/** Who is blocked at once by a change, who gains, and who is untouched. */
export async function previewOf(database: Database, { readUse, ...change }: Change): Promise<PlanPreview> {
  const people = await peopleBelow(database, change.before, change.plan_id)
  const effects = await effectsOn(database, people, change, readUse)
  const blocked = effects.filter(isBlocked)
  const gained = effects.filter(effect => !isBlocked(effect) && isGained(effect))
  const untouched = effects.flatMap(({ user_id, nickname, untouched: reason }) =>
    reason === null ? [] : [{ user_id, nickname, reason }],
  )
  return {
    blocked: blocked.slice(0, MAX_NAMED).map(effect => shown(effect, true)),
    gained: gained.slice(0, MAX_NAMED).map(effect => shown(effect, false)),
    changed: effects
      .filter(effect => !isBlocked(effect) && !isGained(effect) && isChanged(effect))
      .slice(0, MAX_NAMED)
      .map(effect => shown(effect, false)),
    untouched: untouched.slice(0, MAX_NAMED),
    affected: effects.length - untouched.length,
  }
}

/** People of each kind whose ids the audit keeps. */
const MAX_KEPT = 20

export type AffectedCounts = {
  blocked: number
  gained: number
  changed: number
  untouched: number
  /** Ids of the first of them: the audit has no names that somebody could not be forgotten by. */
  people: { blocked: number[]; gained: number[]; changed: number[]; untouched: number[] }
}

/** The same as numbers. */
export async function affectedBy(database: Database, { readUse, ...change }: Change): Promise<AffectedCounts> {
  const people = await peopleBelow(database, change.before, change.plan_id)
  const effects = await effectsOn(database, people, change, readUse)
  const those = (is: (effect: PersonEffect) => boolean): number[] => effects.filter(is).map(({ user_id }) => user_id)
  const blocked = those(isBlocked)
  const gained = those(effect => !isBlocked(effect) && isGained(effect))
  const changed = those(effect => !isBlocked(effect) && !isGained(effect) && isChanged(effect))
  const untouched = those(({ untouched: reason }) => reason !== null)
  const first = (ids: readonly number[]) => ids.slice(0, MAX_KEPT)
  return {
    ...{ blocked: blocked.length, gained: gained.length, changed: changed.length, untouched: untouched.length },
    people: { blocked: first(blocked), gained: first(gained), changed: first(changed), untouched: first(untouched) },
  }
}

/** Of somebody who is blocked, only what blocks them. */
function shown({ user_id, nickname, limits, values }: PersonEffect, blocksOnly: boolean): Affected {
  return {
    user_id,
    nickname,
    limits: limits
      .filter(({ blocks }) => blocks || !blocksOnly)
      .map(({ limit, used, before, after }) => {
        const { amount: _amount, ...identity } = sentLimit(limit)
        return {
          limit: identity,
          used: inUnits(limit, used),
          before: inUnits(limit, before),
          after: inUnits(limit, after),
        }
      }),
    reasons: values
      .filter(({ effect }) => effect === 'blocks' || !blocksOnly)
      .map(({ value: _value, effect: _effect, ...changed }) => changed),
  }
}

const inUnits = ({ unit }: PolicyLimit, amount: number | null): number | null =>
  amount !== null && unit === 'money' ? amount / MILLIONTHS : amount

/**
 * Lets people keep until a time what a change would block at once: the limits and values that they have before it, as
 * their own. What does not block them holds for them as for everybody.
 */
export async function spare(
  trx: Transaction,
  spared: NonNullable<PlanChanges['spare']>,
  { readUse, ...change }: Change,
): Promise<void> {
  const passed = spared.findIndex(({ until }) => Date.parse(until) <= change.now)
  if (passed !== -1) throw invalid(['body', 'spare', passed, 'until'], 'timeHasPassed')
  const untilOf = new Map(spared.map(({ user_id, until }) => [user_id, Date.parse(until)]))
  const people = (await peopleBelow(trx, change.before, change.plan_id)).filter(({ id }) => untilOf.has(id))
  for (const { user_id, limits, values } of await effectsOn(trx, people, change, readUse)) {
    const until = untilOf.get(user_id) ?? 0
    const kept = limits
      .filter(({ blocks }) => blocks)
      .map(({ limit, before }): OwnLimit => {
        const { origin: _origin, ...stored } = limit
        return { ...stored, models: limit.models === null ? null : [...limit.models], amount: before ?? -1, until }
      })
    const keptValues = values.flatMap(({ source, field, value, effect }): SparedValue[] =>
      effect === 'blocks' && source !== null ? [{ source, field, value, until }] : [],
    )
    if (kept.length === 0 && keptValues.length === 0) continue
    const row = await planStore(trx).of(user_id)
    const others = (row?.own_limits ?? []).filter(limit => !kept.some(each => limitKey(each) === limitKey(limit)))
    const otherValues = (row?.own_values?.spared ?? []).filter(
      value => !keptValues.some(each => each.source === value.source && each.field === value.field),
    )
    await withAudit(trx, user_id, async () => {
      await planStore(trx).setOf(user_id, {
        own_limits: [...others, ...kept],
        own_values: { ...row?.own_values, spared: [...otherValues, ...keptValues] },
      })
    })
  }
}
