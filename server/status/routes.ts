import { readArkose, readCommonStatus, readPortal, readSharedMeter } from '#contract/status.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { SignedIn } from '#server/foundation/http/sessionGuard.ts'
import type { openMeter } from './meter.ts'
import type { Status } from './status.ts'

export function statusRoutes<U extends SignedIn>(
  http: Http<U>,
  status: Status,
  meter: ReturnType<typeof openMeter>,
): void {
  http.answer(readCommonStatus, () => status.common())
  http.answer(readSharedMeter, ({ user }) => meter(user.id))
  http.answer(readPortal, () => status.portal())
  // Old clients ask before every question and hang without an answer; no source needs a token yet.
  http.answer(readArkose, () => ({ enabled: false, url: '' }))
}
