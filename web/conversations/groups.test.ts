import { describe, expect, test } from 'vitest'
import type { ConversationRecord } from '#contract/conversations.ts'
import { groupsOf } from './groups.ts'

const now = new Date(2026, 10, 20, 14, 5)

function used(...when: [month: number, day: number, hour?: number]): ConversationRecord {
  const [month, day, hour = 12] = when
  const time = new Date(2026, month - 1, day, hour).toISOString()
  return {
    id: 1,
    source: 'openai_api',
    conversation_id: time,
    source_id: null,
    title: `${month}/${day}`,
    user_id: 1,
    is_valid: true,
    current_model: null,
    create_time: '2020-01-01T00:00:00.000Z',
    update_time: time,
  }
}

const keys = (...records: ConversationRecord[]) =>
  groupsOf(records, now).map(({ key, records }) => [key, records.map(({ title }) => title)])

describe('groups of conversations', () => {
  test('are today, yesterday, the last 7 days and months', () => {
    expect(keys(used(11, 20), used(11, 19), used(11, 14), used(10, 3), used(9, 30))).toEqual([
      ['today', ['11/20']],
      ['yesterday', ['11/19']],
      ['week', ['11/14']],
      ['2026-10', ['10/3']],
      ['2026-9', ['9/30']],
    ])
  })
  test('follow the calendar, not hours', () => {
    expect(keys(used(11, 20, 0), used(11, 19, 23))).toEqual([
      ['today', ['11/20']],
      ['yesterday', ['11/19']],
    ])
  })
  test('of seven days end on the eighth', () => {
    expect(keys(used(11, 13), used(11, 12)).map(([key]) => key)).toEqual(['week', '2026-11'])
  })
  test('have the latest used first', () => {
    expect(keys(used(11, 20, 8), used(11, 20, 9), used(11, 19))).toEqual([
      ['today', ['11/20', '11/20']],
      ['yesterday', ['11/19']],
    ])
    expect(groupsOf([used(11, 20, 8), used(11, 20, 9)], now)[0]?.records[0]?.conversation_id).toBe(
      used(11, 20, 9).conversation_id,
    )
  })
  test('count a conversation that was never answered by its beginning', () => {
    const fresh = { ...used(11, 20), create_time: now.toISOString(), update_time: null }
    expect(keys(fresh).map(([key]) => key)).toEqual(['today'])
  })
  test('count a time in the future as today', () => {
    expect(keys(used(11, 21)).map(([key]) => key)).toEqual(['today'])
  })
})
