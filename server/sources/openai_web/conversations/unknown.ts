import { Refusal } from '#server/foundation/refusal.ts'
import { requirePort } from '#server/providers/provider.ts'
import type { UpstreamConversation } from '#server/providers/ports.ts'
import type { UpstreamCopy } from './copies.ts'

/** Milliseconds. Whoever asked waits for it. */
const DEADLINE = 5_000

type At = Pick<UpstreamCopy, 'provider' | 'endpoint' | 'id'>

/** Whether a refusal says, or may say, that there is no such conversation. */
export const isUnknown = (error: unknown): error is Refusal =>
  error instanceof Refusal && (error.key === 'conversationGone' || error.key === 'openai.404')

/**
 * What the upstream has of a conversation; null when it does not know it: another account is asked than the one that
 * had it, its history is switched off, or it was deleted there. A 404 that says no more counts where conversations are
 * listed: a proxy that knows no address answers 404 to both.
 */
export async function readUnlessUnknown(
  { id, endpoint, provider }: At,
  signal: AbortSignal,
): Promise<UpstreamConversation | null> {
  try {
    return await requirePort(provider, 'readConversation')(endpoint, id, signal)
  } catch (error) {
    if (!isUnknown(error)) throw error
    if (error.key === 'openai.404')
      await requirePort(provider, 'listConversations')(endpoint, { offset: 0, limit: 1 }, signal)
    return null
  }
}

/**
 * The refusal of an ask: one that may be about the conversation becomes `conversationGone` where the upstream does not
 * know that.
 */
export async function refusalOfAsk(refusal: Refusal, at: At, signal: AbortSignal): Promise<Refusal> {
  if (refusal.key !== 'openai.404') return refusal
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE)])
  try {
    if ((await readUnlessUnknown(at, deadline)) !== null) return refusal
    return new Refusal('conversationGone', {}, { cause: refusal.cause })
  } catch (error) {
    if (error instanceof Refusal || deadline.aborted) return refusal
    throw error
  }
}
