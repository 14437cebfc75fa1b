import {
  decideUsageRequest,
  exportMyUsage,
  exportMyUsageLines,
  exportUsage,
  listMyUsageLines,
  listUsageRequests,
  readMyUsage,
  readStatement,
  readUsage,
  requestUsage,
  takeUsageNotices,
  withdrawUsageRequest,
} from '#contract/usage.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { User } from '#server/users/user.ts'
import type { UsageReports } from './reports.ts'

export function usageRoutes(http: Http<User>, { own, everybody, requests, notices }: UsageReports): void {
  http.answer(readMyUsage, ({ user, query }) => own.read(user.id, query))
  http.answer(exportMyUsage, ({ user, query }) => own.file(user.id, query))
  http.answer(listMyUsageLines, ({ user, query }) => own.lines(user.id, query))
  http.answer(exportMyUsageLines, ({ user, query }) => own.linesFile(user.id, query))
  http.answer(takeUsageNotices, ({ user }) => notices(user.id))
  http.answer(readUsage, ({ query }) => everybody.table(query))
  http.answer(exportUsage, ({ query }) => everybody.file(query))
  http.answer(readStatement, ({ query }) => everybody.statement(query))
  http.answer(requestUsage, ({ user, body }) => requests.request(user.id, body))
  http.answer(listUsageRequests, ({ user, query }) => requests.list(user, query))
  http.answer(decideUsageRequest, ({ user, params, body }) => requests.decide(user, Number(params.id), body))
  http.answer(withdrawUsageRequest, async ({ user, params }) => {
    await requests.withdraw(user.id, Number(params.id))
    return null
  })
}
