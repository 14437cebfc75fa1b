import { describe, expect, test } from 'vitest'
import { drawnSeries, MAX_SLOTS, type PlotSeries, stacked } from './plotData.ts'

const BUCKETS = { start: 0, step: 60, count: 3 }
const series = (key: string, sums: number[], counts?: number[]): PlotSeries => ({
  ...{ key, label: key, sums },
  ...(counts !== undefined && { counts }),
})

describe('the series of a plot', () => {
  test('keep their colours when others come, and when they come in another order', () => {
    const slots = new Map<string, number>()
    drawnSeries({ ...BUCKETS, series: [series('b', [1, 1, 1]), series('a', [0, 1, 0])] }, slots, 'others')
    const drawn = drawnSeries(
      { ...BUCKETS, series: ['c', 'a', 'b'].map(key => series(key, [1, 2, 3])) },
      slots,
      'others',
    )
    expect(drawn.map(({ key, slot }) => [key, slot])).toEqual([
      ['b', 0],
      ['a', 1],
      ['c', 2],
    ])
  })
  test('are one more for all that are left without a colour', () => {
    const many = Array.from({ length: MAX_SLOTS + 2 }, (_, at) => series(`m${at}`, [at, 1, 0]))
    const drawn = drawnSeries({ ...BUCKETS, series: many }, new Map(), 'others')
    expect(drawn).toHaveLength(MAX_SLOTS + 1)
    expect(drawn.at(-1)).toEqual({ key: '', label: 'others', slot: null, values: [17, 2, 0], whole: 19 })
  })
  test('are means where there are counts, and nothing where there is none', () => {
    const [mean] = drawnSeries({ ...BUCKETS, series: [series('r', [30, 0, 10], [3, 0, 1])] }, new Map(), 'others')
    expect(mean?.values).toEqual([10, null, 10])
    expect(mean?.whole).toBe(10)
  })
  test('stand on each other as columns', () => {
    const drawn = drawnSeries({ ...BUCKETS, series: [series('a', [1, 2, 0]), series('b', [4, 0, 1])] }, new Map(), '')
    expect(stacked(drawn)).toEqual([
      [1, 2, null],
      [5, null, 1],
    ])
  })
})
