import { readQueue, stopAsk } from '#contract/queue.ts'
import { readArkose, readCommonStatus, readPortal, readSharedMeter } from '#contract/status.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { SignedIn } from '#server/foundation/http/sessionGuard.ts'
import type { Asking } from '#server/asking/asking.ts'
import type { Meter } from './meter.ts'
import type { Status } from './status.ts'

export function statusRoutes<U extends SignedIn>(
  http: Http<U>,
  { status, meter, asking }: { status: Status; meter: Meter; asking: Pick<Asking, 'stop'> },
): void {
  http.answer(readCommonStatus, () => status.common())
  http.answer(readSharedMeter, ({ user }) => meter.read(user.id))
  http.answer(readQueue, () => meter.readQueue())
  http.answer(stopAsk, ({ params }) => asking.stop(params.id))
  http.answer(readPortal, () => status.portal())
  // Old clients ask before every question and hang without an answer; no source needs a token yet.
  http.answer(readArkose, () => ({ enabled: false, url: '' }))
}
