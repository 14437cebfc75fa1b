import {
  deleteUser,
  listUsers,
  login,
  logout,
  readMe,
  readUser,
  register,
  updateMe,
  updateOwnApi,
  updateUser,
  updateUserSetting,
} from '#contract/accounts.ts'
import { readPreferences, updatePreferences } from '#contract/preferences.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { Accounts } from './accounts.ts'
import type { User } from './user.ts'

export function userRoutes(http: Http<User>, accounts: Accounts): void {
  const { browser } = accounts
  http.answer(login, async ({ body, request, reply }) => {
    await browser.signIn(body, request, reply)
    return null
  })
  http.answer(logout, async ({ request, reply }) => {
    await browser.signOut(request, reply)
    return null
  })
  http.answer(readMe, ({ user }) => accounts.own.read(user))
  http.answer(updateMe, async ({ user, body, request, reply }) => {
    const updated = await accounts.own.update(user, body)
    return browser.renewed(updated, request, reply)
  })
  http.answer(updateOwnApi, async ({ user, body }) => {
    await accounts.changeOwnApi(user.id, body)
    return accounts.own.read(user)
  })
  http.answer(readPreferences, ({ user }) => accounts.preferences.read(user.id))
  http.answer(updatePreferences, ({ user, body }) => accounts.preferences.update(user.id, body))

  http.answer(register, ({ body }) => accounts.users.create(body))
  http.answer(listUsers, () => accounts.users.list())
  http.answer(readUser, ({ params }) => accounts.users.read(Number(params.id)))
  http.answer(updateUser, async ({ user, params, body, request, reply }) => {
    const updated = await accounts.users.update(Number(params.id), body, user)
    return browser.renewed(updated, request, reply)
  })
  http.answer(deleteUser, async ({ params }) => {
    await accounts.users.remove(Number(params.id))
    return null
  })
  http.answer(updateUserSetting, async ({ params, body }) => {
    await accounts.changeSetting(Number(params.id), body)
    return accounts.users.read(Number(params.id))
  })
}
