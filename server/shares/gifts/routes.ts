import { listShareGifts, listShareReceivers, readShareLedger } from '#contract/shareLedger.ts'
import { giveShare, takeBackShare } from '#contract/shares.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { User } from '#server/users/user.ts'
import type { Gifts } from './giving.ts'

export function giftRoutes(http: Http<User>, gifts: Gifts): void {
  http.answer(listShareGifts, ({ user }) => gifts.list(user.id))
  http.answer(readShareLedger, ({ user, params }) => gifts.ledger(user.id, Number(params.id)))
  http.answer(listShareReceivers, ({ user, params }) => gifts.receivers(user.id, Number(params.id)))
  http.answer(giveShare, ({ user, body }) => gifts.give(user.id, body))
  http.answer(takeBackShare, ({ user, params }) => gifts.takeBack(user.id, Number(params.id)))
}
