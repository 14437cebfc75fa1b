import { describe, expect, test } from 'vitest'
import { stepsOf } from './testSteps.ts'

const outcomes = (message: string | null) => stepsOf(message).map(({ outcome }) => outcome)

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
})
