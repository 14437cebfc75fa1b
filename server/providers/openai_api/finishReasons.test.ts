import { describe, expect, test } from 'vitest'
import { finishOf } from './chunks.ts'

describe('a reason why an answer ended', () => {
  test.each([
    ['stop', 'stop'],
    ['STOP', 'stop'],
    ['eos_token', 'stop'],
    ['end-turn', 'stop'],
    ['Completed', 'stop'],
    ['length', 'length'],
    ['MaxTokens', 'length'],
    ['model_length', 'length'],
    ['max_output_tokens', 'length'],
    ['tool_use', 'tool_calls'],
    ['tool-calls', 'tool_calls'],
    ['FunctionCall', 'function_call'],
    ['FINISH_REASON_MAX_TOKENS', 'length'],
  ])('%s is a good one, and stored as %s', (given, reason) => {
    expect(finishOf(given)).toEqual({ kind: 'whole', reason })
  })
  test.each(['content_filter', 'contentFilter', 'SAFETY', 'RECITATION', 'sensitive', 'guardrail_intervened'])(
    '%s is a filter',
    given => {
      expect(finishOf(given)).toEqual({ kind: 'filtered', reason: 'content_filter' })
    },
  )
  test('of another kind is none that is known to be good, and stored when it is one word', () => {
    for (const given of ['error', 'network_error', 'stopped_by_server', 'abort', 'nonstop', 'other'])
      expect(finishOf(given)).toEqual({ kind: 'unknown', reason: given })
    for (const given of ['two words', 'x'.repeat(65), 'a\0', '\ud800b', '，', 5, {}, ['stop'], true])
      expect(finishOf(given)).toEqual({ kind: 'unknown', reason: null })
  })
  test('is not there while the answer goes on', () => {
    for (const given of [undefined, null, '', false]) expect(finishOf(given)).toBe(null)
  })
})
