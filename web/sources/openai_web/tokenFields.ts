import { portalQuery } from '#web/foundation/portal.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { toast } from '#web/foundation/toasts.ts'
import { fetchModule } from '#web/foundation/fetchModule.ts'
import { translate } from '#web/i18n/useTranslate.ts'
import type { AskFields } from '#web/sources/source.ts'

/** Fetches a token from the Arkose endpoint, where the portal has one; null where it has none. */
export function fetchTokenFields(signal: AbortSignal): Promise<AskFields> | null {
  const isNeeded = queryClient.getQueryData(portalQuery.queryKey)?.needs_arkose_token === true
  return isNeeded ? tokenFor(signal).then(arkose_token => ({ arkose_token })) : null
}

let hasFailed = false

/** Null when there is none. The first failure in a row shows a toast, unless the person chose to skip the puzzle. */
async function tokenFor(signal: AbortSignal): Promise<string | null> {
  const outcome = await fetchModule(() => import('./arkose/arkoseToken.ts')).then(
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
