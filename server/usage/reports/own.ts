import type { QueryOf, ResultOf } from '#contract/call.ts'
import { rowsAsked } from '#contract/paging.ts'
import type { listMyUsageLines, MyUsage, readMyUsage } from '#contract/usage.ts'
import type { Clock } from '#server/foundation/clock.ts'
import { csvAnswer } from '#server/foundation/http/download.ts'
import type { HttpAnswer } from '#server/foundation/http/route.ts'
import { dayLines, ledgerLines } from './csv.ts'
import { type LimitUses, sentLimitUse } from './limitUses.ts'
import { dayAt } from './months.ts'
import { sourceOf, toUsageLine, type UsageQuery, type UsageReading } from './reading.ts'
import type { UsageRequests } from './requests.ts'
import type { UsageFilter } from './store.ts'
import { sumOf, sumsBy, usedOf } from './sums.ts'

type Dependencies = {
  clock: Clock
  reading: UsageReading
  limitUses: Pick<LimitUses, 'ofPerson'>
  requests: UsageRequests
}

/** Later than anything. */
const END = 8_640_000_000_000_000

export type OwnUsage = ReturnType<typeof openOwnUsage>

/** What a person used, and what is left to them. By the queries of the administrators' table. */
export function openOwnUsage({ clock, reading, limitUses, requests }: Dependencies) {
  const ownFilter = (user_id: number, query: UsageQuery): Promise<UsageFilter> =>
    reading.filterOf({ ...query, person: String(user_id), plan: undefined })

  /** All lines, unless a span is asked for. */
  async function linesFilter(user_id: number, query: UsageQuery): Promise<UsageFilter> {
    const { from, to, month } = query
    const filter = await ownFilter(user_id, query)
    return [from, to, month].some(part => part !== undefined) ? filter : { ...filter, from: 0, to: END }
  }

  async function byDay(filter: UsageFilter) {
    const rows = await reading.days(filter)
    const sums = sumsBy(rows, ({ day, source, model }) => `${day} ${source} ${model}`)
    return {
      rows: sums.map(({ row, sum }) => ({ day: row.day, source: sourceOf(row), model: row.model, ...usedOf(sum) })),
      sum: usedOf(sumOf(rows)),
    }
  }

  const namedBySpan = (kind: string, { from, to }: UsageFilter): string => {
    const days = [from, Math.min(to, clock.now())].map(time => dayAt(time, reading.timeZone()))
    return `${kind}-${days.join('-')}.csv`
  }

  return {
    async read(user_id: number, query: QueryOf<typeof readMyUsage>): Promise<MyUsage> {
      const filter = await ownFilter(user_id, query)
      const [used, limits, open_requests] = await Promise.all([
        byDay(filter),
        limitUses.ofPerson(user_id),
        requests.openOf(user_id),
      ])
      const now = new Date(clock.now()).toISOString()
      return { ...reading.head(filter), now, limits: limits.map(sentLimitUse), ...used, requests: open_requests }
    },

    async lines(user_id: number, query: QueryOf<typeof listMyUsageLines>): Promise<ResultOf<typeof listMyUsageLines>> {
      const filter = await linesFilter(user_id, query)
      const [rows, total] = await Promise.all([
        reading.reader().lines(filter, { ...rowsAsked(query), order: 'desc' }),
        reading.reader().countLines(filter),
      ])
      return { rows: rows.map(toUsageLine), total }
    },

    async file(user_id: number, query: UsageQuery): Promise<HttpAnswer> {
      const filter = await ownFilter(user_id, query)
      const { rows } = await byDay(filter)
      return csvAnswer(namedBySpan('usage', filter), dayLines(rows, reading.head(filter)))
    },

    async linesFile(user_id: number, query: UsageQuery): Promise<HttpAnswer> {
      const filter = await linesFilter(user_id, query)
      const page = async (limit: number, offset: number) =>
        (await reading.reader().lines(filter, { limit, offset, order: 'asc' })).map(toUsageLine)
      return csvAnswer(namedBySpan('ledger', filter), ledgerLines(page, reading.head(filter)))
    },
  }
}
