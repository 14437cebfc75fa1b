import { createInvitation, listInvitations, revokeInvitation } from '#contract/invitations.ts'
import { acceptInvitation, checkInvitedName, readInvitation } from '#contract/joining.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { User } from '#server/users/user.ts'
import type { Users } from '#server/users/users.ts'
import type { Invitations } from './invitations.ts'
import type { Joining } from './joining.ts'

export function invitationRoutes(
  http: Http<User>,
  { invitations, joining, users }: { invitations: Invitations; joining: Joining; users: Pick<Users, 'browser'> },
): void {
  http.answer(listInvitations, () => invitations.list())
  http.answer(createInvitation, ({ user, body }) => invitations.create(user, body))
  http.answer(revokeInvitation, async ({ params }) => {
    await invitations.revoke(Number(params.id))
    return null
  })
  http.answer(readInvitation, ({ body, request }) => joining.read(body.token, request.ip))
  http.answer(checkInvitedName, async ({ body: { token, username }, request }) => ({
    is_free: await joining.isNameFree(token, username, request.ip),
  }))
  http.answer(acceptInvitation, async ({ body, request, reply }) => {
    await users.browser.begin((visitor, former) => joining.accept(body, visitor, former), request, reply)
    return null
  })
}
