import type { BulkChange, BulkReason } from '#contract/bulk.ts'
import { MAX_COUNT, UNLIMITED } from '#contract/limits.ts'
import { type Source, SOURCES } from '#contract/models.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import { changeCounts, type CountChanges } from './countChanges.ts'
import { type CountChange, changedCount, type CountState, UNBOUNDED } from './counts.ts'
import { countStore, type ModelCountRow, settingStore, type SourceSettingRow } from './store.ts'

/** A change of the limits of many people at once. */
export type Adjustment = Extract<BulkChange, { sources: unknown }>

type Stored = { setting: SourceSettingRow; counts: readonly ModelCountRow[] }
type Columns = { valid_until?: number | null; max_conv_count?: number }

/** What is written of one source, or why nothing is. */
type Effect = { reason: BulkReason } | { columns: Columns; counts: CountChanges }

const DAY = 86_400_000 // milliseconds
/** The last moment that has a year of four digits. */
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')
const NO_COUNTS: CountChanges = { models: [] }

/** The effect of a change on one source; used for the preview and for the change itself. */
export function effectOn({ setting, counts }: Stored, change: Adjustment, now: number): Effect {
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
  const before = countIn({ setting, counts }, change)
  const after = changedCount(before, how)
  if ('add' in how && before.remaining === UNLIMITED) return { reason: 'unlimited' }
  if (after.allowed > MAX_COUNT) return { reason: 'tooMany' }
  if (after.allowed === before.allowed && after.remaining === before.remaining) return { reason: 'already' }
  if (change.count === 'conversations') return { columns: { max_conv_count: after.allowed }, counts: NO_COUNTS }
  if (change.count === 'total') return { columns: {}, counts: { total: how, models: [] } }
  return { columns: {}, counts: { models: [{ model: change.model ?? '', change: how }] } }
}

/** Conversations are not used up: as many are allowed as remain. */
function countIn({ setting, counts }: Stored, { count, model }: Extract<Adjustment, { count: unknown }>): CountState {
  if (count === 'conversations') return { remaining: setting.max_conv_count, allowed: setting.max_conv_count }
  if (count === 'total') return { remaining: setting.total_ask_count, allowed: setting.total_ask_allowed }
  const row = counts.find(each => each.model === model)
  return row === undefined ? UNBOUNDED : { remaining: row.ask_count, allowed: row.ask_allowed }
}

/** Why a person is not changed; null for one who is. What is too much for one source leaves the others unchanged, too. */
export function reasonOf(effects: readonly Effect[]): BulkReason | null {
  const reasons = effects.map(effect => ('reason' in effect ? effect.reason : null))
  if (reasons.includes('tooMany')) return 'tooMany'
  return reasons.includes(null) ? null : (reasons[0] ?? 'gone')
}

/** Changes the limits of one person, in all sources or in none. Gives the reason when nothing is changed. */
export function adjusting({ open, clock }: { open: OpenDatabase; clock: Clock }) {
  return async (trx: Transaction, user_id: number, change: Adjustment): Promise<BulkReason | null> => {
    const now = clock.now()
    const read: (Stored & { source: Source; effect: Effect })[] = []
    // In the order in which everybody locks them.
    for (const source of SOURCES.filter(each => change.sources.includes(each))) {
      const setting = await settingStore(trx).sourceForUpdate(user_id, source, open.engine)
      if (setting === undefined) return 'gone'
      const stored = { setting, counts: await countStore(trx).forUpdate(user_id, source, open.engine) }
      read.push({ ...stored, source, effect: effectOn(stored, change, now) })
    }
    const reason = reasonOf(read.map(({ effect }) => effect))
    if (reason !== null) return reason
    for (const { source, setting, counts, effect } of read) {
      if ('reason' in effect) continue
      await settingStore(trx).changeSource(user_id, source, effect.columns)
      await changeCounts(trx, { user_id, source, now }, { setting, counts }, effect.counts)
    }
    return null
  }
}
