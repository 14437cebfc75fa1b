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
import {
  createUser,
  endUserSession,
  endUserSessions,
  listUserSessions,
  resetPassword,
  saveUser,
} from '#contract/users.ts'
import { readPreferences, updatePreferences } from '#contract/preferences.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { Accounts } from './accounts.ts'
import type { User } from './user.ts'

/** `started`: resolves when the first administrator is made, so that nobody who signs in before is told that the password is wrong. */
export function accountRoutes(http: Http<User>, accounts: Accounts, started: Promise<void> = Promise.resolve()): void {
  const { browser } = accounts
  http.answer(login, async ({ body, request, reply }) => {
    await started
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
  userSessionRoutes(http, accounts)
}

/** What only the page of our own asks for. */
function userSessionRoutes(http: Http<User>, { users, settingChange, personSessions, browser }: Accounts): void {
  http.answer(createUser, ({ body }) => users.createNew(body))
  http.answer(saveUser, async ({ user, params, body: { account = {}, setting = {} }, request, reply }) => {
    const id = Number(params.id)
    const updated = await users.update(id, account, user, await settingChange(id, setting))
    return browser.renewed(updated, request, reply)
  })
  http.answer(resetPassword, async ({ user, params, body, request, reply }) => {
    const { password, ...updated } = await users.resetPassword(Number(params.id), body.password, user)
    await browser.renewed(updated, request, reply)
    return { password }
  })
  http.answer(listUserSessions, ({ user, params }) => personSessions.list(Number(params.id), user.session))
  http.answer(endUserSession, async ({ params }) => ({
    ended: await personSessions.end(Number(params.id), params.session),
  }))
  http.answer(endUserSessions, async ({ user, params }) => ({
    ended: await personSessions.endAll(Number(params.id), user.session),
  }))
}
