import type { AskRequest } from '#contract/asking.ts'
import type { Configuration } from '#contract/configuration.ts'
import { settingStore } from '#server/quotas/store.ts'
import { requireOwnFiles } from '#server/files/attachedFiles.ts'
import type { SendWithCommit, OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import { newId } from '#server/foundation/ids.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { readSourceFacts } from '#server/limits/facts.ts'
import { checkLimits, type Reserved, reserve } from '#server/limits/limits.ts'
import { inGroups } from './groups.ts'
import { type QueueStanding, queueStore } from '#server/asks/queueStore.ts'
import { askStore } from '#server/asks/store.ts'
import { userStore } from '#server/accounts/store.ts'
import { findTarget, storeQuestion, type Target } from './target.ts'
import { readStanding } from './standing.ts'
import { joined, roundOf } from './turnOrder.ts'

/** An ask that has been accepted: its question is stored and one ask is reserved for it. */
export type Admitted = Target & {
  ask_id: string
  user_id: number
  request: AskRequest
  reply_id: string
  upstream_id: number
  queueing: boolean
  reserved: Reserved
  create_time: number
}

export type Asked = {
  user_id: number
  /** The hash of the session's token. */
  session: string
  request: AskRequest
  ask_id: string
  /** Whether the upstream is chosen by what is known of an endpoint of their own now, and not when the session was looked at before. */
  endpoint_known: boolean
  upstream_id: number
  places: number
  holder: string
  now: number
  /** The same moment by the clock of the leases. */
  lease_from: number
  configuration: Configuration
}

/** Thrown when it turns out that somebody may have another upstream: find that out and ask again. */
export class EndpointUnknown extends Error {
  override name = 'EndpointUnknown'
}

/**
 * One transaction: the session looked at once more (the socket may have been opened long before), every limit checked and reserved, the
 * question and a new conversation stored, the ask written down. Those who ask one upstream at the same moment share it. The search learns of
 * a question when its ask ends (endings.ts), which lets everybody in sooner when many ask at once.
 */
export function openAdmission(open: OpenDatabase) {
  const ofUpstreams = new Map<number, (asked: Asked) => Promise<Admitted>>()

  /** All of one upstream, each of another person, so that nobody's admission changes what another one's is judged by, but for the queue. */
  async function admitAll(
    trx: Transaction,
    sendWithCommit: SendWithCommit,
    group: readonly Asked[],
  ): Promise<PromiseSettledResult<Admitted>[]> {
    // On PostgreSQL everything is asked in one journey; the locks are taken in the order of the ids, so that no two groups wait for each
    // other. On SQLite an answer takes no time, and a queue of unanswered questions would.
    const ahead = new Map(
      open.engine === 'sqlite' ? [] : inOrderOfIds(group).map(asked => [asked, lookedAt(asked, trx, open)]),
    )
    let queue = await queueOf(trx, group)
    const settled: PromiseSettledResult<Admitted>[] = []
    for (const asked of group) {
      const read = ahead.get(asked) ?? lookedAt(asked, trx, open)
      settled.push(
        await judged(asked, read, queue).then(
          ({ admitted, round }) => {
            queue = joined(queue, round, admitted.queueing)
            sendWithCommit(...written(trx, asked, admitted, { round, ticket: queue.ticket }))
            return { status: 'fulfilled', value: admitted } as const
          },
          (reason: unknown) => {
            if (reason instanceof Refusal || reason instanceof EndpointUnknown)
              return { status: 'rejected', reason } as const
            throw reason
          },
        ),
      )
    }
    return settled
  }

  return (asked: Asked): Promise<Admitted> => {
    const admit = ofUpstreams.get(asked.upstream_id) ?? inGroups({ open, mayJoin, work: admitAll })
    ofUpstreams.set(asked.upstream_id, admit)
    return admit(asked)
  }
}

const mayJoin = ({ user_id, ask_id }: Asked, group: readonly Asked[]): boolean =>
  group.every(other => other.user_id !== user_id && other.ask_id !== ask_id)

const inOrderOfIds = (group: readonly Asked[]): Asked[] => group.toSorted((a, b) => a.user_id - b.user_id)

/** Locked until the end of the transaction, with tickets for all. */
async function queueOf(trx: Transaction, group: readonly Asked[]): Promise<QueueStanding & { ticket: number }> {
  const [upstream_id, queue] = [group[0]?.upstream_id ?? 0, queueStore(trx)]
  const [latest, standing] = await Promise.all([
    queue.nextTickets(upstream_id, group.length),
    queue.standing(upstream_id),
  ])
  return { ...standing, ticket: latest - group.length }
}

/** Everything that an ask is judged by, but for its queue: all of it is asked at once. */
function lookedAt(asked: Asked, trx: Transaction, { engine }: OpenDatabase) {
  const {
    user_id,
    ask_id,
    session,
    upstream_id,
    now,
    request,
    request: { source },
  } = asked
  // The person's row is the lock that keeps two asks of the same instant from both passing; that of the setting keeps the counts as they
  // were checked.
  const locked = begun(userStore(trx).lock(user_id, engine))
  const setting = begun(settingStore(trx).sourceForUpdate(user_id, source, engine))
  const standing = begun(readStanding(trx, { ask_id, user_id, session, source, upstream_id, now }))
  return {
    locked,
    standing,
    target: begun(findTarget(trx, asked)),
    facts: begun(readSourceFacts(trx, { ...asked, source }, { setting, standing })),
    files: begun(requireOwnFiles(trx, user_id, request)),
  }
}

/** A promise that is awaited later, unless something else has failed by then. */
function begun<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined)
  return work
}

/** Checks everything, in this order. */
async function judged(
  asked: Asked,
  read: ReturnType<typeof lookedAt>,
  queue: QueueStanding,
): Promise<{ admitted: Admitted; round: number }> {
  const { request, user_id, ask_id } = asked
  await read.locked
  const { live_sessions, has_own_endpoint, of_this_id, latest_own } = await read.standing
  if (live_sessions === 0) throw new Refusal('loginExpired')
  if (has_own_endpoint && !asked.endpoint_known)
    throw new EndpointUnknown('this person has got an endpoint of their own')
  if (of_this_id > 0) throw new Refusal('askAlreadyUsed')
  const { conversation_id, question, parent, untitled, of_team } = await read.target
  const facts = { ...(await read.facts), waiting: queue.waiting }
  const reserved = checkLimits(facts, request)
  if (of_team && !facts.setting.use_team) throw new Refusal('teamConversationNotAllowed')
  await read.files
  const queueing = queue.waiting > 0 || queue.running >= asked.places
  const admitted = {
    conversation_id,
    question,
    parent,
    untitled,
    ask_id,
    user_id,
    request,
    reply_id: newId(),
    upstream_id: asked.upstream_id,
    queueing,
    reserved,
    create_time: asked.now,
  }
  return { admitted, round: roundOf({ ...queue, latest_own }) }
}

/** What stays of it. */
function written(
  trx: Transaction,
  asked: Asked,
  admitted: Admitted,
  turn: { round: number; ticket: number },
): Promise<unknown>[] {
  const {
    ask_id,
    user_id,
    conversation_id,
    reply_id,
    upstream_id,
    queueing,
    reserved,
    create_time,
    request: { source, model },
  } = admitted
  const row = {
    ask_id,
    user_id,
    source,
    model,
    conversation_id,
    question_id: admitted.question?.id ?? admitted.parent,
    reply_id,
    ask_state: queueing ? 'queueing' : 'asking',
    upstream_id,
    ...turn,
    holder: asked.holder,
    lease_until: asked.lease_from + asked.configuration.asking.lease_seconds * 1000,
    reserved,
    create_time,
    start_time: queueing ? null : create_time,
  }
  return [
    reserve(trx, { ask_id, user_id, source, model, now: create_time }, reserved),
    storeQuestion(trx, asked, admitted),
    askStore(trx).insert(row),
  ]
}
