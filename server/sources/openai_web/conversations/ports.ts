import { setTimeout as pause } from 'node:timers/promises'
import type { ConversationRow } from '#server/conversations/store.ts'
import { titleOf } from '#server/conversations/titles.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { ProviderEndpoint } from '#server/providers/endpoint.ts'
import { type Provider, requirePort } from '#server/providers/provider.ts'
import type { AskPorts, ConversationPorts } from '../../ports.ts'
import type { SourceDependencies } from '../../source.ts'
import { changeJob, openChangeSending } from './changes.ts'
import { openUpstreamCopies, type UpstreamCopies, refusalOfAsk, isUnknown } from './copies.ts'
import { openReading } from './reading.ts'
import { upstreamChangeStore } from './store.ts'
import { isTeamRefused, mayUseTeam } from './team.ts'

type At = { provider: Provider; endpoint: ProviderEndpoint; id: string }

/** What the upstream answers; null where it refuses, or takes longer than that. */
async function answerWithin<T>(
  milliseconds: number,
  signal: AbortSignal,
  ask: (deadline: AbortSignal) => Promise<T> | undefined,
): Promise<T | null> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(milliseconds)])
  try {
    return (await ask(deadline)) ?? null
  } catch (error) {
    if (error instanceof Refusal || deadline.aborted) return null
    throw error
  }
}

/**
 * The parent of the first question of a conversation at its upstream: a message of the upstream's own, which no answer
 * mentions. A further first question gets the same parent. Null when it is not known. An ask waits for it.
 */
async function beginningAtUpstream({ provider, endpoint, id }: At, signal: AbortSignal): Promise<string | null> {
  const copy = await answerWithin(5_000, signal, deadline => provider.readConversation?.(endpoint, id, deadline))
  return copy?.messages.find(({ role }) => role === 'user')?.parent ?? null
}

/**
 * The title that an upstream makes for a conversation that begins with this answer; null where it makes none. A title
 * is worth a short wait only.
 */
async function titleAtUpstream(
  { provider, endpoint, id, message_id }: At & { message_id: string },
  signal: AbortSignal,
): Promise<string | null> {
  return titleOf(
    await answerWithin(15_000, signal, deadline => provider.titleConversation?.(endpoint, id, message_id, deadline)),
  )
}

/** Milliseconds before each further try of one that is to be removed for good: somebody waits for it. */
const RETRY_DELAYS_MS = [200, 1_000]
/** Refusals that may pass within moments. */
const PASSING = new Set(['openai.500', 'openai.429', 'upstreamTimeout', 'httpError'])

/**
 * Hides a conversation at its upstream now. Gives the refusal when that fails; null also when there is nothing to hide.
 */
function openHiding(copies: UpstreamCopies) {
  async function hide(row: ConversationRow, signal: AbortSignal): Promise<Refusal | null> {
    const copy = copies.of(row)
    if (copy === null) return null
    // With its account it is lost to the portal: there is nobody who could be told. Nor is one that does not know it.
    const isLost = row.gone_upstream_time !== null
    if (copy instanceof Refusal) return isLost || copy.key === 'upstreamGone' ? null : copy
    try {
      await requirePort(copy.provider, 'hideConversation')(copy.endpoint, copy.id, signal)
      return null
    } catch (error) {
      if (error instanceof Refusal) return isLost || isUnknown(error) ? null : error
      throw error
    }
  }

  return async (row: ConversationRow, signal: AbortSignal): Promise<Refusal | null> => {
    let refusal = await hide(row, signal)
    for (const milliseconds of RETRY_DELAYS_MS) {
      if (refusal === null || !PASSING.has(refusal.key)) return refusal
      await pause(milliseconds, undefined, { signal })
      refusal = await hide(row, signal)
    }
    return refusal
  }
}

type Dependencies = SourceDependencies & { closing: AbortSignal }

/** What web accounts have of conversations, and what they do for asks in them. */
export function openConversationPorts(given: Dependencies) {
  const { open, configuration, providers, closing } = given
  const provider = providers.openai_web
  const copies = openUpstreamCopies(given)
  const ports: ConversationPorts = {
    async closedTo(user_id, rows) {
      const isOfTeam =
        user_id !== null &&
        rows.some(({ source_id }) => source_id !== null) &&
        (await mayUseTeam(open.database, configuration(), user_id))
      return ({ source_id }) => (isTeamRefused(source_id, isOfTeam) ? 'teamConversationNotAllowed' : null)
    },
    refresh: openReading({ ...given, copies }),
    noteChange: (trx, changed, part, now) => upstreamChangeStore(trx).add(changed, part, now),
    sendChanges: openChangeSending(given),
    hide: openHiding(copies),
    async makeTitle(row, message_id) {
      const copy = copies.of(row)
      if (copy === null || copy instanceof Refusal) throw copy ?? new Refusal('generateTitleFailed')
      return titleAtUpstream({ ...copy, message_id }, closing)
    },
  }
  const asks: AskPorts =
    provider === null
      ? {}
      : {
          firstParent: (at, signal) => beginningAtUpstream({ provider, ...at }, signal),
          refusalOf: (refusal, at, signal) => refusalOfAsk(refusal, { provider, ...at }, signal),
          makeTitle: (at, message_id, signal) => titleAtUpstream({ provider, ...at, message_id }, signal),
        }
  return { ports, asks, job: changeJob({ ...given, copies }) }
}
