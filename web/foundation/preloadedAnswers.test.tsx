import { beforeEach, describe, expect, test, vi } from 'vitest'
import { readMe } from '#contract/users.ts'
import { readPreferences } from '#contract/preferences.ts'
import { readPortal } from '#contract/status.ts'
import { dropPreloaded, takePreloaded, takeSentAhead } from './preloadedAnswers.ts'

beforeEach(() => {
  dropPreloaded()
  vi.spyOn(performance, 'now').mockReturnValue(1000)
})

describe('an answer that came along with the page', () => {
  beforeEach(() => {
    const sent = document.createElement('script')
    sent.type = 'application/json'
    sent.id = 'answers'
    sent.textContent = '{"GET /user/me":{"code":200},"GET /user/me/preferences":{"code":201}}'
    document.body.append(sent)
  })
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

describe('a response to what was asked before the scripts ran', () => {
  const ahead = () => {
    const response = Promise.resolve(new Response())
    globalThis.sentAhead = { 'GET /api/conv/1': response }
    return response
  }
  test('serves one call', () => {
    const response = ahead()
    expect(takeSentAhead('GET', '/api/conv/1')).toBe(response)
    expect(takeSentAhead('GET', '/api/conv/1')).toBe(undefined)
  })
  test('is there for no other', () => {
    ahead()
    expect(takeSentAhead('DELETE', '/api/conv/1')).toBe(undefined)
    expect(takeSentAhead('GET', '/api/conv/2')).toBe(undefined)
  })
  test('is gone when somebody else may be signing in', () => {
    ahead()
    dropPreloaded()
    expect(takeSentAhead('GET', '/api/conv/1')).toBe(undefined)
  })
})
