import { describe, expect, test } from 'vitest'
import { rangeOf } from './useRange.ts'

const NOW = Date.parse('2026-11-28T10:00:00Z')
const HOUR = 3600

describe('the range of the plots', () => {
  test('is the last day unless the address says otherwise', () => {
    for (const search of [{}, { range: 'always' }, { range: 'own' }, { range: 'own', from: '2026-13-99' }])
      expect(rangeOf(search, NOW).query).toEqual({ from: '2026-11-27T10:00:00.000Z' })
  })
  test('has as many steps as can be told apart, finer for lines than for columns', () => {
    const steps = ['24h', '7d', '30d'].map(range => {
      const { granularityOf } = rangeOf({ range }, NOW)
      return [granularityOf('asks'), granularityOf('requests')]
    })
    expect(steps).toEqual([
      [HOUR, HOUR / 2],
      [6 * HOUR, HOUR],
      [24 * HOUR, 6 * HOUR],
    ])
  })
  test('offers five minutes only for what is known so finely', () => {
    expect(rangeOf({ range: '24h', asks: '300' }, NOW).granularityOf('asks')).toBe(300)
    expect(rangeOf({ range: '7d', asks: '300' }, NOW).granularities).toEqual([1800, HOUR, 6 * HOUR, 24 * HOUR])
    const dayLongAgo = { range: 'own', from: '2026-11-20', to: '2026-11-20', requests: '300' }
    expect(rangeOf(dayLongAgo, NOW).granularityOf('requests')).toBe(1800)
  })
  test('of one’s own has whole days of this device, the last one included, and ends now at the latest', () => {
    const { query } = rangeOf({ range: 'own', from: '2026-11-20', to: '2026-11-21' }, NOW)
    expect(query.from).toBe(new Date('2026-11-20T00:00').toISOString())
    expect(query.to).toBe(new Date('2026-11-22T00:00').toISOString())
    expect(rangeOf({ range: 'own', from: '2026-11-20', to: '2027-01-01' }, NOW).query.to).toBe(
      new Date(NOW).toISOString(),
    )
    expect(rangeOf({ range: 'own', from: '2026-11-22', to: '2026-11-20' }, NOW).name).toBe('own')
    expect(rangeOf({ range: 'own', from: '2026-11-22', to: '2026-11-20' }, NOW).query.to).toBeUndefined()
  })
})
