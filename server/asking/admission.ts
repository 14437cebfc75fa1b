import type { AskRequest } from '#contract/asking.ts'
import type { Configuration } from '#contract/configuration.ts'
import type { Source } from '#contract/models.ts'
import { userStore } from '#server/users/store.ts'
import type { Caller } from '#server/users/user.ts'
import { MAX_PEOPLE } from '#server/asks/queueStore.ts'
import { askStore, asksWithId } from '#server/asks/store.ts'
import { conversationStore } from '#server/conversations/store.ts'
import { markFilesUsed, requireOwnFiles } from '#server/files/files.ts'
import type { Database, OpenDatabase, SendWithCommit, Transaction } from '#server/foundation/database/open.ts'
import { prepared } from '#server/foundation/database/prepared.ts'
import { newId } from '#server/foundation/ids.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { readSourceFacts } from '#server/limits/facts.ts'
import { checkLimits, reserve, type Reserved } from '#server/limits/limits.ts'
import { type CurrentCounts, currentCountsOf } from '#server/limits/store.ts'
import type { EffectiveSetting } from '#server/policy/effectiveSetting.ts'
import { inheritsBoundedConversations } from '#server/policy/plans.ts'
import { settingStore } from '#server/policy/store.ts'
import { requireTeam, usesTeam } from '#server/policy/team.ts'
import type { OwnEndpoint } from '#server/upstreams/endpoints.ts'
import { ownUpstreamOf } from '#server/upstreams/store.ts'
import type { Candidate, Upstream } from '#server/upstreams/upstream.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'
import { openBatches } from './batch.ts'
import { type LockedQueues, lockQueues } from './lockedQueues.ts'
import { heldUntil, mayMoveTo, routeOf } from './route.ts'
import { findTarget, type Found, storeQuestion, type Target } from './target.ts'

/** An ask that has been accepted: its question is stored and one ask is reserved for it. */
export type Admitted = Target &
  Pick<Found, 'upstream_id'> & {
    ask_id: string
    user_id: number
    request: AskRequest
    reply_id: string
    upstream: Upstream
    /** The address and key of one's own, where it goes there. */
    own: OwnEndpoint | null
    /** The team account that the conversation belongs to; null for a personal one. */
    source_id: string | null
    /** The only upstreams that it may move to while it waits; null for any. */
    mayMoveTo: ReadonlySet<number> | null
    /** The conversation was had with another upstream until now, or with none. */
    moves: boolean
    queueing: boolean
    reserved: Reserved
    create_time: number
  }

export type NewAsk = {
  caller: Caller
  request: AskRequest
  ask_id: string
  /** The process that holds the lease. */
  holder: string
  /** The upstreams that have the plugins of the ask; null when it has none. */
  withPlugins: ReadonlySet<number> | null
  now: number
  /** The same moment by the clock of the leases. */
  lease_from: number
  configuration: Configuration
}

type Dependencies = {
  open: OpenDatabase
  upstreams: Pick<Upstreams, 'findFor' | 'serving' | 'sharedFor' | 'ofPerson' | 'noteAsked'>
  /** The address and key of one's own in a setting, where it is to be asked. */
  ownEndpoint(setting: EffectiveSetting, upstream_id: number | null): OwnEndpoint | null
}

export type Admit = ReturnType<typeof openAdmission>

/**
 * Admission: one transaction asks whether the caller still holds (a socket may have been opened long before), checks and reserves every limit,
 * chooses the upstream, and stores the question, a new conversation and the ask. Asks of one source that come at the same moment share it, in
 * two round trips on PostgreSQL: locks and reads, then all writes with the commit. Persons are locked first, by their ids, then the queues,
 * by the ids of their upstreams, so that no two transactions wait for each other. The search learns of a question when its ask is completed.
 */
export function openAdmission(dependencies: Dependencies) {
  const { open, upstreams } = dependencies

  /** Each ask of a batch is of another person, so that the asks share nothing but the queues. */
  async function admitBatch(
    trx: Transaction,
    sendWithCommit: SendWithCommit,
    batch: readonly NewAsk[],
  ): Promise<PromiseSettledResult<Admitted>[]> {
    // Sending all queries first saves round trips. SQLite has none, and would only be slowed down.
    const ahead = new Map(
      open.engine === 'sqlite' ? [] : byPerson(batch).map(ask => [ask, readFacts(ask, trx, open)] as const),
    )
    const source = sourceOf(batch)
    const queues = await lockQueues(trx, { source, user_ids: batch.map(idOf) }, batch.length)
    const settled: PromiseSettledResult<Admitted>[] = []
    for (const ask of batch) {
      try {
        const facts = ahead.get(ask) ?? readFacts(ask, trx, open)
        const admitted = await decide(dependencies, ask, facts, queues)
        upstreams.noteAsked(admitted.upstream.id)
        const turn = queues.join(admitted.upstream.id, idOf(ask), admitted.queueing)
        sendWithCommit(...persist(trx, ask, admitted, turn))
        settled.push({ status: 'fulfilled', value: admitted })
      } catch (reason) {
        if (!(reason instanceof Refusal)) throw reason
        settled.push({ status: 'rejected', reason })
      }
    }
    return settled
  }

  const ofSource = (): ((ask: NewAsk) => Promise<Admitted>) =>
    openBatches<NewAsk, Admitted>({ open, mayJoin, work: admitBatch })
  const batches: Record<Source, (ask: NewAsk) => Promise<Admitted>> = {
    openai_web: ofSource(),
    openai_api: ofSource(),
  }
  return (ask: NewAsk): Promise<Admitted> => batches[ask.request.source](ask)
}

const idOf = ({ caller }: NewAsk): number => caller.user_id

const sourceOf = (batch: readonly NewAsk[]): Source => batch[0]?.request.source ?? 'openai_api' // a batch is never empty

const mayJoin = (ask: NewAsk, batch: readonly NewAsk[]): boolean =>
  batch.length < MAX_PEOPLE && batch.every(other => idOf(other) !== idOf(ask) && other.ask_id !== ask.ask_id)

const byPerson = (batch: readonly NewAsk[]): NewAsk[] => batch.toSorted((a, b) => idOf(a) - idOf(b))

/** Starts all queries for what an ask is decided by, except for the queues. */
function readFacts(ask: NewAsk, trx: Transaction, { engine }: OpenDatabase) {
  const { caller, ask_id, request } = ask
  const { user_id } = caller
  const { source } = request
  // Locked: the person's row, so that two asks of the same instant cannot both pass, and the setting, so that counts stay as they were checked.
  const locked = deferRejection(userStore(trx).lock(user_id, engine))
  const row = deferRejection(settingStore(trx).sourceForUpdate(user_id, source, engine))
  const asker = deferRejection(
    readAsker(trx, {
      ask_id,
      user_id,
      source,
      bounded: inheritsBoundedConversations(ask.configuration, source),
    }),
  )
  return {
    locked,
    stillValid: deferRejection(caller.stillValid(trx)),
    asker,
    target: deferRejection(findTarget(trx, { ...ask, user_id })),
    limits: deferRejection(readSourceFacts(trx, { ...ask, user_id, source }, { row, counts: asker })),
    files: deferRejection(requireOwnFiles(trx, user_id, request)),
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
  ask: NewAsk,
  read: ReturnType<typeof readFacts>,
  queues: LockedQueues,
): Promise<Admitted> {
  const { request, ask_id, now, withPlugins, configuration } = ask
  const { user_id } = ask.caller
  await read.locked
  if (!(await read.stillValid)) throw new Refusal('loginExpired')
  const { of_this_id, own_upstream_id } = await read.asker
  if (of_this_id > 0) throw new Refusal('askAlreadyUsed')
  const target = await read.target
  const limits = await read.limits
  const files = await read.files.catch(refusalIn)
  const withFiles = files instanceof Refusal ? null : files
  const own = ownEndpoint(limits.setting, own_upstream_id)
  const upstream =
    own === null ? sharedRoute(upstreams, ask, target, withFiles, queues) : upstreams.ofPerson(own, user_id)
  const queue = upstream instanceof Refusal ? null : queues.find(upstream.id)
  const reserved = checkLimits({ ...limits, waiting: queue?.waiting ?? 0 }, request)
  const { source_id } = target
  const isOfTeam = usesTeam(configuration, limits.setting)
  requireTeam(source_id, isOfTeam)
  if (files instanceof Refusal) throw files
  if (upstream instanceof Refusal) throw upstream
  if (target.closed !== null) throw new Refusal(target.closed)
  if (queue === null) throw new Refusal('upstreamNotAvailable')
  const isHeld = heldUntil(upstream, upstreams.sharedFor(request.source, request.model), now) !== null
  const isKept = isKeptThere(target, request)
  const keeper = isKept && request.source === 'openai_web' ? upstream.id : null
  return {
    ...target,
    ask_id,
    user_id,
    request,
    reply_id: newId(),
    upstream,
    own,
    mayMoveTo: mayMoveTo({ keeper, withFiles, withPlugins }),
    source_id: isKept || !isOfTeam ? source_id : upstream.team_account_id,
    moves: !request.new_conversation && upstream.id !== target.upstream_id,
    queueing: isHeld || queue.waiting > 0 || queue.running >= upstream.concurrency,
    reserved,
    create_time: now,
  }
}

/** The shared upstream that an ask goes to, or why there is none. */
function sharedRoute(
  upstreams: Dependencies['upstreams'],
  { request, withPlugins, now }: NewAsk,
  target: Found,
  withFiles: number | null,
  queues: LockedQueues,
): Upstream | Refusal {
  const { source, model } = request
  const { upstream_id } = target
  const candidates = upstreams.serving(source, model).flatMap((upstream): Candidate[] => {
    const load = queues.find(upstream.id)
    return load === null ? [] : [{ upstream, load }]
  })
  const present =
    upstream_id === null || !isKeptThere(target, request) ? undefined : upstreams.findFor(upstream_id, model)
  return routeOf({ source, present, candidates, withPlugins, withFiles, now })
}

/** Whether the conversation goes on with the upstream that was asked last. The web service does not know a conversation without an id there. */
const isKeptThere = ({ upstream_conversation_id, upstream_id }: Found, { source }: AskRequest): boolean =>
  upstream_id !== null && (source === 'openai_api' || upstream_conversation_id !== null)

function refusalIn(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  throw error
}

/** All that is stored of an admitted ask. */
function persist(
  trx: Transaction,
  { holder, lease_from, configuration }: NewAsk,
  admitted: Admitted,
  turn: { round: number; ticket: number },
): Promise<unknown>[] {
  const { ask_id, user_id, conversation_id, reply_id, upstream, queueing, reserved, create_time, request } = admitted
  const { source, model } = request
  const row = {
    ask_id,
    user_id,
    source,
    model,
    conversation_id,
    question_id: admitted.question?.id ?? admitted.parent,
    reply_id,
    ask_state: queueing ? 'queueing' : 'asking',
    upstream_id: upstream.id,
    ...turn,
    holder,
    lease_until: lease_from + configuration.asking.lease_seconds * 1000,
    reserved,
    create_time,
    start_time: queueing ? null : create_time,
  }
  return [
    reserve(trx, { ask_id, user_id, source, model, now: create_time }, reserved),
    storeQuestion(trx, admitted),
    ...(admitted.moves
      ? [conversationStore(trx).change(conversation_id, { upstream_id: upstream.id, source_id: admitted.source_id })]
      : []),
    askStore(trx).insert(row),
    markFilesUsed(trx, { user_id, request, conversation_id, used_time: create_time }),
  ]
}

type AskerQuery = {
  ask_id: string
  user_id: number
  source: Source
  /** Whether the default plan limits the number of conversations. */
  bounded: boolean
}

const asker = prepared((database, { ask_id, ...person }: AskerQuery) =>
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
export const readAsker = (database: Database, ask: AskerQuery) => asker.one(database, ask)
