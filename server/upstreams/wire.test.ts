import { describe, expect, test } from 'vitest'
import type { Source } from '#contract/models.ts'
import { stepsOf } from './wire.ts'

const outcomes = (message: string | null, source: Source = 'openai_api') =>
  stepsOf(message, source).map(({ outcome }) => outcome)

describe('the steps of a test', () => {
  test.each([
    ['an answer as it should be', null, ['ok', 'ok', 'ok']],
    ['nobody there', 'errors.httpError', ['failed', 'untried', 'untried']],
    ['something else at the address', 'errors.openai.unknown', ['failed', 'untried', 'untried']],
    ['a key that is not taken', 'errors.openai.401', ['ok', 'failed', 'untried']],
    ['a limit that is used up', 'errors.openai.429', ['ok', 'failed', 'untried']],
  ])('of %s', (_what, message, expected) => {
    expect(outcomes(message)).toEqual(expected)
  })
  test('of a web account have no list of models', () => {
    expect(outcomes(null, 'openai_web')).toEqual(['ok', 'ok', 'untried'])
    expect(outcomes('errors.openai.403', 'openai_web')).toEqual(['ok', 'failed', 'untried'])
    expect(outcomes('errors.upstreamTimeout', 'openai_web')).toEqual(['failed', 'untried', 'untried'])
  })
})
