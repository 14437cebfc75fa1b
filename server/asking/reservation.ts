import { CHARGED_WHOLE, paidOf } from '#contract/quietAsks.ts'
import type { RequestedAsk, ReservedUse } from '#server/asks/ask.ts'
import { messagePath } from '#server/conversations/messageStore.ts'
import { toMessage } from '#server/conversations/history.ts'
import { picturesOf } from '#server/files/attached.ts'
import type { Transaction } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { Instructions } from '#server/instructions/instructions.ts'
import { type LimitUse, readLimitUse, windowKey } from '#server/limits/limitUse.ts'
import { type Need, THOUSANDTHS } from '#server/limits/shares/pool.ts'
import type { UseBound } from '#server/limits/shares/poolAnswer.ts'
import type { EffectiveSetting } from '#server/policy/effectiveSetting.ts'
import type { PolicyLimit } from '#server/policy/limitList.ts'
import { creditsAsMoney } from '#server/policy/store.ts'
import type { ProviderUpstream } from '#server/providers/provider.ts'
import type { OwnEndpoint } from '#server/upstreams/endpoints.ts'
import { affordableOutput, costOf, isFull, type Price } from '#server/upstreams/prices/price.ts'
import type { Prices } from '#server/upstreams/prices/prices.ts'
import type { Upstream } from '#server/upstreams/upstream.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'
import { keyIdOf } from '#server/users/user.ts'
import { askedModel, type ModelFacts } from './askedModel.ts'
import { tokensOf } from './fitting.ts'
import { chargedOf } from '#server/asks/charged.ts'
import type { AskContext, Target } from './target.ts'
import { fittedThread, instructionMessage, rowsFor } from './thread.ts'

/** An answer that may be no longer is not worth its question. */
const MIN_OUTPUT = 16
/** Tokens of an answer where nothing else says how long it may become. */
const MAX_OUTPUT = 32_768

type Dependencies = {
  upstreams: ModelFacts & Pick<Upstreams, 'endpoint'>
  prices: Pick<Prices, 'of'>
  instructions: Pick<Instructions, 'forAsk'>
}

type Reservable = {
  target: Target
  setting: EffectiveSetting
  /** Null where none answers: then there is nothing to be counted. */
  upstream: Upstream | null
  own: OwnEndpoint | null
  /** What the account has for the person. */
  bound: UseBound
}

/** What listed limits have left for an ask, and what is reserved for it where they let it pass. */
export type AskUse = { limit_use: readonly LimitUse[]; has_price: boolean; reserve(): ReservedUse | undefined }

export const UNLIMITED_USE: AskUse = { limit_use: [], has_price: true, reserve: () => undefined }

/**
 * The upper bound of what an ask may use: what is sent, counted, and the answer as far as it may go, at most what is
 * left. Nothing is read or counted for people without such limits. Under the lock of the person.
 */
export async function readAskUse(
  trx: Transaction,
  dependencies: Pick<Dependencies, 'prices'>,
  asked: AskContext,
  count: CountInput,
  { setting, upstream, own, bound }: Reservable,
): Promise<AskUse> {
  const { ask, source, configuration, now } = asked
  // Whoever asks at an address of their own costs the portal nothing.
  const isInForce = (limit: PolicyLimit) => holds(limit, ask.model) && (own === null || limit.unit !== 'money')
  const limits = setting.limits.filter(isInForce)
  const ofKey = keyLimits(ask).filter(isInForce)
  if (limits.length === 0 && ofKey.length === 0 && !isBounded(bound)) return UNLIMITED_USE
  const user_id = ask.caller.user_id
  const charged = chargedOf(ask)
  const has = (unit: PolicyLimit['unit']) => [...limits, ...ofKey].some(limit => limit.unit === unit)
  const counts = upstream !== null && (has('tokens') || has('money') || isBounded(bound))
  const counted = counts ? await count(upstream) : NOTHING_COUNTED
  const price = upstream === null || own !== null ? null : dependencies.prices.of(upstream.id, ask.model, now)
  const credits = has('money') && configuration.money.credits_as_money ? await creditsAsMoney(trx, user_id) : 0
  const least = costWith(price, counted.input_tokens, MIN_OUTPUT)
  const query = { user_id, source: source.code, now, time_zone: configuration.portal.time_zone }
  const needed = {
    asks: charged / CHARGED_WHOLE,
    tokens: counts ? paidOf(counted.input_tokens + MIN_OUTPUT, charged) : 0,
    money: paidOf(least, charged),
  }
  // Credits pay for the person, and never for more than a key may.
  const ofPerson = { ...needed, money: Math.max(0, needed.money - credits) }
  const limit_use = [
    ...(await readLimitUse(trx, { ...query, limits, needed: ofPerson })),
    ...(ofKey.length === 0
      ? []
      : await readLimitUse(trx, { ...query, limits: ofKey, key_id: keyIdOf(ask.caller), needed })),
  ]
  const reserve = () => reserved({ limit_use, counted, price, credits, bound, upstream_id: upstream?.id ?? 0, charged })
  return { limit_use, has_price: upstream === null || isFull(price), reserve }
}

/** Those that the key brings along, beside those of its owner. */
const keyLimits = ({ caller, source }: RequestedAsk): PolicyLimit[] =>
  (caller.bounds?.limits ?? []).filter(limit => limit.source === source)

const holds = ({ models }: PolicyLimit, model: string): boolean => models === null || models.includes(model)

const costWith = (price: Price | null, input_tokens: number, output_tokens: number): number =>
  isFull(price) ? costOf(price, { input_tokens, cached_tokens: 0, output_tokens, pictures: 0 }) : 0

/** Millionths of the shortest question with the shortest answer; null where nobody knows a price. */
export const leastCost = (price: Price | null): number | null => (isFull(price) ? costWith(price, 1, MIN_OUTPUT) : null)

type Reserving = {
  limit_use: readonly LimitUse[]
  counted: CountedInput
  price: Price | null
  credits: number
  bound: UseBound
  upstream_id: number
  /** Thousandths of it that are paid: what is left reaches for so much more. */
  charged: number
}

function reserved({ limit_use, counted, price, credits, bound, upstream_id, charged }: Reserving): ReservedUse {
  const reachOf = (left: number): number => (charged === 0 ? Infinity : (left * CHARGED_WHOLE) / charged)
  const leftOf = (uses: readonly LimitUse[], unit: PolicyLimit['unit']): number =>
    Math.min(Infinity, ...uses.filter(({ limit, left }) => limit.unit === unit && left >= 0).map(({ left }) => left))
  const [ofPerson, ofKey] = [true, false].map(each => limit_use.filter(({ key_id }) => (key_id === null) === each))
  const { input_tokens, max_output } = counted
  const money = leftOf(ofPerson ?? [], 'money')
  const spendable = reachOf(Math.min(money + credits, leftOf(ofKey ?? [], 'money')))
  const payable = isFull(price)
    ? affordableOutput(price, input_tokens, Math.min(spendable, bound.money ?? Infinity))
    : Infinity
  const tokens = Math.min(reachOf(leftOf(limit_use, 'tokens')), bound.tokens ?? Infinity)
  const output = Math.max(0, Math.min(max_output, tokens - input_tokens, payable))
  const cost = costWith(price, input_tokens, output)
  return {
    tokens: input_tokens + output,
    input_tokens,
    cost,
    credit_cost: Math.max(0, paidOf(cost, charged) - money),
    price,
    upstream_id,
    isBounded: limit_use.some(({ limit }) => limit.unit !== 'asks') || isBounded(bound),
    isPaid: limit_use.some(({ limit }) => limit.unit === 'money') || bound.money !== null,
    windows: limit_use
      .filter(({ limit, window }) => limit.window.kind === 'from_first' && window.starts === null)
      .map(({ limit, key_id }) => windowKey(limit, key_id)),
  }
}

const isBounded = ({ tokens, money }: UseBound): boolean => tokens !== null || money !== null

type CountedInput = { input_tokens: number; max_output: number }

const NOTHING_COUNTED: CountedInput = { input_tokens: 0, max_output: 0 }

/** Counts what would be sent to an upstream, once for each. */
export type CountInput = (upstream: Upstream) => Promise<CountedInput>

export function inputCounts(
  trx: Transaction,
  dependencies: Dependencies,
  asked: AskContext,
  given: Pick<Reservable, 'target' | 'own'>,
): CountInput {
  const counted = new Map<number, Promise<CountedInput>>()
  return upstream => {
    const count = counted.get(upstream.id) ?? countInput(trx, dependencies, asked, { ...given, upstream })
    counted.set(upstream.id, count)
    return count
  }
}

/** What an ask uses at least, as pools count; and whether anybody knows what it costs. */
export async function leastNeed(
  upstream: Upstream,
  { ask, now }: AskContext,
  { prices, count }: { prices: Pick<Prices, 'of'>; count: CountInput },
): Promise<{ need: Need; isPriced: boolean }> {
  const { input_tokens } = await count(upstream)
  const price = prices.of(upstream.id, ask.model, now)
  const money = costWith(price, input_tokens, MIN_OUTPUT)
  return { need: { asks: THOUSANDTHS, tokens: input_tokens + MIN_OUTPUT, money }, isPriced: isFull(price) }
}

/** Counts what will be sent, as it is read for the upstream later. */
async function countInput(
  trx: Transaction,
  { upstreams, instructions }: Dependencies,
  { ask, source, configuration, now }: AskContext,
  { target, upstream, own }: Pick<Reservable, 'target' | 'own'> & { upstream: Upstream },
): Promise<CountedInput> {
  const endpoint = upstreams.endpoint(upstream, ask.model, own)
  const { relay } = ask
  if (relay !== null) {
    const { input_tokens, max_output } = relay
    return { input_tokens, max_output: longestAnswer(endpoint, max_output ?? undefined, null, input_tokens) }
  }
  const asked = { source: source.code, model: ask.model, own, upstream_id: upstream.id, endpoint }
  const model = askedModel(upstreams, configuration, asked)
  const question = target.question === null ? [] : [target.question]
  const isNew = target.conversation_id === null || ask.conversation?.id === null
  const layers = source.keepsConversations
    ? []
    : await instructions.forAsk(ask.caller, isNew ? null : target.conversation_id, trx)
  const own_text = isNew ? (ask.conversation?.instructions?.text ?? '') : ''
  const texts = own_text === '' ? layers : [...layers, { by: 'conversation' as const, text: own_text }]
  const before = texts.length === 0 ? [] : [instructionMessage(source.code, texts, now)]
  const count = ask.conversation?.context_message_count ?? configuration.asking.default_context_message_count
  const last_id = target.question === null ? target.parent : target.question.parent
  const readsThread = !isNew && !source.keepsConversations && last_id !== null && target.conversation_id !== null
  const rows = readsThread ? await messagePath(trx, target.conversation_id ?? '', last_id, rowsFor(count)) : []
  const path = [...ask.earlier, ...rows.map(row => toMessage(row, source.code)), ...question]
  const wanted = { count, model, before, max_bytes: configuration.files.max_ask_bytes }
  const pictures = (ids: readonly string[]) => picturesOf(trx)(ask.caller.user_id, ids)
  const { messages } = await fittedThread(path, { ...wanted, picturesOf: pictures })
  const input_tokens = tokensOf(messages, model.name)
  return {
    input_tokens,
    max_output: longestAnswer(endpoint, ask.parameters.max_tokens, model.context_length, input_tokens),
  }
}

/** What an answer may have at most by all that is known: what was asked for, the model's fields, its context. */
function longestAnswer(
  { request_fields }: ProviderUpstream,
  asked: number | undefined,
  context_length: number | null,
  input_tokens: number,
): number {
  const set = ['max_tokens', 'max_completion_tokens'].map(name => request_fields?.[name])
  const room = context_length === null ? Infinity : Math.max(MIN_OUTPUT, context_length - input_tokens)
  const known = [asked, ...set].filter(each => typeof each === 'number' && each > 0) as number[] // of the filter
  return Math.floor(Math.min(known[0] ?? MAX_OUTPUT, room))
}

/** How long the answer to what is sent may be, by what was reserved; null where nothing limits it. */
export function outputLimit(
  use: ReservedUse | undefined,
  input_tokens: number,
  priceNow: { upstream_id: number; price: Price | null },
): number | null {
  if (use === undefined || !use.isBounded) return null
  const price = priceNow.upstream_id === use.upstream_id ? use.price : priceNow.price
  if (use.isPaid && !isFull(price)) throw new Refusal('modelHasNoPrice', {})
  const ofTokens = use.tokens - input_tokens
  const ofMoney = use.isPaid && isFull(price) ? affordableOutput(price, input_tokens, use.cost) : Infinity
  // What is sent may be longer than it was when it was counted: elsewhere more of it has room.
  if (ofMoney < 1) throw new Refusal('budgetReached', {})
  if (ofTokens < 1) throw new Refusal('tokensReached', {})
  return Math.min(ofTokens, ofMoney)
}
