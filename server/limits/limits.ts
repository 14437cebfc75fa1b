import { UNLIMITED } from '#contract/limits.ts'
import { CHARGED_WHOLE } from '#contract/quietAsks.ts'
import { type ModelCapabilities, type Source, UNKNOWN_CAPABILITIES } from '#contract/models.ts'
import type { AskedConversation, RequestedAsk, Reserved, ReservedUse } from '#server/asks/ask.ts'
import { type Charged, chargedOf } from '#server/asks/charged.ts'
import { ledgerStore } from '#server/usage/ledger.ts'
import { windowStore } from '#server/usage/usageLedger.ts'
import { giveCredits } from '#server/policy/store.ts'
import type { LimitUse } from './limitUse.ts'
import type { Transaction, Database, OpenDatabase } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { IN_ALL, usageStore } from '#server/usage/store.ts'
import type { Configuration } from '#contract/configuration/configuration.ts'
import { effectiveSetting, remainingOfModel } from '#server/policy/effectiveSetting.ts'
import type { SourceSettingRow } from '#server/policy/plans.ts'
import { inheritsRateLimits } from '#server/policy/planTree.ts'
import { isEnabled } from '#server/configuration/models.ts'
import type { SourceTraits } from '#server/sources/source.ts'
import { askLogStore, NO_TOKENS } from '#server/asks/logStore.ts'
import { keyIdOf } from '#server/users/user.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { Log } from '#server/foundation/logging.ts'
import { raisedBy } from './grants.ts'
import { type AskFacts, firstRefusal, opensAt, type Refused, LIMIT_REFUSALS } from './rules.ts'
import type { DeniedShare } from './shareRules.ts'
import { limitStore, type CurrentCounts } from './store.ts'

/** `charged`: thousandths of the ask that its person pays. */
type Charge = { ask_id: string; user_id: number; source: Source; model: string; charged: number; now: number }

/**
 * Checks every limit, and says what an ask takes. Throws the refusal of the first rule that says no, after `onRefused`
 * has heard of it.
 */
export function checkLimits(
  read: SourceFacts,
  ask: RequestedAsk,
  bound: () => ReservedUse | undefined,
  onRefused: (refused: Refused) => void,
): Reserved {
  const facts = factsOf(read, ask)
  const refused = firstRefusal(facts)
  if (refused !== null) {
    onRefused(refused)
    throw refusalOf(refused, facts)
  }
  const reserved = bound()
  return {
    ...(reserved !== undefined && { use: reserved }),
    total: facts.setting.total_ask_count !== UNLIMITED,
    model: (facts.model_ask_count ?? UNLIMITED) !== UNLIMITED,
  }
}

/**
 * The same of an ask that waits until it is quiet: only what does not end before then refuses it, and nothing is taken
 * yet. All is checked again when it begins.
 */
export function checkLimitsUntil(read: SourceFacts, ask: RequestedAsk): Reserved {
  const facts = { ...factsOf(read, ask), running: 0, waiting: 0 }
  const refused = firstRefusal(facts)
  const opening = refused === null ? facts.now : opensAt(facts)
  if (refused !== null && (opening === null || opening > (ask.quiet_until ?? 0))) throw refusalOf(refused, facts)
  return { total: false, model: false }
}

/**
 * Reserves one ask where asks are counted. Call it in the transaction that admits the ask, which holds the locks on
 * what was checked.
 */
export async function reserve(
  trx: Transaction,
  { ask_id, user_id, source, model, charged, now }: Charge,
  { total, model: of_model, use }: Reserved,
): Promise<void> {
  const counted = { user_id, source, model }
  const asks = charged / CHARGED_WHOLE
  const usage = usageStore(trx)
  // All at once: what is sent with a commit must have begun before it.
  await Promise.all([
    ...(use?.windows ?? []).map(limit_key => windowStore(trx).open({ user_id, limit_key, opened_at: now })),
    use !== undefined && use.credit_cost > 0 && giveCredits(trx, user_id, -use.credit_cost),
    total && usage.take({ user_id, source, model: IN_ALL }, asks),
    of_model && usage.take(counted, asks),
    (total || of_model) &&
      ledgerStore(trx).write([
        { ...counted, ask_id, change: -asks, of_total: total, of_model, reason: 'reserved', create_time: now },
      ]),
  ])
}

/** The refusal says when asking becomes possible, so that nobody has to try. */
function refusalOf({ key, values }: Refused, facts: AskFacts): Refusal {
  const opening = opensAt(facts)
  return new Refusal(key, { ...values, ...(opening !== null && { opens_at: new Date(opening).toISOString() }) })
}

/** Settles what was reserved, once, when the ask ends: an ask with any text is charged, one without is given back. */
export async function settle(trx: Transaction, charge: Charge, reserved: Reserved, isCharged: boolean): Promise<void> {
  if (isCharged || (!reserved.total && !reserved.model)) return
  const { ask_id, user_id, source, model, charged, now } = charge
  const asks = charged / CHARGED_WHOLE
  const counted = { user_id, source, model, ask_id }
  const [usage, ledger] = [usageStore(trx), ledgerStore(trx)]
  // A count that an administrator has set meanwhile stays as it was set.
  const of_total =
    reserved.total &&
    !(await ledger.setSince(counted, 'of_total', null)) &&
    (await usage.giveBack({ user_id, source, model: IN_ALL }, asks))
  const of_model =
    reserved.model &&
    !(await ledger.setSince(counted, 'of_model', model)) &&
    (await usage.giveBack({ user_id, source, model }, asks))
  if (of_total || of_model)
    await ledger.write([{ ...counted, change: asks, of_total, of_model, reason: 'given back', create_time: now }])
}

type FactsQuery = { user_id: number; source: SourceTraits; now: number; configuration: Configuration }

export type SourceFacts = Awaited<ReturnType<typeof readSourceFacts>> & {
  /** Listed limits, as far as they are used, and whether they leave what a model needs; those of others among them. */
  limitUse(model: string): readonly LimitUse[]
  /** Whether anybody knows what a model costs. */
  hasPrice(model: string): boolean
  /** Why no account has anything for an ask of a model; null where one has. */
  share(model: string): DeniedShare | null
  /** How many wait in the queue. */
  waiting: number
  capabilities(model: string): ModelCapabilities
}

/**
 * Milliseconds. Asks of this window are read together with the other facts; a longer rate window needs a second query.
 */
const USUAL_WINDOW = 10_800_000

/** Facts that the caller reads: admission reads them under its locks, together with others. */
type ReadFacts = { row: Promise<SourceSettingRow | undefined>; counts: Promise<CurrentCounts> }

/** Reads everything that the rules need of one person and source, once for all models. */
export async function readSourceFacts(
  database: Database,
  { user_id, source: traits, now, configuration }: FactsQuery,
  known: ReadFacts,
) {
  const source = traits.code
  const store = limitStore(database)
  const [row, { allowances, used, asks, grants }, { running, valid_conversations }] = await Promise.all([
    known.row,
    // After the lock that the caller may have asked for: what was used is what is stored when it is held.
    store.countsAndAsks({
      user_id,
      source,
      now,
      since: now - USUAL_WINDOW,
      inherited: inheritsRateLimits(configuration, source),
    }),
    known.counts,
  ])
  if (row === undefined) throw new Refusal('userNotAllowToUseChatType')
  const setting = raisedBy(effectiveSetting({ row, allowances, used }, configuration, now), grants)
  const longest = Math.max(0, ...setting.rate_limits.map(limit => limit.window_seconds * 1000))
  const recent_asks =
    longest > USUAL_WINDOW
      ? await store.asksSince({
          user_id,
          source,
          now,
          since: now - longest,
          inherited: inheritsRateLimits(configuration, source),
        })
      : asks.filter(time => time > now - longest)
  return { now, configuration, source: traits, setting, valid_conversations, recent_asks, running }
}

/** What of an ask the rules are about. */
type AskedOf = Pick<RequestedAsk, 'model' | 'attachments'> &
  Charged & {
    conversation: Pick<AskedConversation, 'id'> | null
    /** Left out: that of the page. */
    caller?: Pick<RequestedAsk['caller'], 'bounds'>
  }

/** The facts of one ask. */
export function factsOf(read: SourceFacts, ask: AskedOf): AskFacts {
  const { configuration, source, now, setting, valid_conversations, recent_asks, running, waiting } = read
  const limit_use = read
    .limitUse(ask.model)
    .filter(({ limit: { models } }) => models === null || models.includes(ask.model))
  const { takes_files, takes_pictures } =
    ask.attachments.length > 0 ? read.capabilities(ask.model) : UNKNOWN_CAPABILITIES
  return {
    model: ask.model,
    limit_use,
    has_price: limit_use.length === 0 || read.hasPrice(ask.model),
    share: read.share(ask.model),
    currency: configuration.money.currency,
    new_conversation: ask.conversation?.id === null,
    key_models: ask.caller?.bounds?.models ?? null,
    charged: chargedOf(ask),
    attachments: ask.attachments.filter(({ as }) => as === 'file').length,
    images: ask.attachments.filter(({ as }) => as === 'picture').length,
    takes_files,
    takes_pictures,
    files_here: source.filesAre === 'here',
    now,
    setting,
    valid_conversations,
    recent_asks,
    running: ask.relay?.is_beside === true ? 0 : running,
    waiting,
    time_zone: configuration.portal.time_zone,
    plan: source.plan(configuration),
    source_enabled: configuration[source.code].enabled,
    model_enabled: isEnabled(configuration, source.code, ask.model),
    uploading_disabled: setting.disable_uploading || !source.takesUploads(configuration),
    model_ask_count: remainingOfModel(setting, ask.model),
    max_running: configuration.asking.max_running_asks_per_user,
    max_waiting: configuration.asking.max_queue_length,
  }
}

const MINUTE = 60_000
/** Most that are logged of a person in a minute, in each process: a program that asks again and again fills no disk. */
const MAX_OF_A_PERSON = 20

/** Logs asks that a limit refused: nothing else is stored of them. */
export function openRefusedAsks({ open, clock, log }: { open: OpenDatabase; clock: Clock; log: Log }) {
  /** Of people who were refused lately: since when, and how often. */
  const refused = new Map<number, { since: number; count: number }>()

  function mayLog(user_id: number): boolean {
    const now = clock.monotonic()
    const known = refused.get(user_id)
    const { since, count } = known !== undefined && now - known.since < MINUTE ? known : { since: now, count: 0 }
    refused.set(user_id, { since, count: count + 1 })
    return count < MAX_OF_A_PERSON
  }

  /** Resolves when it is logged, or could not be. */
  return async (
    { caller, tool, source, model }: Pick<RequestedAsk, 'caller' | 'tool' | 'source' | 'model'>,
    refusal: unknown,
  ): Promise<void> => {
    const { user_id } = caller
    if (!(refusal instanceof Refusal) || !LIMIT_REFUSALS.has(refusal.key) || !mayLog(user_id)) return
    const row = {
      log_time: clock.now(),
      source,
      model,
      user_id,
      conversation_id: null,
      queueing_time: 0,
      ask_time: 0,
      upstream_id: null,
      outcome: 'refused',
      failure_key: refusal.key,
      answered: false,
      charged: CHARGED_WHOLE,
      ...NO_TOKENS,
      cost: null,
      key_id: keyIdOf(caller),
      tool,
    } as const
    await open
      .transaction(trx => askLogStore(trx).write(row), { lowPriority: true })
      .catch((error: unknown) => log.warn({ err: error }, 'a refused ask could not be logged'))
  }
}
