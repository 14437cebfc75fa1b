import type { QueryOf } from '#contract/call.ts'
import { SOURCES } from '#contract/models.ts'
import { rowsAsked } from '#contract/paging.ts'
import { MILLIONTHS } from '#contract/plans.ts'
import type { exportUsage, readStatement, readUsage, Statement, UsageTable, Used } from '#contract/usage.ts'
import { csvAnswer } from '#server/foundation/http/download.ts'
import type { HttpAnswer } from '#server/foundation/http/route.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { countUsers, userStore } from '#server/users/store.ts'
import { tableLines } from './csv.ts'
import { dayAt, monthSpan, spanBefore } from './months.ts'
import { accountOf, sourceOf, type UsageReading } from './reading.ts'
import type { UsedRow } from './store.ts'
import { paidAsks, sumOf, sumsBy, usedOf } from './sums.ts'

type Sorting = Pick<QueryOf<typeof exportUsage>, 'sort' | 'order'>
type Person = { user_id: number | null; nickname: string | null; sum: Used; rows: UsedRow[] }

const NAMES = new Intl.Collator('zh-CN', { numeric: true })

export type UsageOfEverybody = ReturnType<typeof openUsageOfEverybody>

/** What everybody used, for administrators. */
export function openUsageOfEverybody(reading: UsageReading) {
  async function people(query: QueryOf<typeof exportUsage>) {
    const filter = await reading.filterOf(query)
    const [rows, labels] = await Promise.all([
      filter.user_ids?.length === 0 ? [] : reading.reader().table(filter),
      reading.reader().labels(),
    ])
    const nicknames = await userStore(reading.database()).nicknamesOf([...new Set(rows.map(row => row.user_id))])
    return { filter, rows, labels, people: sorted(peopleOf(rows, nicknames), query) }
  }

  return {
    async table(query: QueryOf<typeof readUsage>): Promise<UsageTable> {
      const [{ filter, rows, labels, people: all }, accounts] = await Promise.all([
        people(query),
        countUsers(reading.database(), 0),
      ])
      const before =
        query.month === undefined
          ? null
          : await reading.reader().table({ ...filter, ...spanBefore(filter, reading.timeZone()), is_open: false })
      const { limit, offset } = rowsAsked(query)
      return {
        ...reading.head(filter),
        rows: all.slice(offset, offset + limit).flatMap(person => rowsOf(person, labels)),
        total: all.length,
        people: accounts.all,
        models: sumsBy(rows, ({ source, model }) => `${source} ${model}`)
          .map(({ row, sum }) => ({ source: sourceOf(row), model: row.model, ...usedOf(sum) }))
          .toSorted((a, b) => SOURCES.indexOf(a.source) - SOURCES.indexOf(b.source) || b.asks - a.asks),
        sum: usedOf(sumOf(rows)),
        before: before && usedOf(sumOf(before)),
      }
    },

    async file(query: QueryOf<typeof exportUsage>): Promise<HttpAnswer> {
      const { filter, labels, people: all } = await people(query)
      const days = [filter.from, filter.to - 1].map(time => dayAt(time, reading.timeZone()))
      const rows = all.flatMap(person => rowsOf(person, labels))
      return csvAnswer(`usage-${days.join('-')}.csv`, tableLines(rows, reading.head(filter)))
    },

    async statement({ user_id, month }: QueryOf<typeof readStatement>): Promise<Statement> {
      const user = await userStore(reading.database()).find(Number(user_id))
      if (user === undefined) throw new Refusal('userNotExist')
      const filter = { ...reading.allOf(monthSpan(month, reading.timeZone())), user_ids: [user.id] }
      const [rows, days, { lines, cost, uncharged_asks, ...counted }, labels] = await Promise.all([
        reading.reader().table(filter),
        reading.days(filter),
        reading.reader().sumOfLines(filter),
        reading.reader().labels(),
      ])
      return {
        ...reading.head(filter),
        user_id: user.id,
        username: user.username,
        nickname: user.nickname,
        month,
        rows: byAsks(rows).map(({ row, sum }) => ({ ...accountOf(row, labels), ...usedOf(sum) })),
        days: sumsBy(days, ({ day }) => day).map(({ row, sum }) => ({ day: row.day, ...usedOf(sum) })),
        sum: usedOf(sumOf(rows)),
        ledger: {
          lines,
          ...counted,
          asks: paidAsks({ asks: counted.asks, uncharged_asks }),
          tokens: counted.input_tokens + counted.output_tokens,
          money: cost / MILLIONTHS,
        },
      }
    },
  }
}

/** Those who are gone are one. */
function peopleOf(rows: readonly UsedRow[], nicknames: ReadonlyMap<number, string>): Person[] {
  const byPerson = Map.groupBy(rows, ({ user_id }) => (nicknames.has(user_id) ? user_id : null))
  return [...byPerson].map(([user_id, own]) => ({
    user_id,
    nickname: user_id === null ? null : (nicknames.get(user_id) ?? null),
    sum: usedOf(sumOf(own)),
    rows: own,
  }))
}

function sorted(people: Person[], { sort = 'asks', order = sort === 'nickname' ? 'asc' : 'desc' }: Sorting): Person[] {
  const direction = order === 'asc' ? 1 : -1
  return people.toSorted(
    (a, b) =>
      direction *
        (sort === 'nickname' ? NAMES.compare(a.nickname ?? '', b.nickname ?? '') : a.sum[sort] - b.sum[sort]) ||
      (a.user_id ?? 0) - (b.user_id ?? 0),
  )
}

const rowsOf = ({ user_id, nickname, rows }: Person, labels: ReadonlyMap<number, string>): UsageTable['rows'] =>
  byAsks(rows).map(({ row, sum }) => ({ user_id, nickname, ...accountOf(row, labels), ...usedOf(sum) }))

const accountKey = ({ source, model, upstream_id }: UsedRow): string => `${source} ${model} ${upstream_id}`

const byAsks = (rows: readonly UsedRow[]) =>
  sumsBy(rows, accountKey).toSorted(
    (a, b) => b.sum.asks - a.sum.asks || accountKey(a.row).localeCompare(accountKey(b.row)),
  )
