import { describe, expect, test } from 'vitest'
import { type Headers, MAX_WAIT, NO_HEADERS, retryTimeOf, timeOf } from './retryTime.ts'

const NOW = Date.UTC(2026, 10, 29, 10, 0, 0)
const headers = (given: Record<string, string>): Headers => ({ names: Object.keys(given), get: name => given[name] })
const inHeaders = (given: Record<string, string>) =>
  retryTimeOf({ value: '', words: '', headers: headers(given) }, true, NOW)
const inWords = (words: string) =>
  retryTimeOf({ value: '', words: words.toLowerCase(), headers: NO_HEADERS }, false, NOW)
const inFields = (value: unknown) => retryTimeOf({ value, words: '', headers: NO_HEADERS }, false, NOW)

describe('a time', () => {
  test.each<[unknown, number]>([
    [21, 21],
    ['21', 21],
    ['21s', 21],
    ['120ms', 1],
    ['6m0s', 360],
    ['7m12.5s', 433],
    ['1h2m3s', 3_723],
    ['1d2h', 93_600],
    ['PT21S', 21],
    ['P1DT1H', 90_000],
    ['0:01:30', 90],
    ['2 hours and 5 minutes', 7_500],
    ['one minute', 60],
    ['30 秒', 30],
    ['5 小时', 18_000],
    [{ seconds: '21', nanos: 500_000_000 }, 22],
    [NOW / 1000 + 90, 90],
    [NOW + 90_000, 90],
    [String(NOW + 90_000), 90],
    ['2026-11-29T10:01:30Z', 90],
    ['2026-11-29T18:01:30.500+08:00', 91],
    ['2026-11-29 10:01:30', 90],
    ['Sun, 29 Nov 2026 10:01:30 GMT', 90],
    [0, 0],
    [MAX_WAIT + 1, MAX_WAIT],
  ])('of %j is %i seconds', (given, seconds) => {
    expect(timeOf(given, NOW)).toBe(seconds)
  })
  test.each<[unknown]>([
    [-1],
    ['-5s'],
    ['2026-11-29T09:59:59Z'],
    [NOW / 1000 - 1],
    [99_999_999],
    ['9999d'],
    ['9'.repeat(400)],
    [Number.POSITIVE_INFINITY],
    [Number.NaN],
    [true],
    [null],
    ['3 / min'],
    ['1 2 3'],
    ['soon'],
    ['p'],
    ['s'.repeat(100_000)],
    [{ seconds: 'many' }],
  ])('is not believed: %j', given => {
    expect(timeOf(given, NOW)).toBe(null)
  })
})

describe('the time to come again in headers', () => {
  test.each<[string, Record<string, string>, number]>([
    ['exactly', { 'retry-after-ms': '1200', 'retry-after': '30' }, 2],
    ['of Azure', { 'x-ms-retry-after-ms': '1500' }, 2],
    ['as a date', { 'retry-after': 'Sun, 29 Nov 2026 13:11:01 GMT' }, 11_461],
    ['as epoch seconds', { 'retry-after': String(NOW / 1000 + 7) }, 7],
    [
      'of OpenAI',
      {
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-requests': '6m0s',
        'x-ratelimit-remaining-tokens': '149000',
        'x-ratelimit-reset-tokens': '120ms',
      },
      360,
    ],
    [
      'of tokens of which too few remain',
      {
        'x-ratelimit-remaining-requests': '59',
        'x-ratelimit-reset-requests': '1s',
        'x-ratelimit-remaining-tokens': '500',
        'x-ratelimit-reset-tokens': '12.2s',
      },
      13,
    ],
    [
      'of Anthropic',
      {
        'anthropic-ratelimit-requests-remaining': '0',
        'anthropic-ratelimit-requests-reset': '2026-11-29T10:00:40Z',
        'anthropic-ratelimit-tokens-remaining': '4000',
        'anthropic-ratelimit-tokens-reset': '2026-11-29T10:05:00Z',
      },
      40,
    ],
    ['of OpenRouter', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW + 50_000) }, 50],
    ['of Cerebras', { 'x-ratelimit-reset-tokens-minute': '11.38' }, 12],
    ['of the standard', { ratelimit: '"default";r=0;t=30' }, 30],
    ['of the standard before', { 'ratelimit-reset': '30' }, 30],
  ])('%s', (_what, given, seconds) => {
    expect(inHeaders(given)).toBe(seconds)
  })
  test('is of a limit only where there is one', () => {
    const given = { value: '', words: '', headers: headers({ 'x-ratelimit-reset-requests': '6m0s' }) }
    expect(retryTimeOf(given, false, NOW)).toBe(null)
  })
  test('is the later one where the error itself says another', () => {
    const value = { detail: { clears_in: 11_461 } }
    expect(retryTimeOf({ value, words: '', headers: headers({ 'retry-after': '5' }) }, true, NOW)).toBe(11_461)
  })
})

describe('the time to come again in fields', () => {
  test.each<[string, unknown, number]>([
    ['the web service', { detail: { code: 'model_cap_exceeded', clears_in: 11_461 } }, 11_461],
    ['a moment', { detail: { resets_at: NOW / 1000 + 30 } }, 30],
    ['a moment in words', { error: { type: 'usage_limit_reached', resets_after: '2026-11-29T13:00:00Z' } }, 10_800],
    ['seconds', { error: { resets_in_seconds: 120 } }, 120],
    ['milliseconds', { error: { retry_after_ms: 1_500 } }, 2],
    [
      'Google',
      [
        {
          error: {
            details: [
              { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [{ quotaValue: '10' }] },
              { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '21s' },
            ],
          },
        },
      ],
      21,
    ],
    ['OpenRouter', { error: { metadata: { headers: { 'X-RateLimit-Reset': String(NOW + 60_000) } } } }, 60],
    ['an error that is passed on', { error: { metadata: { raw: '{"error":{"retryAfter":9}}' } } }, 9],
    ['the nearer one', { error: { retry_after: 5, limits: { weekly: { resets_in_seconds: 500_000 } } } }, 5],
  ])('of %s', (_who, value, seconds) => {
    expect(inFields(value)).toBe(seconds)
  })
  test('are no others', () => {
    expect(inFields({ error: { limit: 10, used: 10, created: NOW / 1000 + 9, wait: 'a while', reset: false } })).toBe(
      null,
    )
  })
  test('are looked for in so many of them, and so deep, and no more', () => {
    const deep = Array.from({ length: 2_000 }).reduce<unknown>(inner => ({ a: inner }), { retry_after: 5 })
    expect(inFields(deep)).toBe(null)
    expect(
      inFields({ ...Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`a${at}`, {}])), retry_after: 5 }),
    ).toBe(null)
  })
})

describe('the time to come again in words', () => {
  test.each<[string, number]>([
    ['Rate limit reached. Limit: 3 / min. Please try again in 20s. Contact us', 20],
    ['Please try again in 1.2s.', 2],
    ['Please try again in 7m12.5s. Need more tokens?', 433],
    ['Please retry in 21.5s.', 22],
    ['Please retry after 1 seconds. Please go here', 1],
    ['max RPM: 3, please try again after 1 seconds', 1],
    ['try again in 120ms', 1],
    ['or wait one minute', 60],
    ['Retry-After: 17', 17],
    ['Limit resets in 3h 5m', 11_100],
    ['You will regain access on 2026-11-30 at 00:00 UTC.', 50_400],
    ['available again at 2026-11-29T10:00:30Z', 30],
    ['请求过于频繁，请在 30 秒后重试', 30],
    ['请 2 分钟之后再试', 120],
  ])('%s', (words, seconds) => {
    expect(inWords(words)).toBe(seconds)
  })
  test.each(['limit 3 requests per 1 minute', 'try again later', 'retry', 'again '.repeat(600)])('%s', words => {
    expect(inWords(words)).toBe(null)
  })
})
