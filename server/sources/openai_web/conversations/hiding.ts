import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '#server/foundation/refusal.ts'
import { requirePort } from '#server/providers/provider.ts'
import type { ConversationRow } from '#server/conversations/store.ts'
import type { UpstreamCopies } from './copies.ts'
import { isUnknown } from './unknown.ts'

/** Milliseconds before each further try of one that is to be removed for good: somebody waits for it. */
const RETRY_DELAYS_MS = [200, 1_000]
/** Refusals that may pass within moments. */
const PASSING = new Set(['openai.500', 'openai.429', 'upstreamTimeout', 'httpError'])

/**
 * Hides a conversation at its upstream now. Gives the refusal when that fails; null also when there is nothing to hide.
 */
export function openHiding(copies: UpstreamCopies) {
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
