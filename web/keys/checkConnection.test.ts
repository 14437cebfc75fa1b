import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { checkConnection, streamProblem } from './checkConnection.ts'

const HERE = { origin: 'https://a', protocol: 'https:', hostname: 'a' } as Location // no more of it is read
const ALLOWED = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'authorization' }
const END = 'data: [DONE]\n\n'
const FIRST = 'data: {"authorization":true}\n\n'

const stream = (text: string) => new Response(text, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })
const preflight = (headers: Record<string, string> = ALLOWED, status = 204) => new Response(null, { status, headers })

async function problems({ here = HERE, answer = stream(FIRST + END), options = preflight() } = {}) {
  const fetched = vi.spyOn(globalThis, 'fetch')
  fetched.mockImplementation(async (_url, init) => (init?.method === 'OPTIONS' ? options : answer))
  onTestFinished(() => fetched.mockRestore())
  return Object.fromEntries((await checkConnection(here)).map(({ about, problem }) => [about, problem]))
}

describe('the way to the portal', () => {
  test.each<[string, Parameters<typeof problems>[0], object]>([
    ['by http', { here: { ...HERE, protocol: 'http:' } }, { transport: 'http' }],
    ['by http to this machine', { here: { ...HERE, protocol: 'http:', hostname: '127.0.0.1' } }, { transport: null }],
    ['through', {}, { transport: null, address: null, origins: null }],
    [
      'to another page',
      { answer: new Response('<p>', { headers: { 'content-type': 'text/html' } }) },
      { address: 'notPassedOn' },
    ],
    ['without a key', { answer: stream(FIRST.replace('true', 'false') + END) }, { address: 'noHeaders' }],
    ['without a preflight', { options: preflight(ALLOWED, 401) }, { origins: 'refused' }],
    [
      'with headers twice',
      { options: preflight({ ...ALLOWED, 'access-control-allow-origin': '*, *' }) },
      { origins: 'changed' },
    ],
    ['at once', {}, { stream: 'buffered' }],
    ['that breaks off', { answer: stream(FIRST) }, { stream: 'broken' }],
  ])('%s is told', async (_way, answers, expected) => {
    expect(await problems(answers)).toMatchObject(expected)
  })
  test('in pieces is as it should be', () => {
    const arrivals = [FIRST, ': on its way\n\n', END].map((text, at) => ({ text, at: at * 400 }))
    expect(streamProblem({ arrivals, isWhole: true })).toBe(null)
    expect(streamProblem({ arrivals, isWhole: false })).toBe('broken')
  })
})
