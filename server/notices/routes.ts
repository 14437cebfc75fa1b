import { addDevice, forgetReminder, noteView, readNotices, removeDevice, setReminder } from '#contract/notices.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { User } from '#server/users/user.ts'
import type { Notices } from './notices.ts'

export function noticeRoutes(http: Http<User>, notices: Notices): void {
  http.answer(readNotices, ({ user }) => notices.read(user))
  http.answer(addDevice, async ({ user, body }) => {
    await notices.addDevice(user, body)
    return null
  })
  http.answer(removeDevice, async ({ user, body }) => {
    await notices.removeDevice(user, body.endpoint)
    return null
  })
  http.answer(setReminder, async ({ user, body }) => {
    await notices.remind(user, body)
    return null
  })
  http.answer(forgetReminder, async ({ user }) => {
    await notices.forgetReminder(user)
    return null
  })
  http.answer(noteView, ({ user, body }) => {
    notices.noteView(user, body)
    return null
  })
}
