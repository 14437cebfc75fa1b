import type { Configuration } from '#contract/configuration/configuration.ts'
import type { ChangedValue } from '#contract/planPeople.ts'
import { DEFAULT_PLAN } from '#contract/plans.ts'
import { UNLIMITED } from '#contract/limits.ts'
import { type Source, SOURCES } from '#contract/models.ts'
import { countValidOf } from '#server/conversations/store.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { isOpen } from '#server/limits/rules.ts'
import { effectiveSetting, type EffectiveSetting, storedSettings } from '#server/policy/effectiveSetting.ts'
import { limitKey, olderForm, type PolicyLimit } from '#server/policy/limitList.ts'
import { personLimits } from '#server/policy/personLimits.ts'
import { explicitModels } from '#server/policy/plans.ts'
import { planStore } from '#server/policy/planStore.ts'
import { plansOf } from '#server/policy/planTree.ts'
import { allUsers } from '#server/users/store.ts'
import { commonEffects } from './commonEffects.ts'
import type { ConfigurationChange, ValueEffect } from './configurationChange.ts'

/** Of one limit, in stored units; null where there is none. */
export type LimitEffect = {
  limit: PolicyLimit
  used: number | null
  before: number | null
  after: number | null
  blocks: boolean
}

export type PersonEffect = {
  user_id: number
  nickname: string
  limits: LimitEffect[]
  values: ValueEffect[]
  /** Why nothing changes; null where something does. */
  untouched: 'own' | 'plan' | 'same' | null
}

/** Of each limit of a person and source what is used. */
export type ReadUse = (
  database: Database,
  asked: { user_id: number; source: Source; limits: readonly PolicyLimit[] },
) => Promise<ReadonlyMap<string, number>>

/** People of one query. */
const AT_ONCE = 500

/** Who inherits from a plan: those in it, and in the plans below it. */
export async function peopleBelow(database: Database, configuration: Configuration, plan_id: number) {
  const plans = plansOf(configuration)
  const below = new Set(
    plans.rows.filter(({ id }) => plans.wayUp(id).some(row => row.id === plan_id)).map(({ id }) => id),
  )
  const planOf = new Map((await planStore(database).listOf()).map(row => [row.user_id, row.plan_id ?? DEFAULT_PLAN]))
  const users = await allUsers(database).select(['id', 'nickname']).orderBy('id').execute()
  return users
    .map(user => ({ ...user, plan_id: planOf.get(user.id) ?? DEFAULT_PLAN }))
    .filter(user => below.has(user.plan_id))
}
type Inheriting = Awaited<ReturnType<typeof peopleBelow>>[number]

/** What a change of the plans would be to each of these people. */
export async function effectsOn(
  database: Database,
  people: readonly Inheriting[],
  change: ConfigurationChange,
  readUse: ReadUse,
): Promise<PersonEffect[]> {
  const effects: PersonEffect[] = []
  for (let at = 0; at < people.length; at += AT_ONCE) {
    const some = people.slice(at, at + AT_ONCE)
    const ids = some.map(({ id }) => id)
    const [stored, counts, commonOf] = await Promise.all([
      storedSettings(database, ids),
      countValidOf(database, ids),
      commonEffects(database, ids, change),
    ])
    const settingsOf = Map.groupBy(stored, ({ row }) => row.user_id)
    for (const person of some) {
      const pairs = (settingsOf.get(person.id) ?? []).map(each => ({
        before: effectiveSetting(each, change.before, change.now),
        after: effectiveSetting(each, change.after, change.now),
        conversations:
          counts.find(count => count.user_id === person.id && count.source === each.row.source)?.count ?? 0,
      }))
      effects.push(await effectOn(database, person, { pairs, common: commonOf(person.id) }, change, readUse))
    }
  }
  return effects
}

type Pair = { before: EffectiveSetting; after: EffectiveSetting; conversations: number }

async function effectOn(
  database: Database,
  { id: user_id, nickname, plan_id }: Inheriting,
  { pairs, common }: { pairs: readonly Pair[]; common: readonly ValueEffect[] },
  change: ConfigurationChange,
  readUse: ReadUse,
): Promise<PersonEffect> {
  const limits: LimitEffect[] = []
  for (const { before, after } of pairs) {
    const changed = changedLimits(before, after)
    if (changed.length === 0) continue
    const used = await usedOf(
      database,
      after,
      changed.map(({ limit }) => limit),
      readUse,
    )
    limits.push(...changed.map(each => withUse(each, used.get(limitKey(each.limit)) ?? null, before, after)))
  }
  const values = [...pairs.flatMap(pair => changedValues(pair, change)), ...common]
  if (limits.length > 0 || values.length > 0) return { user_id, nickname, limits, values, untouched: null }
  const says = (configuration: Configuration) => [
    Object.values(plansOf(configuration).common(plan_id)).map(({ value }) => value),
    ...SOURCES.map(source => {
      const { values: ofPlan, limits: list } = plansOf(configuration).of(plan_id, source)
      return [
        Object.values(ofPlan).map(({ value }) => value),
        list.map(({ amount, ...limit }) => [limitKey(limit), amount]),
      ]
    }),
  ]
  const isSame = JSON.stringify(says(change.before)) === JSON.stringify(says(change.after))
  const isOfThisPlan = plan_id === change.plan_id
  return { user_id, nickname, limits, values, untouched: isSame ? (isOfThisPlan ? 'same' : 'plan') : 'own' }
}

type ChangedLimit = Pick<LimitEffect, 'limit' | 'before' | 'after'>

function changedLimits(before: EffectiveSetting, after: EffectiveSetting): ChangedLimit[] {
  const [was, is] = [before, after].map(
    setting => new Map(personLimits(setting).map(limit => [limitKey(limit), limit])),
  )
  return [...new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])].flatMap(key => {
    const [one, other] = [was?.get(key), is?.get(key)]
    const limit = other ?? one
    const amounts = { before: bounded(one), after: bounded(other) }
    return limit === undefined || amounts.before === amounts.after ? [] : [{ limit, ...amounts }]
  })
}

const bounded = (limit: PolicyLimit | undefined): number | null =>
  limit === undefined || limit.amount === UNLIMITED ? null : limit.amount

/** Counts say themselves what is used of them. */
async function usedOf(database: Database, setting: EffectiveSetting, limits: readonly PolicyLimit[], readUse: ReadUse) {
  const { user_id, source, total } = setting
  const counted = limits.flatMap((limit): [string, number][] => {
    const form = olderForm(limit)
    const [model = ''] = limit.models ?? []
    if (form === 'total') return [[limitKey(limit), total.used]]
    return form === 'model' ? [[limitKey(limit), setting.models.get(model)?.used ?? 0]] : []
  })
  const others = limits.filter(limit => !counted.some(([key]) => key === limitKey(limit)))
  const read = others.length === 0 ? [] : await readUse(database, { user_id, source, limits: others })
  return new Map([...counted, ...read])
}

function withUse(
  changed: ChangedLimit,
  used: number | null,
  before: EffectiveSetting,
  after: EffectiveSetting,
): LimitEffect {
  const isReached = (amount: number | null): boolean => amount !== null && used !== null && used >= amount
  const blocks = before.allow_to_use && after.allow_to_use && isReached(changed.after) && !isReached(changed.before)
  return { ...changed, used, blocks }
}

type Compared = {
  field: Extract<ChangedValue, { source: Source }>['field']
  value: unknown
  effect: ValueEffect['effect'] | null
}

/** The other values that differ, and what that is to the person. */
function changedValues(
  { before, after, conversations }: Pair,
  { before: settings, now }: ConfigurationChange,
): ValueEffect[] {
  const { source } = before
  if (!before.allow_to_use && !after.allow_to_use) return []
  const zone = settings.portal.time_zone
  const models = (setting: EffectiveSetting) => new Set(explicitModels(setting.available_models, settings, source))
  const compared: Compared[] = [
    {
      field: 'allow_to_use',
      value: before.allow_to_use,
      effect: flag(before.allow_to_use, after.allow_to_use, 'blocks'),
    },
    { field: 'valid_until', value: before.valid_until, effect: ofValidity(before.valid_until, after.valid_until, now) },
    {
      field: 'daily_available_time_slots',
      value: before.daily_available_time_slots,
      effect: ofHours(before, after, now, zone),
    },
    { field: 'available_models', value: before.available_models, effect: ofModels(models(before), models(after)) },
    {
      field: 'max_conv_count',
      value: before.max_conv_count,
      effect: ofCount(before.max_conv_count, after.max_conv_count, conversations),
    },
    {
      field: 'disable_uploading',
      value: before.disable_uploading,
      effect: flag(!before.disable_uploading, !after.disable_uploading),
    },
    { field: 'use_team', value: before.use_team, effect: flag(before.use_team, after.use_team) },
    {
      field: 'allow_custom_openai_api',
      value: before.allow_custom_openai_api,
      effect: flag(before.allow_custom_openai_api, after.allow_custom_openai_api),
    },
  ]
  return compared.flatMap(({ field, value, effect }) => (effect === null ? [] : [{ source, field, value, effect }]))
}

const flag = (before: boolean, after: boolean, loss: 'blocks' | 'loses' = 'loses') =>
  before === after ? null : after ? 'gains' : loss

function ofValidity(before: number | null, after: number | null, now: number) {
  if (before === after) return null
  const [was, is] = [before ?? Infinity, after ?? Infinity]
  if (is > was) return 'gains'
  return is < now && was >= now ? 'blocks' : 'loses'
}

function ofHours(before: EffectiveSetting, after: EffectiveSetting, now: number, zone: string) {
  const [was, is] = [before.daily_available_time_slots, after.daily_available_time_slots]
  if (JSON.stringify(was) === JSON.stringify(is)) return null
  const [wasOpen, open] = [isOpen(was, now, zone), isOpen(is, now, zone)]
  return wasOpen && !open ? 'blocks' : open && !wasOpen ? 'gains' : 'loses'
}

function ofModels(before: ReadonlySet<string>, after: ReadonlySet<string>) {
  if (before.symmetricDifference(after).size === 0) return null
  if (after.size === 0) return 'blocks'
  return after.isSupersetOf(before) ? 'gains' : 'loses'
}

function ofCount(before: number, after: number, used: number) {
  if (before === after) return null
  const [was, is] = [before < 0 ? Infinity : before, after < 0 ? Infinity : after]
  if (is > was) return 'gains'
  return used >= is && used < was ? 'blocks' : 'loses'
}

export const isBlocked = ({ limits, values }: PersonEffect): boolean =>
  limits.some(({ blocks }) => blocks) || values.some(({ effect }) => effect === 'blocks')

/** Something else is less or otherwise. */
export const isChanged = ({ limits, values }: PersonEffect): boolean => limits.length > 0 || values.length > 0

export const isGained = ({ limits, values }: PersonEffect): boolean =>
  limits.some(({ before, after }) => (after ?? Infinity) > (before ?? Infinity)) ||
  values.some(({ effect }) => effect === 'gains')
