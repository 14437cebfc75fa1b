import type { ConversationRecord } from '#contract/conversations.ts'
import { daysBetween } from '#web/foundation/times.ts'

/** `year` and `month` (1 to 12) for what is older than a week. */
export type Span =
  | { kind: 'today' }
  | { kind: 'yesterday' }
  | { kind: 'week' }
  | { kind: 'month'; year: number; month: number }
export type Group = { key: string; span: Span; records: ConversationRecord[] }

function lastUsed(record: ConversationRecord): number {
  return Date.parse(record.update_time ?? record.create_time)
}

/** Newest first, by the calendar of the viewer's time zone. */
export function groupsOf(records: readonly ConversationRecord[], now: Date): Group[] {
  const groups: Group[] = []
  const dated = records.map(record => ({ record, used: lastUsed(record) })).toSorted((a, b) => b.used - a.used)
  for (const { record, used } of dated) {
    const span = spanOf(new Date(used), now)
    const key = span.kind === 'month' ? `${span.year}-${span.month}` : span.kind
    const last = groups.at(-1)
    if (last?.key === key) last.records.push(record)
    else groups.push({ key, span, records: [record] })
  }
  return groups
}

/** The first `count` records, in their groups. */
export function firstOf(groups: readonly Group[], count: number): Group[] {
  const shown: Group[] = []
  let left = count
  for (const group of groups) {
    if (left <= 0) break
    shown.push(left >= group.records.length ? group : { ...group, records: group.records.slice(0, left) })
    left -= group.records.length
  }
  return shown
}

function spanOf(time: Date, now: Date): Span {
  const ago = daysBetween(time, now)
  if (ago <= 0) return { kind: 'today' }
  if (ago === 1) return { kind: 'yesterday' }
  if (ago <= 7) return { kind: 'week' }
  return { kind: 'month', year: time.getFullYear(), month: time.getMonth() + 1 }
}
