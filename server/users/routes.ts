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
} from '#contract/users.ts'
import {
  createUser,
  endUserSession,
  endUserSessions,
  listUserSessions,
  resetPassword,
  saveUser,
} from '#contract/userAdministration.ts'
import { holdUser, readHold } from '#contract/keeping.ts'
import { readPreferences, updatePreferences } from '#contract/preferences.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { Users } from './users.ts'
import type { User } from './user.ts'

/**
 * `started`: resolves when the first administrator is made, so that nobody who signs in before is told that the
 * password is wrong.
 */
export function accountRoutes(http: Http<User>, users: Users, started: Promise<void> = Promise.resolve()): void {
  const { browser } = users
  http.answer(login, async ({ body, request, reply }) => {
    await started
    await browser.signIn(body, request, reply)
    return null
  })
  http.answer(logout, async ({ request, reply }) => {
    await browser.signOut(request, reply)
    return null
  })
  http.answer(readMe, ({ user }) => users.own.read(user))
  http.answer(updateMe, async ({ user, body, request, reply }) => {
    const updated = await users.own.update(user, body)
    return browser.renewed(updated, request, reply)
  })
  http.answer(updateOwnApi, async ({ user, body }) => {
    await users.changeOwnApi(user.id, body)
    return users.own.read(user)
  })
  http.answer(readPreferences, ({ user }) => users.preferences.read(user.id))
  http.answer(updatePreferences, ({ user, body }) => users.preferences.update(user.id, body))

  http.answer(register, ({ body }) => users.directory.create(body))
  http.answer(listUsers, () => users.directory.list())
  http.answer(readUser, ({ params }) => users.directory.read(Number(params.id)))
  http.answer(updateUser, async ({ user, params, body, request, reply }) => {
    const updated = await users.directory.update(Number(params.id), body, user)
    return browser.renewed(updated, request, reply)
  })
  http.answer(readHold, ({ params }) => users.holds.read(Number(params.id)))
  http.answer(holdUser, ({ params, body }) => users.holds.change(Number(params.id), body))
  http.answer(deleteUser, async ({ params }) => {
    await users.directory.remove(Number(params.id))
    return null
  })
  http.answer(updateUserSetting, async ({ params, body }) => {
    await users.changeSetting(Number(params.id), body)
    return users.directory.read(Number(params.id))
  })
  userSessionRoutes(http, users)
}

/** What only the page of our own asks for. */
function userSessionRoutes(http: Http<User>, { directory, settingChange, userSessions, browser }: Users): void {
  http.answer(createUser, ({ body }) => directory.createNew(body))
  http.answer(saveUser, async ({ user, params, body: { account = {}, setting = {} }, request, reply }) => {
    const id = Number(params.id)
    const updated = await directory.update(id, account, user, await settingChange(id, setting))
    return browser.renewed(updated, request, reply)
  })
  http.answer(resetPassword, async ({ user, params, body, request, reply }) => {
    const { password, ...updated } = await directory.resetPassword(Number(params.id), body.password, user)
    await browser.renewed(updated, request, reply)
    return { password }
  })
  http.answer(listUserSessions, ({ user, params }) => userSessions.list(Number(params.id), user.session))
  http.answer(endUserSession, async ({ params }) => ({
    ended: await userSessions.end(Number(params.id), params.session),
  }))
  http.answer(endUserSessions, async ({ user, params }) => ({
    ended: await userSessions.endAll(Number(params.id), user.session),
  }))
}
