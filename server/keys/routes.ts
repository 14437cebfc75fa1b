import { changeKey, createKey, listKeys, listOwnKeys, revokeKey, revokeOwnKey } from '#contract/keys.ts'
import { rowsAsked } from '#contract/paging.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { User } from '#server/users/user.ts'
import type { Keys } from './keys.ts'

export function keyRoutes(http: Http<User>, { keys }: { keys: Keys }): void {
  http.answer(listOwnKeys, ({ user }) => keys.listOwn(user.id))
  http.answer(createKey, ({ user, body }) => keys.make(user.id, body))
  http.answer(changeKey, async ({ user, params, body }) => ({
    key: await keys.change(user.id, Number(params.id), body),
  }))
  http.answer(revokeOwnKey, async ({ user, params }) => {
    await keys.revokeOwn(user.id, Number(params.id))
    return null
  })
  http.answer(listKeys, ({ query }) => keys.list(rowsAsked(query)))
  http.answer(revokeKey, async ({ params }) => {
    await keys.revoke(Number(params.id))
    return null
  })
}
