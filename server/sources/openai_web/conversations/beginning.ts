import { Refusal } from '#server/foundation/refusal.ts'
import type { ProviderEndpoint } from '#server/providers/endpoint.ts'
import type { Provider } from '#server/providers/provider.ts'

/** Milliseconds. An ask waits for it. */
const DEADLINE = 5_000

type At = { provider: Provider; endpoint: ProviderEndpoint; id: string }

/**
 * The parent of the first question of a conversation at its upstream: a message of the upstream's own, which no answer
 * mentions. A further first question gets the same parent. Null when it is not known.
 */
export async function beginningAtUpstream({ provider, endpoint, id }: At, signal: AbortSignal): Promise<string | null> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE)])
  try {
    const kept = await provider.readConversation?.(endpoint, id, deadline)
    return kept?.messages.find(({ role }) => role === 'user')?.parent ?? null
  } catch (error) {
    if (error instanceof Refusal || deadline.aborted) return null
    throw error
  }
}
