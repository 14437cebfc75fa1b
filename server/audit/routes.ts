import { exportAudit, listAudit, undoAudit } from '#contract/audit.ts'
import { continueOversight, listOversight, listOwnOversight, noticeOversight } from '#contract/oversight.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { SignedIn } from '#server/foundation/http/sessionGuard.ts'
import type { Audit } from './log.ts'
import type { Oversight } from './oversight.ts'

type Services = { audit: Audit; oversight: Oversight }

/** `openOversight` stands with the conversations. */
export function auditRoutes<U extends SignedIn>(http: Http<U>, { audit, oversight }: Services): void {
  http.answer(listAudit, ({ query }) => audit.list(query))
  http.answer(exportAudit, async ({ query }) => audit.export(query))
  http.answer(undoAudit, ({ user, params }) => audit.undo(Number(params.id), user.id))
  http.answer(continueOversight, async ({ user, params }) => {
    await oversight.goOn(user, params.id)
    return null
  })
  http.answer(listOversight, ({ query }) => oversight.list(query))
  http.answer(listOwnOversight, ({ user }) => oversight.listOwn(user.id))
  http.answer(noticeOversight, async ({ user }) => {
    await oversight.notice(user.id)
    return null
  })
}
