import { describe, expect, test } from 'vitest'
import type { ConversationRecord } from '#contract/conversations.ts'
import type { AskState } from './askState.ts'
import { aMessage, anAsk } from './builders.testing.ts'
import { rowStateOf, rowStateOfRecord } from './rowStateOf.ts'

const kindOf = (state: AskState, words = '') =>
  rowStateOf(
    anAsk({
      state,
      replies: [aMessage({ id: 'a', role: 'assistant', content: { content_type: 'text', text: words } })],
    }),
  )?.kind ?? null

const failed = (charged: boolean | null, tip = 'errors.httpError'): AskState => ({
  phase: 'failed',
  tip,
  values: null,
  charged,
})

const aRecord = (more: Partial<ConversationRecord> = {}): ConversationRecord => ({
  id: 1,
  source: 'openai_api',
  conversation_id: 'c',
  source_id: null,
  title: '',
  user_id: 1,
  is_valid: true,
  current_model: null,
  create_time: '2026-11-20T06:00:00.000Z',
  update_time: null,
  ...more,
})

describe('the row of a conversation', () => {
  test('says how far its ask is', () => {
    expect(rowStateOf(anAsk({ state: { phase: 'queueing', place: 2, estimate_seconds: null } }))).toEqual({
      kind: 'queueing',
      place: 2,
    })
    expect(kindOf({ phase: 'waiting' })).toBe('replying')
  })
  test('says that an answer was interrupted where there is a part of one, that there is none where nothing came', () => {
    expect(kindOf(failed(true), '三点')).toBe('interrupted')
    expect(kindOf(failed(false))).toBe('failed')
  })
  test('goes on saying that it is answered when only the session of the page has ended', () => {
    expect(kindOf(failed(null, 'errors.loginExpired'), '三点')).toBe('replying')
  })
  test('says of what has not been seen that there is an answer, or a part of one', () => {
    expect(rowStateOfRecord(aRecord(), true)).toEqual({ kind: 'answered' })
    expect(rowStateOfRecord(aRecord({ broken_off: true }), true)).toEqual({ kind: 'interrupted' })
    expect(rowStateOfRecord(aRecord({ broken_off: true }), false)).toBe(null)
    expect(rowStateOfRecord(aRecord(), false)).toBe(null)
  })
  test('waits with it until what runs has been taken up', () => {
    expect(rowStateOfRecord(aRecord({ running_ask: 'ask-9' }), true)).toBe(null)
  })
  test('says that there is no answer, also when it has been seen', () => {
    expect(rowStateOfRecord(aRecord({ unanswered: true }), false)).toEqual({ kind: 'failed' })
  })
})
