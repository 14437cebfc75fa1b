import { exportConversations, importConversations } from '#contract/transfer.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { Reader } from './conversations.ts'
import type { exporting } from './exporting.ts'
import type { importing } from './importing.ts'

type Rules = { exportOwn: ReturnType<typeof exporting>; importOwn: ReturnType<typeof importing> }

export function transferRoutes(http: Http<Reader>, { exportOwn, importOwn }: Rules): void {
  http.answer(exportConversations, ({ user, query }) => exportOwn(user.id, query.after))
  http.answer(importConversations, async ({ user, body }) => ({
    results: await importOwn(user.id, body.conversations),
  }))
}
