import { readAllowance } from '#contract/allowance.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { SignedIn } from '#server/foundation/http/sessionGuard.ts'
import type { openAllowances } from './allowance.ts'

export function limitRoutes<U extends SignedIn>(http: Http<U>, allowance: ReturnType<typeof openAllowances>): void {
  http.answer(readAllowance, ({ user }) => allowance(user.id))
}
