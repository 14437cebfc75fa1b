import { portalQuery } from '#web/foundation/portal.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { toast } from '#web/foundation/toasts.ts'
import { askOverSocket, type ChatSignals, type OwnAsk } from '#web/foundation/chatSocket.ts'
import type { ChatEvent } from '#web/foundation/chatEvents.ts'
import { fetchModule } from '#web/foundation/fetchModule.ts'
import { translate } from '#web/i18n/useTranslate.ts'

/**
 * Sends the ask. One for the web service gets a token from the Arkose endpoint first, where the portal has one; without a token it is sent
 * all the same.
 */
export function askWithToken(request: OwnAsk, signals: ChatSignals): AsyncGenerator<ChatEvent> {
  const isNeeded = queryClient.getQueryData(portalQuery.queryKey)?.needs_arkose_token === true
  return isNeeded && request.source === 'openai_web' ? afterToken(request, signals) : askOverSocket(request, signals)
}

async function* afterToken(request: OwnAsk, signals: ChatSignals): AsyncGenerator<ChatEvent> {
  const arkose_token = await tokenFor(AbortSignal.any([signals.stop, signals.leave]))
  if (!signals.leave.aborted) yield* askOverSocket({ ...request, arkose_token }, signals)
}

let hasFailed = false

/** Null when there is none. The first failure in a row shows a toast, unless the person chose to skip the puzzle. */
async function tokenFor(signal: AbortSignal): Promise<string | null> {
  const outcome = await fetchModule(() => import('#web/foundation/arkoseToken.ts')).then(
    ({ fetchArkoseToken }) => fetchArkoseToken(signal),
    () => ({ failed: 'unreachable' }) as const,
  )
  if ('token' in outcome) {
    hasFailed = false
    return outcome.token
  }
  if (outcome.failed !== 'aborted' && outcome.failed !== 'skipped' && !hasFailed) {
    hasFailed = true
    toast.refusal(translate('asking.withoutArkose'), translate('errors.arkoseError'))
  }
  return null
}
