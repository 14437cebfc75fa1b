import type { Configuration } from '#contract/configuration/configuration.ts'
import type { PolicyChanges } from '#contract/planPeople.ts'
import { PlanLimit } from '#contract/plans.ts'
import { type Source, SOURCES } from '#contract/models.ts'
import type { Engine } from '#server/foundation/database/schema/definition.ts'
import type { OwnCommonValues, OwnLimit, StoredLimit } from '#server/foundation/database/schema/plans.ts'
import type { Transaction } from '#server/foundation/database/open.ts'
import { conflictsIn, invalid, Refusal, refuseConflicts } from '#server/foundation/refusal.ts'
import { balanceOf, UNBOUNDED } from '#server/usage/counts.ts'
import { changeEntry, ledgerStore } from '#server/usage/ledger.ts'
import { changeCounts } from './adjustments.ts'
import { effectiveCommon, type EffectiveSetting, readEffective } from './effectiveSetting.ts'
import { limitKey, olderForm, rateLimit, sentLimit, storedLimit, strictest } from './limitList.ts'
import { personLimits } from './personLimits.ts'
import { COMMON_FIELDS, plansOf } from './planTree.ts'
import { planStore } from './planStore.ts'
import { settingStore } from './store.ts'

type Context = { engine: Engine; configuration: Configuration; now: number }
type Settings = Record<Source, EffectiveSetting>
type LimitChange = NonNullable<PolicyChanges['limits']>[number]
type LimitIdentity = Parameters<typeof olderForm>[0] & { source: Source }

/** Locks what somebody has of their own, and reads what holds for them. */
export async function lockSettings(trx: Transaction, user_id: number, context: Context): Promise<Settings> {
  const { engine, configuration, now } = context
  const lock = async (source: Source) => {
    const row = await settingStore(trx).sourceForUpdate(user_id, source, engine)
    if (row === undefined) throw new Refusal('userNotExist')
    return readEffective(trx, configuration, row, now)
  }
  const openai_web = await lock('openai_web') // in the order in which everybody locks them
  return { openai_web, openai_api: await lock('openai_api') }
}

/** Makes values the person's own, or inherited again where they are null; what is not sent stays. */
export async function changeOwnPolicy(
  trx: Transaction,
  user_id: number,
  changes: PolicyChanges,
  context: Context,
): Promise<void> {
  const settings = await lockSettings(trx, user_id, context)
  const values = await planStore(trx).ofForUpdate(user_id, context.engine)
  const common = effectiveCommon(context.configuration, values)
  if (changes.expected) requireAsSeen(settings, common, changes)
  for (const source of SOURCES) {
    const sent = changes[source]
    if (sent !== undefined) await settingStore(trx).setColumns(user_id, source, columnsOf(sent))
  }
  let own_limits = await ratesListed(trx, settings, values?.own_limits ?? [], changes.limits ?? [])
  for (const change of changes.limits ?? [])
    own_limits = await changeLimit(trx, settings[change.source], own_limits, change, context.now)
  const kept = own_limits.filter(({ until }) => until === null || until > context.now)
  await planStore(trx).setOf(user_id, {
    own_limits: kept.length === 0 ? null : kept,
    own_values: ownValues(values?.own_values ?? {}, changes, context.now),
  })
}

function columnsOf({ valid_until, ...values }: NonNullable<PolicyChanges['openai_web']>) {
  if (valid_until === undefined) return values
  const own = valid_until !== null
  return {
    ...values,
    has_own_validity: own,
    valid_until: own && valid_until !== 'never' ? Date.parse(valid_until) : null,
  }
}

/** What is spared and set or inherited again by name is not spared any more. */
function ownValues(before: OwnCommonValues, changes: PolicyChanges, now: number): OwnCommonValues | null {
  const common = COMMON_FIELDS.flatMap(field => {
    const value = changes[field] === undefined ? before[field] : changes[field]
    return value === null || value === undefined ? [] : [[field, value] as const]
  })
  const spared = (before.spared ?? []).filter(
    ({ source, field, until }) => until > now && !Object.hasOwn(changes[source] ?? {}, field),
  )
  if (common.length === 0 && spared.length === 0) return null
  return { ...Object.fromEntries(common), ...(spared.length > 0 && { spared }) }
}

/** Changes one limit, and gives the list of the person's own as it is then. */
async function changeLimit(
  trx: Transaction,
  setting: EffectiveSetting,
  before: readonly OwnLimit[],
  { amount, until, ...identity }: LimitChange,
  now: number,
): Promise<OwnLimit[]> {
  const limit = requireLimit({ ...identity, amount: amount ?? 0 })
  const end = until === null || until === undefined ? null : Date.parse(until)
  const form = olderForm(limit)
  const others = before.filter(each => limitKey(each) !== limitKey(limit))
  if (amount !== null && end === null && (form === 'total' || form === 'model')) {
    await setCount(trx, setting, limit, now)
    return others
  }
  if (form === 'total' || form === 'model') await inheritCount(trx, setting, limit, now)
  return amount === null ? others : [...others, { ...limit, until: end }]
}

function requireLimit(limit: PlanLimit): StoredLimit {
  const parsed = PlanLimit.safeParse(limit)
  if (!parsed.success) throw invalid(['body', 'limits'], parsed.error.issues[0]?.message ?? 'invalid')
  return storedLimit(parsed.data)
}

/** Counts have columns of their own. What has been used stays used. */
function setCount(trx: Transaction, setting: EffectiveSetting, { amount: allow, models }: StoredLimit, now: number) {
  const change = { allow }
  const [model] = models ?? []
  return changeCounts(
    trx,
    setting,
    model === undefined ? { total: change, models: [] } : { models: [{ model, change }] },
    now,
  )
}

async function inheritCount(
  trx: Transaction,
  setting: EffectiveSetting,
  limit: StoredLimit,
  now: number,
): Promise<void> {
  const { user_id, source, listed } = setting
  const [model = null] = limit.models ?? []
  const before = model === null ? setting.total : (setting.models.get(model) ?? UNBOUNDED)
  if (model === null) await settingStore(trx).setColumns(user_id, source, { total_ask_allowed: null })
  else await settingStore(trx).removeAllowance({ user_id, source, model })
  const inherited = listed.find(each => limitKey(each) === limitKey(limit))
  const after = { allowed: inherited?.amount ?? UNBOUNDED.allowed, used: before.used }
  const change = balanceOf(after) - balanceOf(before)
  if (change !== 0)
    await ledgerStore(trx).write([
      changeEntry({ user_id, source, model }, { change, reason: 'adjusted', create_time: now }),
    ])
}

/**
 * The rates of one's own that are a column replace all others: once one of them is to change, each stands for itself as
 * a limit of the list.
 */
async function ratesListed(
  trx: Transaction,
  settings: Settings,
  before: readonly OwnLimit[],
  changes: readonly LimitChange[],
): Promise<readonly OwnLimit[]> {
  let list = before
  for (const source of SOURCES) {
    const { user_id, ownCounts } = settings[source]
    const isRate = (limit: LimitIdentity) => limit.source === source && olderForm(limit) === 'rate'
    if (ownCounts.rates === null || !changes.some(isRate)) continue
    await settingStore(trx).setColumns(user_id, source, { rate_limits: null })
    const rates = strictest(ownCounts.rates).map(rate => ({ ...rateLimit(source, rate), until: null }))
    list = [...list.filter(limit => !isRate(limit)), ...rates]
  }
  return list
}

/** Refuses what somebody else has changed since it was seen. */
function requireAsSeen(settings: Settings, common: ReturnType<typeof effectiveCommon>, changes: PolicyChanges): void {
  const { expected = {} } = changes
  const commonNow = Object.fromEntries(Object.entries(common).map(([field, { value }]) => [field, value]))
  const limitsNow = new Map(
    SOURCES.flatMap(source => personLimits(settings[source])).map(limit => [limitKey(limit), sentLimit(limit).amount]),
  )
  const seenLimits = Object.fromEntries((expected.limits ?? []).map(limit => [limitKey(limit), limit.amount]))
  refuseConflicts([
    ...SOURCES.flatMap(source => {
      const { valid_until, ...now } = settings[source]
      const stored = { ...now, valid_until: valid_until === null ? null : new Date(valid_until).toISOString() }
      return conflictsIn([source], stored, expected[source] ?? {}, { ...changes[source] })
    }),
    ...conflictsIn([], commonNow, expected.common ?? {}, changes),
    ...conflictsIn(
      ['limits'],
      Object.fromEntries(Object.keys(seenLimits).map(key => [key, limitsNow.get(key) ?? null])),
      seenLimits,
      {},
    ),
  ])
}

/** The plan of somebody, as their row says. */
export const planOf = (configuration: Configuration, plan_id: number | null | undefined) =>
  plansOf(configuration).wayUp(plan_id ?? null)[0]
