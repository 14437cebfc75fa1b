import { isThoughts, type Message, textOf } from '#contract/messages.ts'
import type { Source } from '#contract/models.ts'
import { paidOf } from '#contract/quietAsks.ts'
import type { Reserved, ReservedUse } from '#server/asks/ask.ts'
import type { Tokens } from '#server/asks/logStore.ts'
import type { AskRow } from '#server/asks/store.ts'
import type { Transaction } from '#server/foundation/database/open.ts'
import { giftStore } from '#server/usage/giftStore.ts'
import { giveCredits } from '#server/policy/store.ts'
import { costOf, isFull, type Price } from '#server/upstreams/prices/price.ts'
import {
  hasUsedSince,
  type LineShare,
  usageLedgerStore,
  type UsageLine,
  windowStore,
} from '#server/usage/usageLedger.ts'
import { keyOfWindow } from './limitUse.ts'
import { THOUSANDTHS } from './shares/pool.ts'
import { closePoolWindows } from './shares/poolStore.ts'

/** What an answered ask used, and what it costs: null where its model had no price. */
export type SettledUse = { tokens: Tokens; pictures: number; cost: number | null }

/** What a model cost when it was asked. */
export type PriceAt = (upstream_id: number, model: string, time: number) => Price | null

/** By the price of the moment at which it was asked, whatever that became since. */
export function settledUse(ask: AskRow, messages: readonly Message[], tokens: Tokens, priceAt: PriceAt): SettledUse {
  const { upstream_id, model, create_time } = ask
  const use = reservedUse(ask)
  const pictures = messages.reduce((sum, message) => sum + picturesOf(message), 0)
  // Nobody knows what was sent by a process that is gone: what was counted before is the nearest.
  const known = { ...tokens, prompt_tokens: tokens.prompt_tokens ?? use?.input_tokens ?? null }
  const price =
    use?.price != null && use.upstream_id === upstream_id ? use.price : priceAt(upstream_id, model, create_time)
  return { tokens: known, pictures, cost: isFull(price) ? costOf(price, { ...amountsOf(known), pictures }) : null }
}

/** Pictures that came with an answer are files here. */
const picturesOf = (message: Message): number =>
  message.role === 'assistant' && !isThoughts(message) ? [...textOf(message).matchAll(KEPT_PICTURE)].length : 0
const KEPT_PICTURE = /!\[[^\]\n]{0,1000}\]\(\/api\/files\//g

const amountsOf = ({ prompt_tokens, completion_tokens, cached_tokens }: Tokens) => ({
  input_tokens: prompt_tokens ?? 0,
  cached_tokens: Math.min(cached_tokens ?? 0, prompt_tokens ?? 0),
  output_tokens: completion_tokens ?? 0,
})

export const reservedUse = ({ reserved }: Pick<AskRow, 'reserved'>): ReservedUse | null =>
  (reserved as Reserved).use ?? null // as admission wrote it

/** Writes what an answered ask used in place of what was reserved for it. */
export async function settleUse(trx: Transaction, ask: AskRow, settled: SettledUse, now: number): Promise<void> {
  const { user_id, upstream_id, model, ask_id, create_time, start_time } = ask
  const use = reservedUse(ask)
  const cost = settled.cost ?? 0
  const amounts = amountsOf(settled.tokens)
  // What a limit pays for is used of it first.
  const paid = paidOf(cost, ask.charged)
  const ofLimit = use === null ? 0 : paidOf(use.cost, ask.charged) - use.credit_cost
  const credit_cost = use === null ? 0 : Math.min(use.credit_cost, Math.max(0, paid - ofLimit))
  const line: UsageLine = {
    time: now,
    asked_time: create_time,
    user_id,
    source: ask.source,
    upstream_id,
    model,
    ask_id,
    key_id: ask.key_id,
    tool: ask.tool,
    reason: 'settled',
    asks: 1,
    tokens: amounts.input_tokens + amounts.output_tokens,
    cost,
    credit_cost,
    ...amounts,
    estimated: settled.tokens.tokens_estimated,
    ...shareOfLine(ask, { tokens: amounts.input_tokens + amounts.output_tokens, cost }),
  }
  const { gifts } = (ask.reserved as Reserved).share ?? {} // as admission wrote it
  if (gifts !== undefined) {
    const amounts = { asks: THOUSANDTHS, tokens: line.tokens, money: cost }
    const charged = Math.ceil((amounts[gifts.unit] * ask.charged) / THOUSANDTHS)
    await giftStore(trx).giveBack(ask_id, Math.max(0, gifts.reserved - charged))
  }
  await Promise.all([
    giveBackCredits(trx, user_id, (use?.credit_cost ?? 0) - credit_cost),
    usageLedgerStore(trx).settle(line, Math.max(0, now - (start_time ?? now))),
  ])
}

/** Of whose share it was is decided when it is asked; how much of that it was, when it is answered. */
function shareOfLine(
  { reserved, charged }: AskRow,
  { tokens, cost }: { tokens: number; cost: number },
): Partial<LineShare> {
  const { share } = reserved as Reserved // as admission wrote it
  if (share === undefined) return { charged }
  const { borrowed_key, borrowed_unit, lender_id } = share
  const amounts = { asks: THOUSANDTHS, tokens, money: cost }
  return { charged, borrowed_key, lender_id, borrowed: borrowed_unit === null ? 0 : amounts[borrowed_unit] }
}

/** An ask without an answer gives everything back, and has opened no window. */
export async function giveBackUse(trx: Transaction, ask: AskRow): Promise<void> {
  const { share } = ask.reserved as Reserved // as admission wrote it
  if (share !== undefined) await closePoolWindows(trx, share, ask)
  if (share?.gifts !== undefined) await giftStore(trx).giveBack(ask.ask_id, Infinity)
  const use = reservedUse(ask)
  if (use === null) return
  const { user_id, create_time } = ask
  await giveBackCredits(trx, user_id, use.credit_cost)
  const source = ask.source as Source // only admission writes it
  for (const key_id of new Set(use.windows.map(keyOfWindow))) {
    if (await hasUsedSince(trx, { user_id, source, since: create_time, key_id })) continue
    for (const limit_key of use.windows.filter(name => keyOfWindow(name) === key_id))
      await windowStore(trx).close({ user_id, limit_key, opened_at: create_time })
  }
}

const giveBackCredits = async (trx: Transaction, user_id: number, millionths: number): Promise<void> => {
  if (millionths > 0) await giveCredits(trx, user_id, millionths)
}
