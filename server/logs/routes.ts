import { downloadLog, listLogFiles, readLogLines, readProxyLogLines } from '#contract/logFiles.ts'
import { readServerLog } from '#contract/logs.ts'
import { downloadAnswer } from '#server/foundation/http/download.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { SignedIn } from '#server/foundation/http/sessionGuard.ts'
import type { Logs } from './logs.ts'

export function logRoutes<U extends SignedIn>(http: Http<U>, logs: Logs): void {
  http.answer(listLogFiles, () => logs.list())
  http.answer(readLogLines, ({ body }) => logs.lines(body))
  http.answer(readProxyLogLines, ({ body }) => logs.proxyLines(body))
  http.answer(readServerLog, ({ body }) => logs.lastLines(body))
  http.answer(downloadLog, async ({ params, request }) => downloadAnswer(request, await logs.download(params.name)))
}
