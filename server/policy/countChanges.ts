import type { Source } from '#contract/models.ts'
import type { Transaction } from '#server/foundation/database/open.ts'
import { type CountChange, balanceOf, changedCount, type CountState, UNBOUNDED } from '#server/usage/counts.ts'
import { changeEntry, type LedgerEntry, ledgerStore } from '#server/usage/ledger.ts'
import { IN_ALL, usageStore } from '#server/usage/store.ts'
import type { EffectiveSetting } from './effectiveSetting.ts'
import { settingStore } from './store.ts'

export type CountChanges = { total?: CountChange; models: { model: string; change: CountChange }[] }

/** Changes the counts of a source to values of the person's own, and writes the ledger. The caller holds the lock on the setting. */
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
