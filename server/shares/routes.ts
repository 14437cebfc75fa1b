import { readShares } from '#contract/shares.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { User } from '#server/users/user.ts'
import type { Shares } from './shares.ts'

export function shareRoutes(http: Http<User>, { shares }: { shares: Shares }): void {
  http.answer(readShares, ({ user }) => shares.read(user))
}
