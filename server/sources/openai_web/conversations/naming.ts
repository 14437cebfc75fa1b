import { Refusal } from '#server/foundation/refusal.ts'
import type { ProviderEndpoint } from '#server/providers/endpoint.ts'
import type { Provider } from '#server/providers/provider.ts'
import { titleOf } from '#server/conversations/titleOf.ts'

/** Milliseconds. A title is worth a short wait only. */
const DEADLINE = 15_000

type Named = { provider: Provider; endpoint: ProviderEndpoint; id: string; message_id: string }

/** The title that an upstream makes for a conversation that begins with this answer; null where it makes none. */
export async function titleAtUpstream(
  { provider, endpoint, id, message_id }: Named,
  signal: AbortSignal,
): Promise<string | null> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE)])
  try {
    return titleOf((await provider.titleConversation?.(endpoint, id, message_id, deadline)) ?? null)
  } catch (error) {
    if (error instanceof Refusal || deadline.aborted) return null
    throw error
  }
}
