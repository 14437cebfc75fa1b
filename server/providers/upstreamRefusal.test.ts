import { describe, expect, test } from 'vitest'
import { refusalOfStatus } from './upstreamRefusal.ts'

const secondsOf = (retryAfter: string | undefined) => refusalOfStatus(429, retryAfter).values['retry_after_seconds']

describe('a status alone', () => {
  test.each([
    [413, 'openai.contextTooLong'],
    [529, 'openai.500'],
    [301, 'openai.unknown'],
  ])('%i is %s', (status, key) => {
    expect(refusalOfStatus(status, undefined).key).toBe(key)
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
    ['99999999.9', 86_400],
  ])('%j is %i seconds', (text, seconds) => {
    expect(secondsOf(text)).toBe(seconds)
  })
  test.each([
    undefined,
    '',
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
