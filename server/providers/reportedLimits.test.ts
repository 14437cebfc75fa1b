import { describe, expect, test } from 'vitest'
import { reportedLimits } from './reportedLimits.ts'

const NOW = Date.parse('2026-11-30T12:00:00Z')
const GATEWAY = 'https://gateway.example.org/v1/'
const said = (headers: Record<string, string>, base_url = GATEWAY) =>
  reportedLimits({ names: Object.keys(headers), get: name => headers[name] }, base_url, NOW)
const asks = (fields: object) => ({ unit: 'asks', limit: 50, used: 12, used_part: null, length: null, ...fields })

describe('the limits that an answer speaks of', () => {
  test('are those of asks and of tokens, with what is used and when they reset', () => {
    expect(
      said({
        ...{ 'x-ratelimit-limit-requests': '50', 'x-ratelimit-remaining-requests': '38' },
        ...{ 'x-ratelimit-reset-requests': '4h59m30s', 'x-ratelimit-limit-tokens': '90000' },
        ...{ 'x-ratelimit-remaining-tokens': '80000', 'x-ratelimit-reset-tokens': '2026-12-02T12:00:00Z' },
      }),
    ).toEqual([
      asks({ resets_in: 17_970 }),
      { unit: 'tokens', limit: 90_000, used: 10_000, used_part: null, resets_in: 172_800, length: null },
    ])
  })
  test('may say their period in their names, or in a policy', () => {
    expect(
      said({
        ...{ 'x-ratelimit-limit-requests-day': '50', 'x-ratelimit-remaining-requests-day': '38' },
        ...{ 'x-ratelimit-reset-requests-day': '3600' },
      }),
    ).toEqual([asks({ resets_in: 3_600, length: 86_400 })])
    const policy = { 'ratelimit-policy': '"all";q=50;w=18000' }
    const standard = [asks({ resets_in: 1_200, length: 18_000 })]
    expect(said({ ...policy, ratelimit: '"all";r=38;t=1200' })).toEqual(standard)
    expect(
      said({
        ...{ 'ratelimit-policy': '50;w=18000', 'ratelimit-limit': '50' },
        ...{ 'ratelimit-remaining': '38', 'ratelimit-reset': '1200' },
      }),
    ).toEqual(standard)
  })
  test('are named by their length where they count whatever is asked', () => {
    expect(
      said({
        'anthropic-ratelimit-unified-5h-utilization': '0.24',
        'anthropic-ratelimit-unified-5h-reset': String(NOW / 1000 + 600),
        'anthropic-ratelimit-unified-7d-utilization': '0.5',
      }),
    ).toEqual([
      { unit: null, limit: null, used: null, used_part: 0.24, resets_in: 600, length: 18_000 },
      { unit: null, limit: null, used: null, used_part: 0.5, resets_in: null, length: 604_800 },
    ])
  })
  test('have the length that follows from when all of it is back, where a service is known to mean that', () => {
    const day = {
      ...{ 'x-ratelimit-limit-requests': '14400', 'x-ratelimit-remaining-requests': '14300' },
      'x-ratelimit-reset-requests': '10m',
    }
    const known = { unit: 'asks', limit: 14_400, used: 100, used_part: null }
    expect(said(day, 'https://api.groq.com/openai/v1/')).toEqual([{ ...known, resets_in: null, length: 86_400 }])
    expect(said(day)).toEqual([{ ...known, resets_in: 600, length: null }])
    const minute = {
      ...{ 'anthropic-ratelimit-requests-limit': '50', 'anthropic-ratelimit-requests-remaining': '49' },
      'anthropic-ratelimit-requests-reset': '2026-11-30T12:00:01.2Z',
    }
    expect(said(minute, 'https://api.anthropic.com/v1/')).toEqual([])
  })
  test('of a minute are none', () => {
    expect(
      said({
        ...{ 'x-ratelimit-limit-requests': '50', 'x-ratelimit-remaining-requests': '38' },
        ...{ 'x-ratelimit-reset-requests': '59.9s', 'x-ratelimit-limit-tokens-minute': '90000' },
        ...{ 'x-ratelimit-remaining-tokens-minute': '0', 'x-ratelimit-reset-tokens-minute': '59' },
      }),
    ).toEqual([])
  })
  for (const [what, limit, remaining, reset, left] of [
    ['a negative number', '-50', '12', '2h', []],
    ['no number', 'NaN', '12', '2h', []],
    ['a number beyond all limits', '1e30', '12', '2h', []],
    ['more left than there is', '50', '51', '2h', [asks({ used: null, resets_in: 7_200 })]],
    ['less than nothing left', '50', '-1', '2h', [asks({ used: null, resets_in: 7_200 })]],
    ['a reset in the past', '50', '38', '2020-01-01T00:00:00Z', []],
    ['a reset in ten years', '50', '38', String(10 * 31_536_000), []],
    ['a reset that is none', '50', '38', 'soon', []],
    ['nothing', '', '', '', []],
  ] as const)
    test(`that say nonsense are not believed: ${what}`, () => {
      expect(
        said({
          ...{ 'x-ratelimit-limit-requests': limit, 'x-ratelimit-remaining-requests': remaining },
          'x-ratelimit-reset-requests': reset,
        }),
      ).toEqual(left)
    })
})
