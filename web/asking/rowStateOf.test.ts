import { describe, expect, test } from 'vitest'
import type { AskState } from './askState.ts'
import { aMessage, anAsk } from './builders.ts'
import { rowStateOf } from './rowStateOf.ts'

const kindOf = (state: AskState, words = '') =>
  rowStateOf(anAsk({ state, replies: [aMessage({ id: 'a', role: 'assistant', content: { content_type: 'text', text: words } })] }))?.kind ?? null

const failed = (charged: boolean | null, tip = 'errors.httpError'): AskState => ({ phase: 'failed', tip, values: null, charged })

describe('the row of a conversation', () => {
  test('says how far its ask is', () => {
    expect(rowStateOf(anAsk({ state: { phase: 'queueing', place: 2, estimate_seconds: null } }))).toEqual({ kind: 'queueing', place: 2 })
    expect(kindOf({ phase: 'waiting' })).toBe('replying')
  })
  test('says that there is a new answer, also one that was stopped on another device', () => {
    expect(kindOf({ phase: 'finished', charged: true }, '三点半')).toBe('answered')
    expect(kindOf({ phase: 'stopped', charged: true }, '三点')).toBe('answered')
    expect(kindOf({ phase: 'stopped', charged: false })).toBe(null)
  })
  test('says that an answer was interrupted where there is a part of one, whatever broke it off', () => {
    expect(kindOf({ phase: 'interrupted', charged: true }, '三点')).toBe('interrupted')
    expect(kindOf(failed(true), '三点')).toBe('interrupted')
  })
  test('says that there is no answer where nothing came', () => {
    expect(kindOf({ phase: 'interrupted', charged: false })).toBe('failed')
    expect(kindOf(failed(false))).toBe('failed')
  })
  test('goes on saying that it is answered when only the session of the page has ended', () => {
    expect(kindOf(failed(null, 'errors.loginExpired'), '三点')).toBe('replying')
  })
})
