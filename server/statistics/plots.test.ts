import { describe, expect, test } from 'vitest'
import { LOGGED_OUTCOMES, type LoggedOutcome } from '#contract/askLog.ts'
import { MAX_SERIES } from '#contract/statistics.ts'
import type { PackedAsks } from './askPlotReader.ts'
import { askPlotOf, requestPlotOf } from './plots.ts'

const BUCKETS = { start: Date.parse('2026-11-28T08:00:00Z'), granularity_ms: 1_800_000, count: 3 }

type Ended = { bucket: number; queueing?: number; answering?: number; counts: Partial<Record<LoggedOutcome, number>> }

/** A row as the database gives it: durations of buckets in milliseconds, its own sums in seconds. */
function packed(model: string, ended: readonly Ended[], more: Partial<PackedAsks> = {}): PackedAsks {
  const buckets = ended.map(({ bucket, queueing = 0, answering = 0, counts }) =>
    [bucket, queueing * 1000, answering * 1000, ...LOGGED_OUTCOMES.map(outcome => counts[outcome] ?? 0)].join(),
  )
  const asked = (counts: Ended['counts']) =>
    Object.entries(counts).reduce((sum, [outcome, count]) => sum + (outcome === 'refused' ? 0 : count), 0)
  return {
    ...{ source: 'openai_api', model, total: ended.reduce((sum, { counts }) => sum + asked(counts), 0) },
    ...{ queueing_time: ended.reduce((sum, { queueing = 0 }) => sum + queueing, 0), longest_queueing_time: 0 },
    ...{ buckets: buckets.join(), ...more },
  }
}

describe('a plot of asks', () => {
  test('has every bucket of its range, those without asks too', () => {
    const plot = askPlotOf(BUCKETS, [
      packed('gpt_4', [{ bucket: 2, queueing: 1.5, answering: 20, counts: { finished: 3 } }]),
    ])
    expect(plot).toMatchObject({ start: '2026-11-28T08:00:00.000Z', granularity: 1800, count: 3 })
    expect(plot.series).toEqual([
      {
        ...{ source: 'openai_api', model: 'gpt_4', total: 3 },
        ...{ asks: [0, 0, 3], queueing_time: [0, 0, 1.5], ask_time: [0, 0, 20] },
      },
    ])
    expect(plot.outcomes).toEqual({ finished: [0, 0, 3] })
  })
  test('adds up what comes of one bucket several times, from sums and from single asks', () => {
    const { series, outcomes } = askPlotOf(BUCKETS, [
      packed('gpt_4', [
        { bucket: 0, queueing: 2, counts: { finished: 4 } },
        { bucket: 0, queueing: 1, counts: { finished: 1, stopped: 1 } },
      ]),
    ])
    expect(series).toMatchObject([{ total: 6, asks: [6, 0, 0], queueing_time: [3, 0, 0] }])
    expect(outcomes).toEqual({ finished: [5, 0, 0], stopped: [1, 0, 0] })
  })
  test('counts refused asks by themselves: they are asks of no model', () => {
    const { series, outcomes, figures } = askPlotOf(BUCKETS, [
      packed('gpt_4', [{ bucket: 1, counts: { refused: 7, failed: 1 } }]),
      packed('gpt_3_5', [{ bucket: 1, counts: { refused: 2 } }]),
    ])
    expect(series).toMatchObject([{ model: 'gpt_4', total: 1, asks: [0, 1, 0] }])
    expect(outcomes).toEqual({ refused: [0, 9, 0], failed: [0, 1, 0] })
    expect(figures).toMatchObject({ asks: 1, failed: 1, refused: 9, left_queue: 0 })
  })
  test('says how long people waited, on average over all models and at most', () => {
    const rows = [
      packed('a', [{ bucket: 0, queueing: 10, counts: { finished: 1 } }], { longest_queueing_time: 10 }),
      packed('b', [{ bucket: 0, queueing: 1, counts: { finished: 2, left: 1 } }], { longest_queueing_time: 0.7504 }),
    ]
    expect(askPlotOf(BUCKETS, rows).figures).toEqual({
      ...{ asks: 4, failed: 0, refused: 0, left_queue: 1 },
      ...{ mean_queueing_time: 2.75, longest_queueing_time: 10 },
    })
  })
  test('of nothing has no series and no averages', () => {
    expect(askPlotOf(BUCKETS, [])).toMatchObject({
      ...{ series: [], outcomes: {} },
      figures: { asks: 0, mean_queueing_time: null, longest_queueing_time: null },
    })
  })
  test('has the largest series first, whatever order they come in', () => {
    const rows = [1, 5, 3].map(count => packed(`m${count}`, [{ bucket: 0, counts: { finished: count } }]))
    expect(askPlotOf(BUCKETS, rows).series.map(({ model }) => model)).toEqual(['m5', 'm3', 'm1'])
  })
  test('keeps two models of one name apart that two sources have', () => {
    const one = packed('gpt_4', [{ bucket: 0, counts: { finished: 2 } }])
    const { series } = askPlotOf(BUCKETS, [one, { ...one, source: 'openai_web' }])
    expect(series.map(({ source, total }) => [source, total])).toEqual([
      ['openai_api', 2],
      ['openai_web', 2],
    ])
  })
  test('loses nothing of what is beyond the series that it has', () => {
    const rows = Array.from({ length: MAX_SERIES + 3 }, (_, at) =>
      packed(`m${at}`, [{ bucket: at % 3, answering: 1, counts: { finished: 100 - at } }]),
    )
    const { series, figures } = askPlotOf(BUCKETS, rows)
    expect(series).toHaveLength(MAX_SERIES + 1)
    expect(series.reduce((sum, { asks }) => sum + asks.reduce((one, other) => one + other), 0)).toBe(figures.asks)
    expect(series.at(-1)).toMatchObject({ model: null, source: null })
    expect(series.at(-1)?.ask_time.reduce((one, other) => one + other)).toBe(3)
  })
})

describe('a plot of requests', () => {
  const route = (method: string, route_path: string, buckets: string, total = 1) => ({
    ...{ method, route_path, total, buckets },
  })
  test('tells routes apart by their method, too, and adds up what comes twice', () => {
    const { series } = requestPlotOf(BUCKETS, [
      route('GET', '/conv', '0,2,30,2,1,8', 3),
      route('POST', '/conv', '1,5,50', 5),
      route('GET', '/conv', '0,1,4', 1),
    ])
    expect(series).toEqual([
      { method: 'POST', route_path: '/conv', total: 5, requests: [0, 5, 0], elapsed_ms: [0, 50, 0] },
      { method: 'GET', route_path: '/conv', total: 4, requests: [3, 0, 1], elapsed_ms: [34, 0, 8] },
    ])
  })
  test('has all smaller routes together, last, even where together they are the largest', () => {
    const rows = Array.from({ length: MAX_SERIES * 3 }, (_, at) => route('GET', `/${at}`, '0,10,1', 10))
    const { series } = requestPlotOf(BUCKETS, rows)
    expect(series.at(-1)).toMatchObject({ method: null, route_path: null, total: MAX_SERIES * 20 })
    expect(series.slice(0, -1).every(({ total }) => total === 10)).toBe(true)
  })
})
