import { changeUsers } from '#contract/bulk.ts'
import {
  listLedger,
  listUserPage,
  previewRemoval,
  readUserAllowance,
  readUserRow,
} from '#contract/userAdministration.ts'
import type { User } from '#server/users/user.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { UserAdministration } from './administration.ts'

export function userRoutes(http: Http<User>, users: UserAdministration): void {
  http.answer(changeUsers, ({ user, body }) => users.change(body, user))
  http.answer(listUserPage, ({ query }) => users.list.page(query))
  http.answer(readUserRow, ({ params }) => users.list.one(Number(params.id)))
  http.answer(previewRemoval, ({ params }) => users.previewRemoval(Number(params.id)))
  http.answer(readUserAllowance, ({ params }) => users.allowanceOf(Number(params.id)))
  http.answer(listLedger, ({ params, query }) => users.ledgerOf(Number(params.id), query))
}
