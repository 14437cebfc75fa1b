import { describe, expect, test } from 'vitest'
import { readMe } from '#contract/accounts.ts'
import { readPreferences } from '#contract/preferences.ts'
import { readPortal } from '#contract/status.ts'
import { dropPreloaded, takePreloaded } from './preloadedAnswers.ts'

const sent = document.createElement('script')
sent.type = 'application/json'
sent.id = 'answers'
sent.textContent = '{"GET /user/me":{"code":200},"GET /user/me/preferences":{"code":201}}'
document.body.append(sent)

describe('an answer that came along with the page', () => {
  test('serves one call', () => {
    expect(takePreloaded(readMe)).toEqual({ code: 200 })
    expect(takePreloaded(readMe)).toBe(undefined)
  })
  test('is there for no other', () => {
    expect(takePreloaded(readPortal)).toBe(undefined)
  })
  test('is gone when somebody else may be signing in', () => {
    dropPreloaded()
    expect(takePreloaded(readPreferences)).toBe(undefined)
  })
})
