import { describe, expect, test } from 'vitest'
import { aLine, aWindow, DAY, HOUR, lines, MODEL, NOW } from './pool.testing.ts'
import { linesMatterFrom, openPoolState } from './poolState.ts'

const opened = (...given: ReturnType<typeof lines>) => {
  const state = openPoolState({ windows: [aWindow(), aWindow({ key: 'other', models: ['gpt_5'] })] })
  for (const line of given) state.add(line)
  return state
}
const usedWithin = (state: ReturnType<typeof opened>, from: number, to: number) => {
  const { cost, members } = state.useWithin('window', from, to)
  return [cost, members.get(1)?.charged ?? 0, members.get(2)?.charged ?? 0]
}

describe('what is used of a pool', () => {
  test('is the sum of the lines between two moments, wherever these move', () => {
    const state = opened(...lines(1, 3, HOUR), ...lines(2, 2, 3 * HOUR))
    expect(usedWithin(state, NOW - 5 * HOUR, NOW)).toEqual([5000, 3000, 2000])
    expect(usedWithin(state, NOW - 2 * HOUR, NOW)).toEqual([3000, 3000, 0])
    expect(usedWithin(state, NOW - 5 * HOUR, NOW - 2 * HOUR)).toEqual([2000, 0, 2000])
    expect(usedWithin(state, NOW - 5 * HOUR, NOW)).toEqual([5000, 3000, 2000])
    expect(usedWithin(state, NOW, NOW)).toEqual([0, 0, 0])
  })
  test('knows lines that come later and were asked earlier', () => {
    const state = opened(aLine(1, HOUR))
    expect(usedWithin(state, NOW - 2 * HOUR, NOW)).toEqual([1000, 1000, 0])
    state.add(aLine(2, 90 * 60_000))
    state.add(aLine(2, 4 * HOUR))
    expect(usedWithin(state, NOW - 2 * HOUR, NOW)).toEqual([2000, 1000, 1000])
    expect(state.costWithin('window', 0, NOW)).toBe(3000)
  })
  test('is of the models of the window', () => {
    const state = opened(aLine(1, HOUR), aLine(1, HOUR, { model: 'gpt_5' }))
    expect(state.costWithin('other', 0, NOW)).toBe(1000)
    expect(state.costWithin('window', 0, NOW)).toBe(2000)
    expect(state.costWithin('none', 0, NOW)).toBe(0)
    expect(MODEL).not.toBe('gpt_5')
  })
  test('is lent where it was borrowed in this window', () => {
    const state = opened(
      aLine(1, HOUR, { borrowed_key: 'window', lender_id: 2 }),
      aLine(1, HOUR, { borrowed_key: 'x' }),
    )
    const { members } = state.useWithin('window', 0, NOW)
    expect([members.get(1), members.get(2)]).toEqual([
      { charged: 2000, borrowed: 1000, lent: 0 },
      { charged: 0, borrowed: 0, lent: 1000 },
    ])
  })
  test('stays the same when there are so many lines that old ones become one by half hours', () => {
    const state = opened()
    for (let index = 0; index < 100_500; index++) state.add(aLine(1 + (index % 2), 4 * HOUR - index * 100))
    expect(usedWithin(state, NOW - 5 * HOUR, NOW)).toEqual([100_500_000, 50_250_000, 50_250_000])
    expect(state.last_asked.get(1)).toBe(NOW - 4 * HOUR + 10_049_800)
  })
})

test('lines matter as far back as the longest window', () => {
  expect(linesMatterFrom({ windows: [aWindow(), aWindow({ window: { kind: 'week' } })] }, NOW)).toBe(NOW - 8 * DAY)
})
