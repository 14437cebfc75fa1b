import { UNLIMITED } from '#contract/limits.ts'
import type { Source } from '#contract/models.ts'
import type { RequestedAsk, Reserved } from '#server/asks/ask.ts'
import { ledgerStore } from '#server/usage/ledger.ts'
import type { Transaction } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { factsOf, type SourceFacts } from './facts.ts'
import { type AskFacts, firstRefusal, opensAt, type Refused } from './rules.ts'
import { IN_ALL, usageStore } from '#server/usage/store.ts'

type Charge = { ask_id: string; user_id: number; source: Source; model: string; now: number }

/** Checks every limit, and says what an ask takes. Throws the refusal of the first rule that says no. */
export function checkLimits(read: SourceFacts, ask: RequestedAsk): Reserved {
  const facts = factsOf(read, ask)
  const refused = firstRefusal(facts)
  if (refused !== null) throw refusalOf(refused, facts)
  return {
    total: facts.setting.total_ask_count !== UNLIMITED,
    model: (facts.model_ask_count ?? UNLIMITED) !== UNLIMITED,
  }
}

/** Reserves one ask where asks are counted. Call it in the transaction that admits the ask, which holds the locks on what was checked. */
export async function reserve(
  trx: Transaction,
  { ask_id, user_id, source, model, now }: Charge,
  { total, model: of_model }: Reserved,
): Promise<void> {
  if (!total && !of_model) return
  const usage = usageStore(trx)
  const counted = { user_id, source, model }
  await Promise.all([
    total && usage.take({ user_id, source, model: IN_ALL }),
    of_model && usage.take(counted),
    ledgerStore(trx).write([
      { ...counted, ask_id, change: -1, of_total: total, of_model, reason: 'reserved', create_time: now },
    ]),
  ])
}

/** The refusal says when asking becomes possible, so that nobody has to try. */
function refusalOf({ key, values }: Refused, facts: AskFacts): Refusal {
  const opening = opensAt(facts)
  return new Refusal(key, { ...values, ...(opening !== null && { opens_at: new Date(opening).toISOString() }) })
}

/** Settles what was reserved, once, when the ask ends: an ask with any text is charged, one without is given back. */
export async function settle(trx: Transaction, charge: Charge, reserved: Reserved, charged: boolean): Promise<void> {
  if (charged || (!reserved.total && !reserved.model)) return
  const { ask_id, user_id, source, model, now } = charge
  const counted = { user_id, source, model, ask_id }
  const [usage, ledger] = [usageStore(trx), ledgerStore(trx)]
  // A count that an administrator has set meanwhile stays as it was set.
  const of_total =
    reserved.total &&
    !(await ledger.setSince(counted, 'of_total', null)) &&
    (await usage.giveBack({ user_id, source, model: IN_ALL }))
  const of_model =
    reserved.model &&
    !(await ledger.setSince(counted, 'of_model', model)) &&
    (await usage.giveBack({ user_id, source, model }))
  if (of_total || of_model)
    await ledger.write([{ ...counted, change: 1, of_total, of_model, reason: 'given back', create_time: now }])
}
