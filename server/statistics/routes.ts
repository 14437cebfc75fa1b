import { exportAsks, listLoggedAsks, readAskTotals } from '#contract/askLog.ts'
import { listAskLogs } from '#contract/logFiles.ts'
import {
  readAskPlot,
  readAskStatistics,
  readPlotUsers,
  readRequestPlot,
  readRequestStatistics,
  readSystemInfo,
} from '#contract/statistics.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { SignedIn } from '#server/foundation/http/sessionGuard.ts'
import type { AskLogs } from './askLog.ts'
import type { Statistics, SystemInformation } from './statistics.ts'

type Services = { statistics: Statistics; askLogs: AskLogs; systemInformation: SystemInformation }

export function statisticsRoutes<U extends SignedIn>(
  http: Http<U>,
  { statistics, askLogs, systemInformation }: Services,
): void {
  http.answer(readSystemInfo, () => systemInformation())
  http.answer(readAskPlot, ({ query }) => statistics.askPlot(query))
  http.answer(readRequestPlot, ({ query }) => statistics.requestPlot(query))
  http.answer(readPlotUsers, ({ query }) => statistics.people(query))
  http.answer(listLoggedAsks, ({ query }) => askLogs.list(query))
  http.answer(readAskTotals, ({ query }) => askLogs.totals(query))
  http.answer(exportAsks, ({ query }) => askLogs.export(query))
  http.answer(readRequestStatistics, ({ query }) => statistics.requests(query))
  http.answer(readAskStatistics, ({ query }) => statistics.asks(query))
  http.answer(listAskLogs, ({ query }) => askLogs.answered(query))
}
