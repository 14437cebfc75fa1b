import { describe, expect, test, vi } from 'vitest'
import { logRefusal, refusalOfStatus } from './upstreamRefusal.ts'

const saying = (retryAfter: string) => ({
  names: ['retry-after'],
  get: (name: string) => (name === 'retry-after' ? retryAfter : undefined),
})
const secondsOf = (retryAfter: string) =>
  refusalOfStatus({ status: 429, headers: saying(retryAfter) }).values['retry_after_seconds']

describe('a status alone', () => {
  test.each([
    [413, 'openai.contextTooLong'],
    [529, 'openai.500'],
    [301, 'openai.unknown'],
  ])('%i is %s', (status, key) => {
    expect(refusalOfStatus({ status }).key).toBe(key)
  })
})

describe('the line of a refusal in the log', () => {
  test.each([
    ['reply', { refusal: 'openai.401', status: 401 }, 'the upstream gave no whole answer'],
    ['models', { refusal: 'openai.401', port: 'models', status: 401 }, 'the upstream refused a request'],
  ])('tells an answer from any other request: %s', (port, fields, words) => {
    const warn = vi.fn()
    logRefusal({ warn }, refusalOfStatus({ status: 401 }), port)
    expect(warn.mock.calls).toEqual([[fields, words]])
  })
})

describe('the time to come again', () => {
  test.each([
    ['17', 17],
    [' 17 ', 17],
    ['0', 0],
    ['1.5', 2],
    ['0.001', 1],
    ['2.0', 2],
    ['86399.5', 86_400],
    ['11461', 11_461],
    ['999999', 604_800],
  ])('%j is %i seconds', (text, seconds) => {
    expect(secondsOf(text)).toBe(seconds)
  })
  test.each([
    '',
    '99999999.9',
    'soon',
    '-1',
    '-1.5',
    '1.5.5',
    '1.',
    '1,5',
    '1e3',
    '0x10',
    'NaN',
    'Infinity',
    '9'.repeat(400),
  ])('%j is none', text => {
    expect(secondsOf(text)).toBe(undefined)
  })
})
