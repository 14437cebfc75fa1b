import { checkUpstreamAccount, checkUpstreamAccounts } from '#contract/upstreams.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { SignedIn } from '#server/foundation/http/sessionGuard.ts'
import type { AccountCheck } from './accountCheck.ts'

export function accountRoutes<U extends SignedIn>(http: Http<U>, { check, checkFirst }: AccountCheck): void {
  http.answer(checkUpstreamAccount, () => checkFirst())
  http.answer(checkUpstreamAccounts, ({ params }) => check(Number(params.id)))
}
