import { expect, test } from 'vitest'
import type { UsageWindow } from './usage.ts'
import { usageLine } from './usageText.ts'

const MOMENT = { now: Date.parse('2026-11-29T04:00:00Z'), time_zone: 'Asia/Shanghai' }
const SHARE: UsageWindow = {
  ...{ account: 'Main', key_id: null, unit: 'asks', window: { kind: 'rolling', seconds: 18_000 }, models: null },
  ...{ used: 6, left: 2, share: 8, borrowed: 0, resets_at: '2026-11-29T06:19:30.000Z' },
}

test.each<[string, UsageWindow[]]>([
  ['Main: 2 of 8 asks left in 5 h, next 14:20', [SHARE, { ...SHARE, left: 0 }]],
  ['Main: 2 of 8 asks left in 90 min', [{ ...SHARE, window: { kind: 'from_first', seconds: 5400 }, resets_at: null }]],
  [
    'Main: 2 of 8 asks left in 7 d, next 2026-12-01 08:00',
    [{ ...SHARE, window: { kind: 'rolling', seconds: 604_800 }, resets_at: '2026-12-01T00:00:00Z' }],
  ],
  [
    '12,000 of 50,000 tokens left today',
    [
      {
        ...SHARE,
        account: null,
        unit: 'tokens',
        window: { kind: 'day' },
        left: 12_000,
        share: 50_000,
        resets_at: null,
      },
    ],
  ],
  [
    '1.25 of 5 left this month',
    [{ ...SHARE, account: null, unit: 'money', window: { kind: 'month' }, left: 1.25, share: 5, resets_at: null }],
  ],
  ['[2JMain: 2 of 8 asks left', [{ ...SHARE, account: '\u001b[2JMain', window: { kind: 'ever' }, resets_at: null }]],
  ['no limit', []],
])('what is left in a line: %s', (line, windows) => {
  expect(usageLine(windows, MOMENT)).toBe(`${line}\n`)
})
