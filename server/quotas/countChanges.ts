import type { Source } from '#contract/models.ts'
import type { Transaction } from '#server/foundation/database/open.ts'
import { type CountChange, changedCount, type CountState, UNBOUNDED } from './counts.ts'
import { changeEntry, type LedgerEntry, ledgerStore } from './ledger.ts'
import { countStore, type ModelCountRow, settingStore, type SourceSettingRow } from './store.ts'

export type CountChanges = { total?: CountChange; models: { model: string; change: CountChange }[] }

type Owner = { user_id: number; source: Source; now: number }
type Stored = { setting: SourceSettingRow; counts: readonly ModelCountRow[] }

/** Changes the counts of a source, and writes the ledger. The caller holds the locks on `setting` and `counts`. */
export async function changeCounts(
  trx: Transaction,
  { user_id, source, now }: Owner,
  { setting, counts }: Stored,
  { total, models }: CountChanges,
): Promise<void> {
  const entries: LedgerEntry[] = []
  const enter = (model: string | null, before: CountState | undefined, after: CountState, change: CountChange) =>
    entries.push(
      changeEntry(
        { user_id, source, model },
        {
          before: before?.remaining,
          after: after.remaining,
          reason: 'set' in change ? 'set' : 'adjusted',
          create_time: now,
        },
      ),
    )
  if (total !== undefined) {
    const before = { remaining: setting.total_ask_count, allowed: setting.total_ask_allowed }
    const after = changedCount(before, total)
    if (isChange(before, after, total)) {
      await settingStore(trx).changeSource(user_id, source, {
        total_ask_count: after.remaining,
        total_ask_allowed: after.allowed,
      })
      enter(null, before, after, total)
    }
  }
  for (const { model, change } of models) {
    const row = counts.find(count => count.model === model)
    const before = row && { remaining: row.ask_count, allowed: row.ask_allowed }
    const after = changedCount(before, change)
    // Clients send back every model: -1 for a model without a count changes nothing.
    if (!isChange(before ?? UNBOUNDED, after, before && change)) continue
    await countStore(trx).setOfModel({
      user_id,
      source,
      model,
      ask_count: after.remaining,
      ask_allowed: after.allowed,
    })
    enter(model, before, after, change)
  }
  await ledgerStore(trx).write(entries)
}

/** A count that is set begins anew, even when the number is the same. */
const isChange = (before: CountState, after: CountState, change: CountChange | undefined): boolean =>
  (change !== undefined && 'set' in change) || before.remaining !== after.remaining || before.allowed !== after.allowed
