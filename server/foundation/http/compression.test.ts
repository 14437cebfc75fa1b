import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type Call, nothing } from '#contract/call.ts'
import { anEdge } from '#testing/edge.ts'

const readBook = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/book',
  summary: 'All of it.',
  result: z.object({ text: z.string() }),
} as const satisfies Call

const aBook = (text: string, options: Parameters<typeof anEdge>[0] = {}) =>
  anEdge(options, http => {
    http.answer(readBook, () => ({ text }))
  })
const LONG = '风儿吹过 the river '.repeat(1_000)

describe('a long answer', () => {
  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['BR;q=0.5', 'br'],
    ['gzip;q=1.0', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['deflate', null],
    ['br;q=0', null],
    ['', null],
  ])('to a client that accepts “%s” goes out as %s', async (accepted, encoding) => {
    const { call } = await aBook(LONG)
    const { envelope, headers } = await call('/api/book', { as: 'ann', headers: { 'accept-encoding': accepted } })
    expect(headers.get('content-encoding')).toBe(encoding)
    expect(headers.get('vary')).toBe('accept-encoding')
    expect(envelope.result).toEqual({ text: LONG })
  })
  test('says so beside where it may be read from', async () => {
    const { call } = await aBook(LONG, { corsOrigins: ['https://other.example'] })
    const { headers } = await call('/api/book', {
      as: 'ann',
      headers: { origin: 'https://other.example', 'accept-encoding': 'br' },
    })
    expect(headers.get('vary')).toBe('Origin, accept-encoding')
  })
})

test('a short answer goes out as it is', async () => {
  const { call } = await aBook('short')
  const { envelope, headers } = await call('/api/book', { as: 'ann', headers: { 'accept-encoding': 'br' } })
  expect(headers.get('content-encoding')).toBe(null)
  expect(envelope.result).toEqual({ text: 'short' })
})
