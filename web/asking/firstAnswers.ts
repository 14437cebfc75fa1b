import type { QueryClient } from '@tanstack/react-query'
import { readAllowance } from '#contract/allowance.ts'
import { listConversations } from '#contract/conversations.ts'
import { readPortal, readSharedMeter } from '#contract/status.ts'
import { allowanceQuery } from '#web/accounts/allowance.ts'
import { meterQuery } from '#web/conversations/sharedMeter/useSharedMeter.ts'
import { listQuery } from '#web/conversations/useConversations.ts'
import { isPreloaded } from '#web/foundation/preloadedAnswers.ts'
import { portalQuery } from '#web/foundation/portal.ts'

/** Puts the answers that came with the page into the query cache before the first render, or each would cause another render. */
export async function takeFirstAnswers(client: QueryClient): Promise<void> {
  await Promise.all([
    isPreloaded(listConversations) && client.prefetchQuery(listQuery),
    isPreloaded(readSharedMeter) && client.prefetchQuery(meterQuery),
    isPreloaded(readPortal) && client.prefetchQuery(portalQuery),
    isPreloaded(readAllowance) && client.prefetchQuery(allowanceQuery),
  ])
}
