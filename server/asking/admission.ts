import type { Configuration } from '#contract/configuration/configuration.ts'
import { type Source, SOURCES } from '#contract/models.ts'
import type { AdmittedAsk, RequestedAsk } from '#server/asks/ask.ts'
import { MAX_USERS } from '#server/asks/queueStore.ts'
import { askStore } from '#server/asks/store.ts'
import { conversationStore } from '#server/conversations/store.ts'
import { requireAttachments } from '#server/files/attached.ts'
import { markFilesUsed, requireOwnFiles } from '#server/files/files.ts'
import type { KeptAttachment, Message } from '#contract/messages.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase, SendWithCommit, Transaction } from '#server/foundation/database/open.ts'
import { newId } from '#server/foundation/ids.ts'
import type { LeaseClock } from '#server/foundation/database/lease.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { readSourceFacts, checkLimits, checkLimitsUntil, reserve } from '#server/limits/limits.ts'
import type { Pools } from '#server/limits/shares/pools.ts'
import { boundOf, deniedBy, isClaim, type PoolAnswer } from '#server/limits/shares/poolAnswer.ts'
import type { EffectiveSetting } from '#server/policy/effectiveSetting.ts'
import { readPlans } from '#server/policy/planStore.ts'
import { inheritsBoundedConversations, plansOf, withPlans } from '#server/policy/planTree.ts'
import { settingStore } from '#server/policy/store.ts'
import type { Sources } from '#server/sources/source.ts'
import type { OwnEndpoint } from '#server/upstreams/endpoints.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'
import { userStore } from '#server/users/store.ts'
import { keyIdOf } from '#server/users/user.ts'
import type { Prices } from '#server/upstreams/prices/prices.ts'
import type { Instructions } from '#server/instructions/instructions.ts'
import { inputCounts, leastNeed, readAskUse } from './reservation.ts'
import { openBatches } from './batch.ts'
import { lockQueues } from './lockedQueues.ts'
import { cooldownEnd } from '#server/upstreams/choose.ts'
import { isKeptAt, type Locked, type Routed, sharedRoute } from './route.ts'
import { persistShare, storeClaim, withShare } from './poolAnswers.ts'
import { chargedOf } from '#server/asks/charged.ts'
import { asKeyAsks, requireQuiet, waitingColumns, waitingRound } from './quiet/waiting.ts'
import { readCallerState } from './callerState.ts'
import { positionOf, readToolRequest, withToolRequest } from './toolRequests.ts'
import { type AskContext, findTarget, storeQuestion, type Target, waitsForQuiet } from './target.ts'

export type AdmissionDependencies = {
  open: OpenDatabase
  clock: Pick<Clock, 'now'>
  leaseTime: Pick<LeaseClock, 'now'>
  /** The process that holds the leases. */
  holder: string
  configuration(): Configuration
  sources: Sources
  upstreams: Pick<
    Upstreams,
    | 'findFor'
    | 'serving'
    | 'sharedFor'
    | 'ofUser'
    | 'noteAsked'
    | 'capabilities'
    | 'capabilitiesOfOwn'
    | 'endpoint'
    | 'learnedContext'
  >
  prices: Pick<Prices, 'of'>
  instructions: Pick<Instructions, 'forAsk'>
  pools: Pools
  /** The address and key of one's own in a setting, where it is to be asked. */
  ownEndpoint(setting: EffectiveSetting, upstream_id: number | null): OwnEndpoint | null
}

export type Admit = ReturnType<typeof openAdmission>

/**
 * Admission: one transaction asks whether the caller still holds (a socket may have been opened long before), checks
 * and reserves every limit, chooses the upstream, and stores the question, a new conversation and the ask. Asks of one
 * source that come at the same moment share it, in two round trips on PostgreSQL: locks and reads, then all writes with
 * the commit. Persons are locked first, by their ids, then the queues, by the ids of their upstreams, so that no two
 * transactions wait for each other. The search learns of a question when its ask is completed.
 */
export function openAdmission(dependencies: AdmissionDependencies) {
  const { open, clock, configuration, sources, upstreams, pools } = dependencies

  /** Each ask of a batch is of another person, so that the asks share nothing but the queues. */
  async function admitBatch(
    trx: Transaction,
    sendWithCommit: SendWithCommit,
    batch: readonly RequestedAsk[],
  ): Promise<PromiseSettledResult<AdmittedAsk>[]> {
    const at = { configuration: configuration(), now: clock.now() }
    const asked = batch.map((ask): AskContext => ({ ask, source: sources.of(ask.source), stored: null, ...at }))
    // Sending all queries first saves round trips. SQLite has none, and would only be slowed down.
    const ahead = new Map(
      open.engine === 'sqlite'
        ? []
        : inUserOrder(asked).map(each => [each, readFacts(each, trx, dependencies)] as const),
    )
    const queues = await lockQueues(trx, { source: sourceOf(batch), user_ids: batch.map(idOf) }, batch.length)
    const locked: Locked = { queues, pools: pools.locked(trx, at.now) }
    const onClaim = (answer: PoolAnswer) => sendWithCommit(storeClaim(trx, answer))
    const settled: PromiseSettledResult<AdmittedAsk>[] = []
    for (const each of asked) {
      try {
        const facts = ahead.get(each) ?? readFacts(each, trx, dependencies)
        const decided = await decide(trx, dependencies, facts, { ...locked, onClaim })
        upstreams.noteAsked(decided.admitted.upstream.id)
        sendWithCommit(...persist(trx, dependencies, each, decided, locked))
        settled.push({ status: 'fulfilled', value: decided.admitted })
      } catch (reason) {
        if (!(reason instanceof Refusal)) throw reason
        settled.push({ status: 'rejected', reason })
      }
    }
    return settled
  }

  const batches = new Map(
    SOURCES.map(source => [source, openBatches<RequestedAsk, AdmittedAsk>({ open, mayJoin, work: admitBatch })]),
  )
  return async (ask: RequestedAsk): Promise<AdmittedAsk> => {
    const admit = batches.get(ask.source)
    if (admit === undefined) throw new Refusal('chatTypeNotEnabled')
    const reading = pools.prepare(ask.source)
    if (reading !== null) await reading
    return admit(asKeyAsks(ask, clock.now())).catch((error: unknown) => {
      // What it has read may have been undone with it.
      if (!(error instanceof Refusal)) pools.forget()
      throw error
    })
  }
}

const idOf = ({ caller }: RequestedAsk): number => caller.user_id

const sourceOf = (batch: readonly RequestedAsk[]): Source => batch[0]?.source ?? 'openai_api' // a batch is never empty

const mayJoin = (ask: RequestedAsk, batch: readonly RequestedAsk[]): boolean =>
  batch.length < MAX_USERS && batch.every(other => idOf(other) !== idOf(ask) && other.ask_id !== ask.ask_id)

const inUserOrder = (asked: readonly AskContext[]): AskContext[] => asked.toSorted((a, b) => idOf(a.ask) - idOf(b.ask))

/** What an ask attaches: files of this server, or of the one upstream that has them. */
async function requireFiles(
  trx: Transaction,
  { ask, source, configuration }: AskContext,
  upstreams: Pick<Upstreams, 'capabilities'>,
): Promise<{ upstream_id: number | null; kept: KeptAttachment[] }> {
  if (source.filesAre === 'here') return { upstream_id: null, kept: await requireAttachments(trx, ask, configuration) }
  const seesPictures = upstreams.capabilities(source.code, ask.model).takes_pictures === true
  return { upstream_id: await requireOwnFiles(trx, ask, seesPictures), kept: [] }
}

/** Starts all queries for what an ask is decided by, except for the queues. */
export function readFacts(asked: AskContext, trx: Transaction, { open: { engine }, upstreams }: AdmissionDependencies) {
  const { ask, source, configuration, now } = asked
  const { caller, ask_id } = ask
  const userOfSource = { user_id: caller.user_id, source: source.code }
  // Locked: the person's row, so that two asks of the same instant cannot both pass, and the setting, so that counts
  // stay as they were checked.
  const locked = deferRejection(userStore(trx).lock(userOfSource.user_id, engine))
  const row = deferRejection(settingStore(trx).sourceForUpdate(userOfSource.user_id, source.code, engine))
  const stateBy = (settings: Configuration) => {
    const bounded = inheritsBoundedConversations(settings, source.code)
    return deferRejection(readCallerState(trx, { ask_id, ...userOfSource, bounded }))
  }
  const callerState = stateBy(configuration)
  const limitsBy = (settings: Configuration, counts: typeof callerState) =>
    readSourceFacts(trx, { ...userOfSource, source, now, configuration: settings }, { row, counts })
  /** By the plans that are stored now, whatever this process has heard of yet. */
  const limitsNow = async () => {
    const [limits, { plans_version }] = await Promise.all([limitsBy(configuration, callerState), callerState])
    if (plans_version === plansOf(configuration).version) return limits
    const latest = withPlans(configuration, await readPlans(trx))
    return limitsBy(latest, stateBy(latest))
  }
  return {
    locked,
    asked: deferRejection(
      Promise.all([readToolRequest(trx, ask, now), locked]).then(([found]) => ({
        ...asked,
        ask: withToolRequest(ask, found),
      })),
    ),
    stillValid: deferRejection(caller.stillValid(trx)),
    callerState,
    target: deferRejection(findTarget(trx, asked)),
    limits: deferRejection(limitsNow()),
    files: deferRejection(requireFiles(trx, asked, upstreams)),
  }
}

/** Marks the rejection as handled: the promise is awaited later, or never when another one has failed before. */
function deferRejection<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined)
  return work
}

type Decided = {
  admitted: AdmittedAsk
  target: Target
  answer: PoolAnswer | null
  /** Among those that wait until it is quiet. */
  quiet_round: number
}

/** Checks everything. The order of the checks is the order in which people are to hear of what is wrong. */
export async function decide(
  trx: Transaction,
  dependencies: AdmissionDependencies,
  read: ReturnType<typeof readFacts>,
  locked: Locked & { onClaim(answer: PoolAnswer): void },
): Promise<Decided> {
  const { upstreams, prices, ownEndpoint } = dependencies
  const asked = await read.asked
  const { ask, source, configuration, now, stored } = asked
  if (!(await read.stillValid)) throw new Refusal(ask.caller.kind === 'key' ? 'keyRevoked' : 'loginExpired')
  const { of_this_id, own_upstream_id } = await read.callerState
  if (of_this_id > 0 && stored === null) throw new Refusal('askAlreadyUsed')
  const target = await read.target
  const limits = await read.limits
  const files = await read.files.catch(refusalIn)
  const allowed = withFiles(ask, files instanceof Refusal ? null : files.upstream_id)
  const own = ownEndpoint(limits.setting, own_upstream_id)
  const count = inputCounts(trx, dependencies, asked, { target, own })
  const waits = waitsForQuiet(asked)
  const routed: Routed =
    own === null
      ? await sharedRoute(upstreams, asked, target, allowed, locked, each => leastNeed(each, asked, { prices, count }))
      : { upstream: upstreams.ofUser(own, ask.caller.user_id), answer: null }
  const { upstream } = routed
  // What is spare is looked at when it begins.
  const answer = waits ? null : routed.answer
  const queue = upstream instanceof Refusal ? null : locked.queues.find(upstream.id)
  const capabilities = (model: string) =>
    own === null ? upstreams.capabilities(source.code, model) : upstreams.capabilitiesOfOwn(own, model)
  const bound = boundOf(answer)
  const found = { target, setting: limits.setting, upstream: upstream instanceof Refusal ? null : upstream, own, bound }
  const use = await readAskUse(trx, dependencies, asked, count, found)
  const denied = answer === null ? null : deniedBy(answer, configuration.money.currency)
  const facts = { ...limits, capabilities, limitUse: () => use.limit_use, hasPrice: () => use.has_price }
  const known = { ...facts, share: () => denied, waiting: queue?.waiting ?? 0 }
  const reserved = waits
    ? checkLimitsUntil(known, ask)
    : checkLimits(known, inConversation(asked, target), use.reserve, refused => {
        if (refused === denied && answer !== null && isClaim(answer)) locked.onClaim(answer)
      })
  const accountAt = source.asks?.accounts?.choose({ configuration, setting: limits.setting }, target.source_id)
  if (files instanceof Refusal) throw files
  if (upstream instanceof Refusal) throw upstream
  if (target.closed !== null) throw new Refusal(target.closed)
  if (queue === null) throw new Refusal('upstreamNotAvailable')
  const isHeld =
    cooldownEnd(source.keepsConversations, upstream, upstreams.sharedFor(source.code, ask.model), now) !== null
  const queueing = isHeld || queue.waiting > 0 || queue.running >= upstream.concurrency
  if (ask.quiet_until !== null && !waits) await requireQuiet(trx, upstream.id, { queueing, stored })
  const isKept = isKeptAt(source, target)
  const allowedUpstreams = isKept && source.keepsConversations ? new Set([upstream.id]) : allowed
  const source_id = accountAt === undefined ? target.source_id : accountAt(upstream, isKept)
  const admitted = {
    ...ask,
    ...inTarget(target, files.kept),
    ...{ reply_id: stored?.reply_id ?? newId(), upstream, own, queueing },
    destination: { allowedUpstreams, source_id },
    reserved: withShare(reserved, answer),
    create_time: now,
  }
  return { admitted, target, answer, quiet_round: waits ? await waitingRound(trx, ask.caller.user_id) : 0 }
}

/** Where the question stands, with what went with it. */
const inTarget = (
  { conversation_id, question, parent, upstream_conversation_id, extras }: Target,
  kept: KeptAttachment[],
) => ({ conversation_id, question: withAttachments(question, kept), parent, upstream_conversation_id, extras })

/** A conversation that an ask began before it waited is no new one any more. */
const inConversation = ({ ask, stored }: AskContext, { conversation_id }: Target): RequestedAsk =>
  ask.conversation === null || stored === null
    ? ask
    : { ...ask, conversation: { ...ask.conversation, id: conversation_id } }

/** A question keeps what went with it, as it is known of the files. */
function withAttachments(question: Message | null, attachments: KeptAttachment[]): Message | null {
  if (question === null || attachments.length === 0) return question
  // Sources whose files are here have metadata of this form.
  return { ...question, metadata: { source: 'openai_api', ...question.metadata, attachments } as Message['metadata'] }
}

/** The only upstreams that have what the ask wants, and its files. */
function withFiles({ destination }: RequestedAsk, upstream_id: number | null): ReadonlySet<number> | null {
  const { allowedUpstreams } = destination
  if (upstream_id === null) return allowedUpstreams
  const only = new Set([upstream_id])
  return allowedUpstreams === null ? only : only.intersection(allowedUpstreams)
}

function refusalIn(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  throw error
}

/** All that is stored of an admitted ask. */
function persist(
  trx: Transaction,
  { holder, leaseTime }: AdmissionDependencies,
  asked: AskContext,
  { admitted, target, answer, quiet_round }: Decided,
  { queues, pools }: Locked,
): Promise<unknown>[] {
  const { source, configuration } = asked
  const { ask_id, caller, model, conversation_id, upstream, queueing, reserved, create_time, destination } = admitted
  const { user_id } = caller
  const charge = { ask_id, user_id, source: source.code, model, charged: chargedOf(admitted) }
  const row = {
    ...charge,
    key_id: keyIdOf(caller),
    tool: admitted.tool,
    request_digest: admitted.relay?.digest ?? null,
    is_beside: admitted.relay?.is_beside ?? false,
    conversation_id,
    question_id: admitted.parent,
    reply_id: admitted.reply_id,
    upstream_id: upstream.id,
    borrows: (reserved.share?.borrowed_key ?? null) !== null,
    lent: answer?.view.lentBy(user_id) ?? 0,
    reserved,
    create_time,
    ...(waitsForQuiet(asked)
      ? waitingColumns(admitted, quiet_round)
      : {
          ask_state: queueing ? 'queueing' : 'asking',
          ...positionOf(admitted, upstream.id, queues.join(upstream.id, user_id, queueing)),
          holder,
          lease_until: leaseTime.now() + configuration.asking.lease_seconds * 1000,
          start_time: queueing ? null : create_time,
          quiet_until: null,
          quiet_request: null,
        }),
  }
  const isOlder = conversation_id !== null && admitted.conversation?.id !== null
  const moves = isOlder && upstream.id !== target.upstream_id
  return [
    reserve(trx, { ...charge, now: create_time }, reserved),
    storeQuestion(trx, source, admitted),
    ...(moves
      ? [conversationStore(trx).change(conversation_id, { upstream_id: upstream.id, source_id: destination.source_id })]
      : []),
    askStore(trx).insert(row),
    markFilesUsed(trx, admitted, source.filesAre),
    ...(answer === null ? [] : persistShare(trx, pools, answer, admitted)),
  ]
}
