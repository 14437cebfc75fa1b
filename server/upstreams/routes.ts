import { readModelsAgain } from '#contract/configuration.ts'
import {
  addUpstream,
  changeUpstream,
  checkUpstreamAccount,
  checkUpstreamAccounts,
  listUpstreams,
  pauseUpstream,
  readUpstreamModels,
  removeUpstream,
  resumeUpstream,
  testUpstream,
  testUpstreamDraft,
} from '#contract/upstreams.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { SignedIn } from '#server/foundation/http/sessionGuard.ts'
import type { AccountCheck } from './accountCheck.ts'
import type { UpstreamAdministration } from './administration.ts'
import type { ModelReading } from './modelReading.ts'

type Services = { upstreamAdministration: UpstreamAdministration; accountCheck: AccountCheck; models: ModelReading }

export function upstreamRoutes<U extends SignedIn>(http: Http<U>, services: Services): void {
  const { upstreamAdministration, accountCheck, models } = services
  const own = upstreamAdministration
  http.answer(readModelsAgain, () => models.readAgain())
  http.answer(listUpstreams, () => own.list())
  http.answer(addUpstream, ({ body }) => own.add(body))
  http.answer(changeUpstream, ({ params, body }) => own.change(Number(params.id), body))
  http.answer(pauseUpstream, ({ user, params }) => own.pause(Number(params.id), user.id))
  http.answer(resumeUpstream, ({ params }) => own.resume(Number(params.id)))
  http.answer(removeUpstream, async ({ params }) => {
    await own.remove(Number(params.id))
    return null
  })
  http.answer(testUpstreamDraft, ({ body }) => own.testDraft(body))
  http.answer(testUpstream, ({ params }) => own.test(Number(params.id)))
  http.answer(readUpstreamModels, ({ params }) => own.readModels(Number(params.id)))
  http.answer(checkUpstreamAccount, () => accountCheck.checkFirst())
  http.answer(checkUpstreamAccounts, ({ params }) => accountCheck.check(Number(params.id)))
}
