import { goOnWithJob, listJobs, readJob, startJob, stopJob } from '#contract/jobs.ts'
import { readQueue, stopAsk } from '#contract/queue.ts'
import { listUnreadableKeys, readCommonStatus, readPortal, readSharedMeter } from '#contract/status.ts'
import { readUpstreamLoads } from '#contract/upstreams.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { SignedIn } from '#server/foundation/http/sessionGuard.ts'
import type { Asking } from '#server/asking/asking.ts'
import type { JobAdministration } from './jobs.ts'
import type { Loads, Status } from './status.ts'
import type { Meter } from './meter.ts'
import type { UnreadableKeys } from './unreadableKeys.ts'

type Services = {
  status: Status
  meter: Meter
  loads: Loads
  unreadableKeys: UnreadableKeys
  asking: Pick<Asking, 'stop'>
}

export function statusRoutes<U extends SignedIn>(
  http: Http<U>,
  { status, meter, loads, unreadableKeys, asking }: Services,
): void {
  http.answer(readCommonStatus, () => status.common())
  http.answer(readSharedMeter, ({ user }) => meter.read(user.id))
  http.answer(readQueue, () => meter.readQueue())
  http.answer(stopAsk, ({ params }) => asking.stop(params.id))
  http.answer(readUpstreamLoads, () => loads())
  http.answer(listUnreadableKeys, () => unreadableKeys.list())
  http.answer(readPortal, ({ user }) => status.portal(user.id))
}

export function jobRoutes<U extends SignedIn>(http: Http<U>, jobs: JobAdministration): void {
  http.answer(listJobs, () => jobs.list())
  http.answer(readJob, ({ params }) => jobs.read(params.name, params.key))
  http.answer(goOnWithJob, ({ params, query, user }) => jobs.goOn(params.name, query.key, user.id))
  http.answer(startJob, ({ params, user }) => jobs.start(params.name, user.id))
  http.answer(stopJob, ({ params, query }) => jobs.stop(params.name, query.key ?? ''))
}
