import type { Configuration } from '#contract/configuration/configuration.ts'
import { type Source, SOURCES } from '#contract/models.ts'
import type { AdmittedAsk, RequestedAsk, Destination } from '#server/asks/ask.ts'
import { MAX_USERS } from '#server/asks/queueStore.ts'
import { askStore, asksWithId } from '#server/asks/store.ts'
import { conversationStore } from '#server/conversations/store.ts'
import { requireAttachments } from '#server/files/attached.ts'
import { markFilesUsed, requireOwnFiles } from '#server/files/files.ts'
import type { KeptAttachment, Message } from '#contract/messages.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { Database, OpenDatabase, SendWithCommit, Transaction } from '#server/foundation/database/open.ts'
import { prepared } from '#server/foundation/database/schema/prepared.ts'
import { newId } from '#server/foundation/ids.ts'
import type { LeaseClock } from '#server/foundation/database/lease.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { readSourceFacts, checkLimits, reserve } from '#server/limits/limits.ts'
import { type CurrentCounts, currentCountsOf } from '#server/limits/store.ts'
import type { EffectiveSetting } from '#server/policy/effectiveSetting.ts'
import { inheritsBoundedConversations } from '#server/policy/plans.ts'
import { settingStore } from '#server/policy/store.ts'
import type { SourceTraits, Sources } from '#server/sources/source.ts'
import type { OwnEndpoint } from '#server/upstreams/endpoints.ts'
import { ownUpstreamOf } from '#server/upstreams/store.ts'
import type { Candidate, Upstream } from '#server/upstreams/upstream.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'
import { userStore } from '#server/users/store.ts'
import { openBatches } from './batch.ts'
import { type LockedQueues, lockQueues } from './lockedQueues.ts'
import { cooldownEnd, chooseUpstream, whereNext } from '#server/upstreams/choose.ts'
import { type AskContext, findTarget, storeQuestion, type Target } from './target.ts'

type Dependencies = {
  open: OpenDatabase
  clock: Pick<Clock, 'now'>
  leaseTime: Pick<LeaseClock, 'now'>
  /** The process that holds the leases. */
  holder: string
  configuration(): Configuration
  sources: Sources
  upstreams: Pick<
    Upstreams,
    'findFor' | 'serving' | 'sharedFor' | 'ofUser' | 'noteAsked' | 'capabilities' | 'capabilitiesOfOwn'
  >
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
export function openAdmission(dependencies: Dependencies) {
  const { open, clock, configuration, sources, upstreams } = dependencies

  /** Each ask of a batch is of another person, so that the asks share nothing but the queues. */
  async function admitBatch(
    trx: Transaction,
    sendWithCommit: SendWithCommit,
    batch: readonly RequestedAsk[],
  ): Promise<PromiseSettledResult<AdmittedAsk>[]> {
    const at = { configuration: configuration(), now: clock.now() }
    const asked = batch.map((ask): AskContext => ({ ask, source: sources.of(ask.source), ...at }))
    // Sending all queries first saves round trips. SQLite has none, and would only be slowed down.
    const ahead = new Map(
      open.engine === 'sqlite'
        ? []
        : inUserOrder(asked).map(each => [each, readFacts(each, trx, dependencies)] as const),
    )
    const queues = await lockQueues(trx, { source: sourceOf(batch), user_ids: batch.map(idOf) }, batch.length)
    const settled: PromiseSettledResult<AdmittedAsk>[] = []
    for (const each of asked) {
      try {
        const facts = ahead.get(each) ?? readFacts(each, trx, dependencies)
        const { admitted, target } = await decide(dependencies, each, facts, queues)
        upstreams.noteAsked(admitted.upstream.id)
        sendWithCommit(...persist(trx, dependencies, each, { admitted, target }, queues))
        settled.push({ status: 'fulfilled', value: admitted })
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
    return admit(ask)
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
function readFacts(asked: AskContext, trx: Transaction, { open: { engine }, upstreams }: Dependencies) {
  const { ask, source, configuration, now } = asked
  const { caller, ask_id } = ask
  const userOfSource = { user_id: caller.user_id, source: source.code }
  // Locked: the person's row, so that two asks of the same instant cannot both pass, and the setting, so that counts
  // stay as they were checked.
  const locked = deferRejection(userStore(trx).lock(userOfSource.user_id, engine))
  const row = deferRejection(settingStore(trx).sourceForUpdate(userOfSource.user_id, source.code, engine))
  const bounded = inheritsBoundedConversations(configuration, source.code)
  const callerState = deferRejection(readCallerState(trx, { ask_id, ...userOfSource, bounded }))
  return {
    locked,
    stillValid: deferRejection(caller.stillValid(trx)),
    callerState,
    target: deferRejection(findTarget(trx, asked)),
    limits: deferRejection(
      readSourceFacts(trx, { ...userOfSource, source, now, configuration }, { row, counts: callerState }),
    ),
    files: deferRejection(requireFiles(trx, asked, upstreams)),
  }
}

/** Marks the rejection as handled: the promise is awaited later, or never when another one has failed before. */
function deferRejection<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined)
  return work
}

/** Checks everything. The order of the checks is the order in which people are to hear of what is wrong. */
async function decide(
  { upstreams, ownEndpoint }: Dependencies,
  asked: AskContext,
  read: ReturnType<typeof readFacts>,
  queues: LockedQueues,
): Promise<{ admitted: AdmittedAsk; target: Target }> {
  const { ask, source, configuration, now } = asked
  await read.locked
  if (!(await read.stillValid)) throw new Refusal('loginExpired')
  const { of_this_id, own_upstream_id } = await read.callerState
  if (of_this_id > 0) throw new Refusal('askAlreadyUsed')
  const target = await read.target
  const limits = await read.limits
  const files = await read.files.catch(refusalIn)
  const allowed = withFiles(ask, files instanceof Refusal ? null : files.upstream_id)
  const own = ownEndpoint(limits.setting, own_upstream_id)
  const upstream =
    own === null ? sharedRoute(upstreams, asked, target, allowed, queues) : upstreams.ofUser(own, ask.caller.user_id)
  const queue = upstream instanceof Refusal ? null : queues.find(upstream.id)
  const capabilities = (model: string) =>
    own === null ? upstreams.capabilities(source.code, model) : upstreams.capabilitiesOfOwn(own, model)
  const reserved = checkLimits({ ...limits, capabilities, waiting: queue?.waiting ?? 0 }, ask)
  const accountAt = source.asks?.accounts?.choose({ configuration, setting: limits.setting }, target.source_id)
  if (files instanceof Refusal) throw files
  if (upstream instanceof Refusal) throw upstream
  if (target.closed !== null) throw new Refusal(target.closed)
  if (queue === null) throw new Refusal('upstreamNotAvailable')
  const isHeld =
    cooldownEnd(source.keepsConversations, upstream, upstreams.sharedFor(source.code, ask.model), now) !== null
  const isKept = isKeptAt(source, target)
  const admitted = {
    ...ask,
    conversation_id: target.conversation_id,
    question: withAttachments(target.question, files.kept),
    parent: target.parent,
    upstream_conversation_id: target.upstream_conversation_id,
    extras: target.extras,
    reply_id: newId(),
    upstream,
    own,
    destination: {
      allowedUpstreams: isKept && source.keepsConversations ? new Set([upstream.id]) : allowed,
      source_id: accountAt === undefined ? target.source_id : accountAt(upstream, isKept),
    },
    queueing: isHeld || queue.waiting > 0 || queue.running >= upstream.concurrency,
    reserved,
    create_time: now,
  }
  return { admitted, target }
}

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

/** The shared upstream that an ask goes to, or why there is none. */
function sharedRoute(
  upstreams: Dependencies['upstreams'],
  { ask: { model }, source, now }: AskContext,
  target: Target,
  allowedUpstreams: ReadonlySet<number> | null,
  queues: LockedQueues,
): Upstream | Refusal {
  const { upstream_id } = target
  const candidates = upstreams.serving(source.code, model).flatMap((upstream): Candidate[] => {
    const load = queues.find(upstream.id)
    return load === null ? [] : [{ upstream, load }]
  })
  const present = upstream_id === null || !isKeptAt(source, target) ? undefined : upstreams.findFor(upstream_id, model)
  return routeOf({ source, present, candidates, allowedUpstreams, now })
}

/**
 * Whether the conversation goes on with the upstream that was asked last. One that keeps conversations does not know
 * one without an id there.
 */
const isKeptAt = ({ keepsConversations }: SourceTraits, { upstream_conversation_id, upstream_id }: Target): boolean =>
  upstream_id !== null && (!keepsConversations || upstream_conversation_id !== null)

function refusalIn(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  throw error
}

/** All that is stored of an admitted ask. */
function persist(
  trx: Transaction,
  { holder, leaseTime }: Dependencies,
  { source, configuration }: AskContext,
  { admitted, target }: { admitted: AdmittedAsk; target: Target },
  queues: LockedQueues,
): Promise<unknown>[] {
  const { ask_id, caller, model, conversation_id, upstream, queueing, reserved, create_time, destination } = admitted
  const { user_id } = caller
  const charge = { ask_id, user_id, source: source.code, model }
  const row = {
    ...charge,
    conversation_id,
    question_id: admitted.parent,
    reply_id: admitted.reply_id,
    ask_state: queueing ? 'queueing' : 'asking',
    upstream_id: upstream.id,
    ...queues.join(upstream.id, user_id, queueing),
    holder,
    lease_until: leaseTime.now() + configuration.asking.lease_seconds * 1000,
    reserved,
    create_time,
    start_time: queueing ? null : create_time,
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
  ]
}

type CallerQuery = {
  ask_id: string
  user_id: number
  source: Source
  /** Whether the default plan limits the number of conversations. */
  bounded: boolean
}

const callerState = prepared((database, { ask_id, ...person }: CallerQuery) =>
  database
    .selectNoFrom(() => [
      ownUpstreamOf(database, person).select('id').as('own_upstream_id'),
      asksWithId(database, ask_id)
        .select(({ fn }) => fn.countAll<number>().as('asks'))
        .as('of_this_id'),
      ...currentCountsOf(database, person),
    ])
    .$narrowType<CurrentCounts & { of_this_id: number }>(),
)

/** What the person of a new ask has already, and whether the ask's id is free. */
export const readCallerState = (database: Database, ask: CallerQuery) => callerState.one(database, ask)

type Route = Pick<Destination, 'allowedUpstreams'> & {
  source: SourceTraits
  /** Undefined where the conversation is kept by no upstream yet, null where that one is gone. */
  present: Upstream | null | undefined
  candidates: readonly Candidate[]
  now: number
}

/** Where an ask goes by its conversation, and by what it needs there. */
function routeOf({ source, present, candidates, allowedUpstreams, now }: Route): Upstream | Refusal {
  const isAllowed = ({ id }: Upstream): boolean => allowedUpstreams?.has(id) ?? true
  if (present === undefined) {
    const suitable = candidates.filter(({ upstream }) => isAllowed(upstream))
    return chooseUpstream(suitable, now) ?? new Refusal('upstreamNotAvailable')
  }
  if (present !== null && !isAllowed(present)) return new Refusal('fileOfOtherAccount')
  const next = whereNext({ isKept: source.keepsConversations, present, candidates, now })
  switch (next.next) {
    case 'moves':
      return next.upstream
    case 'refused':
      return new Refusal(next.key)
    case 'stays':
      return present ?? new Refusal('upstreamGone')
  }
}
