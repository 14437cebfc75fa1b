import type { Allowance } from '#contract/allowance.ts'
import type { Configuration } from '#contract/configuration/configuration.ts'
import { UNLIMITED } from '#contract/limits.ts'
import { type Source, SOURCES } from '#contract/models.ts'
import type { LimitUnit, LimitWindow, ValueOrigin } from '#contract/plans.ts'
import type { LimitUse } from '#contract/usage.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { Database, OpenDatabase } from '#server/foundation/database/open.ts'
import { raisedBy } from '#server/limits/grants.ts'
import { type LimitQuery, readLimitUse } from '#server/limits/limitUse.ts'
import { type EffectiveSetting, effectiveSettings } from '#server/policy/effectiveSetting.ts'
import { limitKey, olderForm, type PolicyLimit } from '#server/policy/limitList.ts'
import { requestStore } from '../requestStore.ts'
import { sentAmount } from './requests.ts'

/** A limit, whichever form it has, and what is left of it: money in millionths, times in epoch milliseconds. */
export type ReadLimitUse = {
  source: Source
  unit: LimitUnit
  amount: number
  used: number
  left: number
  window: LimitWindow
  models: string[] | null
  /** When some of what is used comes back. */
  opens_at: number | null
  /** When the window ends that is open now; null for one that never does, or that moves on with the time. */
  ends: number | null
  origin: ValueOrigin
}

/** A key, and what it alone may use. */
export type KeyLimits = { user_id: number; key_id: number; source: Source; limits: readonly PolicyLimit[] }

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  configuration(): Configuration
  allowance(user_id: number): Promise<Allowance>
}

export type LimitUses = ReturnType<typeof openLimitUses>

/** All limits of a person that are bounded, with those that the specification has as fields of their own. */
export function openLimitUses({ open, clock, configuration, allowance }: Dependencies) {
  async function ofPerson(user_id: number): Promise<ReadLimitUse[]> {
    const now = clock.now()
    const [settings, { sources, time_zone }, grants] = await Promise.all([
      effectiveSettings(open.database, configuration(), [user_id], now),
      allowance(user_id),
      requestStore(open.database).grants(user_id, now),
    ])
    const read = SOURCES.map(async source => {
      const setting = settings.find(each => each.source === source)
      const of = sources.find(each => each.source === source)
      if (setting === undefined || of === undefined || !setting.allow_to_use) return []
      const { limits } = raisedBy(setting, grants)
      const listed = await listedUses(open.database, { user_id, source, limits, now, time_zone })
      return [...olderForms(setting, of), ...listed]
    })
    return (await Promise.all(read)).flat()
  }

  return {
    ofPerson,
    ofKey: (key: KeyLimits): Promise<ReadLimitUse[]> =>
      listedUses(open.database, { ...key, now: clock.now(), time_zone: configuration().portal.time_zone }),
  }
}

/** What running asks may still use counts as used. */
async function listedUses(database: Database, { limits: all, ...asked }: LimitQuery): Promise<ReadLimitUse[]> {
  const limits = all.filter(({ amount }) => amount !== UNLIMITED)
  const uses = limits.length === 0 ? [] : await readLimitUse(database, { ...asked, limits })
  return Promise.all(
    uses.map(async ({ limit, used, left, window }) => {
      const { unit, amount, models, origin } = limit
      const isRolling = limit.window.kind === 'rolling'
      const ends = isRolling ? null : window.ends
      return {
        ...{ source: asked.source, unit, amount, used, left, window: limit.window, origin, ends },
        models: models === null ? null : [...models],
        opens_at: used === 0 ? null : isRolling ? await oneMoreAt(database, { ...asked, limits: [limit] }, left) : ends,
      }
    }),
  )
}

/** When more is left than now: the oldest ask has left the window. */
async function oneMoreAt(database: Database, query: LimitQuery, left: number): Promise<number | null> {
  const [more] = await readLimitUse(database, {
    ...query,
    needed: { asks: left + 1, tokens: left + 1, money: left + 1 },
  })
  return more?.opens_at ?? null
}

function olderForms(setting: EffectiveSetting, of: Allowance['sources'][number]): ReadLimitUse[] {
  const { source, origin } = setting
  const counted = { source, unit: 'asks', window: { kind: 'ever' }, opens_at: null, ends: null } as const
  return [
    ...of.models
      .filter(({ count }) => count.allowed !== UNLIMITED)
      .map(({ model, count: { allowed, used, remaining } }) => ({
        ...counted,
        amount: allowed,
        used,
        left: remaining,
        models: [model],
        origin: modelOrigin(setting, model, allowed),
      })),
    ...(of.total.allowed === UNLIMITED
      ? []
      : [
          {
            ...counted,
            amount: of.total.allowed,
            used: of.total.used,
            left: of.total.remaining,
            models: null,
            origin: origin.total_ask_allowed,
          },
        ]),
    ...of.windows.map(({ window_seconds, max_requests, used, frees_at }) => ({
      source,
      unit: 'asks' as const,
      amount: max_requests,
      used,
      left: Math.max(0, max_requests - used),
      window: { kind: 'rolling' as const, seconds: window_seconds },
      models: null,
      opens_at: frees_at === null ? null : Date.parse(frees_at),
      ends: null,
      origin: origin.rate_limits,
    })),
  ]
}

/** Of the list or a plan, unless the person's own value is another one. */
function modelOrigin({ listed }: EffectiveSetting, model: string, allowed: number): ValueOrigin {
  const of = listed.find(limit => olderForm(limit) === 'model' && limit.models?.[0] === model)
  return of?.amount === allowed ? of.origin : { from: 'own' }
}

/** Tells limits of a person apart. */
export const keyOfLimit = (limit: ReadLimitUse): string => limitKey(limit)

/** As it is sent. */
export const sentLimitUse = ({ ends: _ends, ...limit }: ReadLimitUse): LimitUse => ({
  ...limit,
  amount: sentAmount(limit.unit, limit.amount),
  used: sentAmount(limit.unit, limit.used),
  left: sentAmount(limit.unit, limit.left),
  opens_at: limit.opens_at === null ? null : new Date(limit.opens_at).toISOString(),
})
