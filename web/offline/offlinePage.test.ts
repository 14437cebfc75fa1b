import { describe, expect, test } from 'vitest'
import { isFromGateway } from './offlinePage.ts'

describe('the response of a proxy that cannot reach the server', () => {
  test.each([502, 503, 504])('is %d without a request id', status => {
    expect(isFromGateway(new Response('', { status }))).toBe(true)
  })
  test.each([502, 503, 504])('is not %d from the server itself', status => {
    expect(isFromGateway(new Response('', { status, headers: { 'x-request-id': 'a-1' } }))).toBe(false)
  })
  test.each([200, 304, 404, 413, 500])('is not %d', status => {
    expect(isFromGateway(new Response(null, { status }))).toBe(false)
  })
})
