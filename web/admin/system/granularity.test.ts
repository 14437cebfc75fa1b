import { describe, expect, test } from 'vitest'
import { granularityIn } from '#web/admin/system/granularity.ts'
import { rangeOf } from '../range/RangeSwitch.tsx'

const NOW = Date.parse('2026-11-28T10:00:00Z')
const HOUR = 3600

describe('the range of a page', () => {
  test('is the usual one unless the address says otherwise', () => {
    const backwards = { range: 'own', from: '2026-11-22', to: '2026-11-20' }
    for (const search of [{}, { range: 'always' }, { range: 'own' }, { range: 'own', from: '2026-13-99' }, backwards])
      expect(rangeOf(search, NOW, '24h')).toMatchObject({ name: '24h', query: { from: '2026-11-27T10:00:00.000Z' } })
  })
  test('of one’s own has whole days of this device, the last one included, and ends now at the latest', () => {
    const own = (from: string, to: string) => rangeOf({ range: 'own', from, to }, NOW, '24h')
    expect(own('2026-11-20', '2026-11-21')).toMatchObject({
      name: 'own',
      dates: { first: '2026-11-20', last: '2026-11-21' },
      query: { from: new Date('2026-11-20T00:00').toISOString(), to: new Date('2026-11-22T00:00').toISOString() },
    })
    expect(own('2026-11-20', '2027-01-01').query.to).toBe(new Date(NOW).toISOString())
  })
})

describe('the steps of a plot', () => {
  const steps = (search: Record<string, string>, plot: 'asks' | 'requests') =>
    granularityIn(search, rangeOf(search, NOW, '24h'), plot, NOW)

  test('are as many as can be told apart, finer for lines than for columns', () => {
    const usual = ['24h', '7d', '30d'].map(range => [
      steps({ range }, 'asks').chosen,
      steps({ range }, 'requests').chosen,
    ])
    expect(usual).toEqual([
      [HOUR, HOUR / 2],
      [6 * HOUR, HOUR],
      [24 * HOUR, 6 * HOUR],
    ])
  })
  test('are five minutes only for what is known so finely', () => {
    expect(steps({ range: '24h', asks: '300' }, 'asks').chosen).toBe(300)
    expect(steps({ range: '7d', asks: '300' }, 'asks').offered).toEqual([1800, HOUR, 6 * HOUR, 24 * HOUR])
    const dayLongAgo = { range: 'own', from: '2026-11-20', to: '2026-11-20', requests: '300' }
    expect(steps(dayLongAgo, 'requests').chosen).toBe(1800)
  })
})
