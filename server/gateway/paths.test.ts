import { describe, expect, test } from 'vitest'
import { hasVersion, isOfGateway } from './paths.ts'

describe('an address', () => {
  test.each([
    ['POST', '/v1/chat/completions', true],
    ['GET', '/v1', true],
    ['GET', '/v1?a=1', true],
    ['DELETE', '/v1/no/such', true],
    ['POST', '/responses?beta=true', true],
    ['OPTIONS', '/messages', true],
    ['GET', '/responses', false],
    ['POST', '/v10/chat', false],
    ['POST', '/api/v1/chat', false],
    ['GET', '/conversation', false],
  ])('%s %s is one of other tools: %s', (method, url, is) => {
    expect(isOfGateway({ method, url })).toBe(is)
  })
  test('has the version where no page is', () => {
    expect(hasVersion('/v1/responses')).toBe(true)
    expect(hasVersion('/responses')).toBe(false)
  })
})
