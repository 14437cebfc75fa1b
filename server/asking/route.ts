import type { Destination } from '#server/asks/ask.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { PoolAnswer } from '#server/limits/shares/poolAnswer.ts'
import type { LockedPools } from '#server/limits/shares/pools.ts'
import type { SourceTraits } from '#server/sources/source.ts'
import { chooseUpstream, whereNext } from '#server/upstreams/choose.ts'
import type { Candidate, Upstream } from '#server/upstreams/upstream.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'
import type { LockedQueues } from './lockedQueues.ts'
import { type NeedAt, type PoolAnswers, readPoolAnswers, whereOneMayAsk } from './poolAnswers.ts'
import { speaking } from './relayForms.ts'
import type { AskContext, Target } from './target.ts'

/** What a transaction has locked: the queues, and with them the pools. */
export type Locked = { queues: LockedQueues; pools: LockedPools }

export type Routed = { upstream: Upstream | Refusal; answer: PoolAnswer | null }

/**
 * The shared upstream that an ask goes to, or why there is none, and what its pool says. An account that has nothing
 * for the person is left out, unless none has.
 */
export async function sharedRoute(
  upstreams: Pick<Upstreams, 'serving' | 'findFor'>,
  asked: AskContext,
  target: Target,
  allowedUpstreams: ReadonlySet<number> | null,
  { queues, pools }: Locked,
  needAt: NeedAt,
): Promise<Routed> {
  const { ask, source, now } = asked
  const serving = upstreams.serving(source.code, ask.model).flatMap((upstream): Candidate[] => {
    const load = queues.find(upstream.id)
    return load === null ? [] : [{ upstream, load }]
  })
  const candidates = speaking(ask.relay, serving, now)
  if (candidates.length === 0 && serving.length > 0) return { upstream: new Refusal('dialectNotSpoken'), answer: null }
  const { upstream_id } = target
  const present =
    upstream_id === null || !isKeptAt(source, target) ? undefined : upstreams.findFor(upstream_id, ask.model)
  const asking = [...candidates.map(({ upstream }) => upstream), ...(present ? [present] : [])]
  const different = new Map(asking.map(each => [each.id, each])).values()
  const answers = await readPoolAnswers(pools, ask, different, needAt)
  const upstream = routeOf({ source, present, candidates, allowedUpstreams, answers, now })
  return { upstream, answer: upstream instanceof Refusal ? null : (answers.get(upstream.id) ?? null) }
}

/**
 * Whether the conversation goes on with the upstream that was asked last. One that keeps conversations does not know
 * one without an id there.
 */
export const isKeptAt = (
  { keepsConversations }: SourceTraits,
  { upstream_conversation_id, upstream_id }: Target,
): boolean => upstream_id !== null && (!keepsConversations || upstream_conversation_id !== null)

type Route = Pick<Destination, 'allowedUpstreams'> & {
  source: SourceTraits
  /** Undefined where the conversation is kept by no upstream yet, null where that one is gone. */
  present: Upstream | null | undefined
  candidates: readonly Candidate[]
  answers: PoolAnswers
  now: number
}

/** Where an ask goes by its conversation, and by what it needs there. */
function routeOf({ source, present, candidates, allowedUpstreams, answers, now }: Route): Upstream | Refusal {
  const isAllowed = ({ id }: Upstream): boolean => allowedUpstreams?.has(id) ?? true
  if (present === undefined) {
    const suitable = candidates.filter(({ upstream }) => isAllowed(upstream))
    return chooseUpstream(whereOneMayAsk(suitable, answers), now) ?? new Refusal('upstreamNotAvailable')
  }
  if (present !== null && !isAllowed(present)) return new Refusal('fileOfOtherAccount')
  const open = whereOneMayAsk(candidates, answers)
  const next = whereNext({ isKept: source.keepsConversations, present, candidates: open, now })
  switch (next.next) {
    case 'moves':
      return next.upstream
    case 'refused':
      return new Refusal(next.key)
    case 'stays':
      return present ?? new Refusal('upstreamGone')
  }
}
