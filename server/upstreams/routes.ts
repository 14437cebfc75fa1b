import { readModelsAgain } from '#contract/configuration/configuration.ts'
import {
  acceptWindow,
  addUpstream,
  changeUpstream,
  listUpstreams,
  pauseUpstream,
  readUpstreamModels,
  removeUpstream,
  resumeUpstream,
  testUpstream,
  testUpstreamDraft,
  type UpstreamChanges,
  type UpstreamRead,
} from '#contract/upstreams.ts'
import type { NamesOf } from '#server/configuration/settings.ts'
import type { Http } from '#server/foundation/http/http.ts'
import { invalid } from '#server/foundation/refusal.ts'
import type { SignedIn } from '#server/foundation/http/sessionGuard.ts'
import type { UpstreamAdministration } from './administration.ts'
import type { ModelReading } from './modelReading.ts'

type Services = { upstreamAdministration: UpstreamAdministration; models: ModelReading }

export function upstreamRoutes<U extends SignedIn>(http: Http<U>, services: Services, namesOf: NamesOf): void {
  const { upstreamAdministration, models } = services
  const own = upstreamAdministration
  const names = () => namesOf(own.namedIds())
  const named = async ({ id }: UpstreamRead) => own.read(id, await names())
  http.answer(readModelsAgain, () => models.readAgain())
  http.answer(listUpstreams, async () => own.list(await names()))
  async function requireOwner({ owner_id }: UpstreamChanges): Promise<void> {
    if (owner_id == null || (await namesOf([owner_id])).has(owner_id)) return
    throw invalid(['body', 'owner_id'], 'there is no such user')
  }
  http.answer(addUpstream, async ({ user, body }) => {
    await requireOwner(body)
    return named(await own.add(body, user.id))
  })
  http.answer(changeUpstream, async ({ user, params, body }) => {
    await requireOwner(body)
    return named(await own.change(Number(params.id), body, user.id))
  })
  http.answer(pauseUpstream, async ({ user, params }) => named(await own.pause(Number(params.id), user.id)))
  http.answer(resumeUpstream, async ({ params }) => named(await own.resume(Number(params.id))))
  http.answer(removeUpstream, async ({ params }) => {
    await own.remove(Number(params.id))
    return null
  })
  http.answer(acceptWindow, async ({ params, body }) => named(await own.acceptWindow(Number(params.id), body)))
  http.answer(testUpstreamDraft, ({ body }) => own.testDraft(body))
  http.answer(testUpstream, async ({ params }) => named(await own.test(Number(params.id))))
  http.answer(readUpstreamModels, async ({ params }) => named(await own.readModels(Number(params.id))))
}
