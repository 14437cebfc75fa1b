import type { BulkChange, BulkReason } from '#contract/bulk.ts'
import { MAX_COUNT, UNLIMITED } from '#contract/limits.ts'
import { SOURCES, type Source } from '#contract/models.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import { type CountChange, changedCount, type CountState, UNBOUNDED, balanceOf } from '#server/usage/counts.ts'
import type { Configuration } from '#contract/configuration/configuration.ts'
import { changeEntry, type LedgerEntry, ledgerStore } from '#server/usage/ledger.ts'
import { IN_ALL, usageStore } from '#server/usage/store.ts'
import { auditLimits, ownLimits } from './auditing.ts'
import { type EffectiveSetting, readEffective } from './effectiveSetting.ts'
import { settingStore } from './store.ts'

/** A change of the limits of many people at once. */
export type Adjustment = Extract<BulkChange, { sources: unknown }>

type Columns = { valid_until?: number | null; max_conv_count?: number }

/** What is written of one source, or why nothing is. */
type Effect = { reason: BulkReason } | { columns: Columns; counts: CountChanges }

const DAY = 86_400_000 // milliseconds
/** The last moment that has a year of four digits. */
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')
const NO_COUNTS: CountChanges = { models: [] }

/** The effect of a change on one source; used for the preview and for the change itself. */
export function effectOn(setting: EffectiveSetting, change: Adjustment, now: number): Effect {
  if (change.action === 'extend') {
    if (setting.valid_until === null) return { reason: 'unlimited' }
    const valid_until = Math.max(setting.valid_until, now) + change.days * DAY
    return valid_until > LATEST ? { reason: 'tooMany' } : { columns: { valid_until }, counts: NO_COUNTS }
  }
  if (change.action === 'validUntil') {
    const valid_until = change.until === null ? null : Date.parse(change.until)
    return valid_until === setting.valid_until ? { reason: 'already' } : { columns: { valid_until }, counts: NO_COUNTS }
  }
  const how: CountChange = change.action === 'set' ? { set: change.value } : { add: change.value }
  const before = countIn(setting, change)
  const after = changedCount(before, how)
  if ('add' in how && before.allowed === UNLIMITED) return { reason: 'unlimited' }
  if (after.allowed > MAX_COUNT) return { reason: 'tooMany' }
  if (after.allowed === before.allowed && after.used === before.used) return { reason: 'already' }
  if (change.count === 'conversations') return { columns: { max_conv_count: after.allowed }, counts: NO_COUNTS }
  if (change.count === 'total') return { columns: {}, counts: { total: how, models: [] } }
  return { columns: {}, counts: { models: [{ model: change.model ?? '', change: how }] } }
}

/** Conversations are not used up: as many are allowed as remain. */
function countIn(setting: EffectiveSetting, { count, model }: Extract<Adjustment, { count: unknown }>): CountState {
  if (count === 'conversations') return { allowed: setting.max_conv_count, used: 0 }
  if (count === 'total') return setting.total
  return setting.models.get(model ?? '') ?? UNBOUNDED
}

/**
 * Why a person is not changed; null for one who is. What is too much for one source leaves the others unchanged, too.
 */
export function reasonOf(effects: readonly Effect[]): BulkReason | null {
  const reasons = effects.map(effect => ('reason' in effect ? effect.reason : null))
  if (reasons.includes('tooMany')) return 'tooMany'
  return reasons.includes(null) ? null : (reasons[0] ?? 'gone')
}

type Dependencies = { open: OpenDatabase; clock: Clock; configuration: { current(): Configuration } }

/** Changes the limits of one person, in all sources or in none. Gives the reason when nothing is changed. */
export function adjusting({ open, clock, configuration }: Dependencies) {
  return async (trx: Transaction, user_id: number, change: Adjustment): Promise<BulkReason | null> => {
    const now = clock.now()
    const read: { setting: EffectiveSetting; effect: Effect }[] = []
    // In the order in which everybody locks them.
    for (const source of SOURCES.filter(each => change.sources.includes(each))) {
      const row = await settingStore(trx).sourceForUpdate(user_id, source, open.engine)
      if (row === undefined) return 'gone'
      const setting = await readEffective(trx, configuration.current(), row, now)
      read.push({ setting, effect: effectOn(setting, change, now) })
    }
    const reason = reasonOf(read.map(({ effect }) => effect))
    if (reason !== null) return reason
    const before = await ownLimits(trx, user_id)
    for (const { setting, effect } of read) {
      if ('reason' in effect) continue
      await settingStore(trx).changeSource(user_id, setting.source, effect.columns)
      await changeCounts(trx, setting, effect.counts, now)
    }
    await auditLimits(trx, user_id, before)
    return null
  }
}

export type CountChanges = { total?: CountChange; models: { model: string; change: CountChange }[] }

/**
 * Changes the counts of a source to values of the person's own, and writes the ledger. The caller holds the lock on the
 * setting.
 */
export async function changeCounts(
  trx: Transaction,
  setting: EffectiveSetting,
  { total, models }: CountChanges,
  now: number,
): Promise<void> {
  const { user_id, source } = setting
  const changes = [
    ...(total === undefined ? [] : [{ model: null, before: setting.total, change: total }]),
    ...models.map(({ model, change }) => ({ model, before: setting.models.get(model), change })),
  ]
  const entries: LedgerEntry[] = []
  for (const { model, before, change } of changes) {
    const after = changedCount(before, change)
    // Clients send back every model: -1 for a model without a count changes nothing.
    if (!isChange(before ?? UNBOUNDED, after, before && change)) continue
    await persist(trx, { user_id, source, model }, after, change)
    entries.push(
      changeEntry(
        { user_id, source, model },
        {
          change: balanceOf(after) - balanceOf(before ?? UNBOUNDED),
          reason: 'set' in change ? 'set' : 'adjusted',
          create_time: now,
        },
      ),
    )
  }
  await ledgerStore(trx).write(entries)
}

type Counted = { user_id: number; source: Source; model: string | null }

/** What was used is only written when it begins anew: asks give back to it without the lock. */
async function persist(
  trx: Transaction,
  { user_id, source, model }: Counted,
  { allowed }: CountState,
  change: CountChange,
): Promise<void> {
  if (model === null) await settingStore(trx).changeSource(user_id, source, { total_ask_allowed: allowed })
  else await settingStore(trx).setAllowance({ user_id, source, model, ask_allowed: allowed })
  if ('set' in change) await usageStore(trx).reset({ user_id, source, model: model ?? IN_ALL })
}

/** A count that is set begins anew, even when the number is the same. */
const isChange = (before: CountState, after: CountState, change: CountChange | undefined): boolean =>
  (change !== undefined && 'set' in change) || before.allowed !== after.allowed || before.used !== after.used
