import { describe, expect, test } from 'vitest'
import { readMe } from '#contract/accounts.ts'
import { readPreferences } from '#contract/preferences.ts'
import { readPortal } from '#contract/status.ts'
import { dropAnswers, takeAnswer } from './answersAlong.ts'

const sent = document.createElement('script')
sent.type = 'application/json'
sent.id = 'answers'
sent.textContent = '{"GET /user/me":{"code":200},"GET /user/me/preferences":{"code":201}}'
document.body.append(sent)

describe('an answer that came along with the page', () => {
  test('serves one call', () => {
    expect(takeAnswer(readMe)).toEqual({ code: 200 })
    expect(takeAnswer(readMe)).toBe(undefined)
  })
  test('is there for no other', () => {
    expect(takeAnswer(readPortal)).toBe(undefined)
  })
  test('is gone when somebody else may be signing in', () => {
    dropAnswers()
    expect(takeAnswer(readPreferences)).toBe(undefined)
  })
})
