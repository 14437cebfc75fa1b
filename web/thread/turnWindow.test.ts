import { describe, expect, test, vi } from 'vitest'
import type { Message } from '#contract/messages.ts'
import { aMessage, words } from '#testing/messages.ts'
import type { Turn } from '#web/messages/turn.ts'
import { wholeBlocks } from '#web/messages/markdown/parser/parseWhole.ts'
import {
  commonPrefix,
  EVERYTHING,
  extendAt,
  isSameWindow,
  nextWindow,
  NOTHING,
  prepareHistory,
  turnsPerScreen,
  type TurnWindow,
} from './turnWindow.ts'

function aTurn(key: string, length = 1): Turn {
  const reply = aMessage({ id: `answer to ${key}`, content: words('x'.repeat(length)) })
  return { key, question: { ...reply, id: key, role: 'user' }, replies: [reply] }
}

const many = (count: number, name = 'q') => Array.from({ length: count }, (_, at) => aTurn(`${name}${at}`))
const turns = many(1_000)

/** The rendered turns, after others were shown that had the first `known` turns in common. */
function shown(
  of: readonly Turn[],
  {
    before = NOTHING,
    known = of.length,
    target = null,
  }: { before?: TurnWindow; known?: number; target?: string | null } = {},
): TurnWindow {
  return nextWindow(before, { turns: of, known, height: 800, targets: [target] })
}

describe('the window of a conversation', () => {
  test('is the last screen of the conversation', () => {
    const { anchorRange, tail } = shown(turns, { known: 0 })
    expect(anchorRange).toBe(null)
    expect(tail).toBeGreaterThan(980)
    expect(tail).toBeLessThan(1_000)
  })

  test('is the whole conversation when that is short', () => {
    expect(shown(many(3), { known: 0 })).toEqual(EVERYTHING)
    expect(shown([], { known: 0 })).toEqual(EVERYTHING)
  })

  test('also has a screen from the target on', () => {
    const { anchorRange, tail } = shown(turns, { known: 0, target: 'answer to q40' })
    expect(anchorRange?.from).toBe(40)
    expect(anchorRange?.to).toBeGreaterThan(44)
    expect(anchorRange?.to).toBeLessThan(60)
    expect(tail).toBe(shown(turns).tail)
  })

  test('has no gap when the target is near the end', () => {
    const { tail } = shown(turns)
    expect(shown(turns, { known: 0, target: `q${tail - 1}` })).toEqual({ anchorRange: null, tail: tail - 1 })
  })

  test('stays when the target is in it already, or does not exist', () => {
    const before: TurnWindow = { anchorRange: { from: 30, to: 200 }, tail: 900 }
    for (const target of ['q100', 'q950', 'unknown', null]) expect(shown(turns, { before, target })).toEqual(before)
  })

  test('keeps its tail when there is another target', () => {
    expect(shown(turns, { before: { anchorRange: { from: 30, to: 200 }, tail: 600 }, target: 'q400' })).toMatchObject({
      anchorRange: { from: 400 },
      tail: 600,
    })
  })

  test('stays when messages are added', () => {
    expect(shown([...turns, aTurn('next')], { before: EVERYTHING, known: 1_000 })).toEqual(EVERYTHING)
    const before: TurnWindow = { anchorRange: { from: 30, to: 200 }, tail: 900 }
    expect(shown([...turns, aTurn('next')], { before, known: 1_000 })).toEqual(before)
  })

  test('has one screen of another branch, and what was rendered before it', () => {
    const { anchorRange, tail } = shown(turns, { before: EVERYTHING, known: 20 })
    expect(anchorRange?.from).toBe(0)
    expect(anchorRange?.to).toBeGreaterThan(24)
    expect(anchorRange?.to).toBeLessThan(40)
    expect(tail).toBe(shown(turns).tail)
  })

  test('is the last screen alone when another branch begins before it', () => {
    expect(shown(turns, { before: { anchorRange: null, tail: 500 }, known: 20 })).toEqual(shown(turns))
    expect(shown(turns, { before: { anchorRange: { from: 300, to: 400 }, tail: 500 }, known: 20 })).toEqual(
      shown(turns),
    )
  })

  test('of a short branch is the whole branch', () => {
    expect(shown(turns.slice(0, 3), { before: { anchorRange: { from: 300, to: 400 }, tail: 500 }, known: 2 })).toEqual(
      EVERYTHING,
    )
  })
})

describe('the window grows', () => {
  const before: TurnWindow = { anchorRange: { from: 100, to: 200 }, tail: 900 }

  test.each([
    ['top', 'q99'],
    ['gapStart', 'q200'],
    ['gapEnd', 'q899'],
  ] as const)('at its edge %s by the turns next to it', (edge, key) => {
    const { added, next } = extendAt(edge, turns, before)
    expect(added.map(turn => turn.key)).toContain(key)
    const sizeOf = ({ anchorRange, tail }: TurnWindow) =>
      1_000 - tail + (anchorRange === null ? 0 : anchorRange.to - anchorRange.from)
    expect(sizeOf(next) - sizeOf(before)).toBe(added.length)
  })

  test.each(['gapStart', 'gapEnd'] as const)('at %s until the gap is closed', edge => {
    expect(extendAt(edge, turns, { anchorRange: { from: 100, to: 899 }, tail: 900 }).next).toEqual({
      anchorRange: null,
      tail: 100,
    })
  })

  test('until it has everything', () => {
    let grown: TurnWindow = { anchorRange: null, tail: 900 }
    for (let step = 0; step < 900 && !isSameWindow(grown, EVERYTHING); step += 1)
      grown = extendAt('top', turns, grown).next
    expect(grown).toEqual(EVERYTHING)
  })
})

describe('turns that two lists have in common', () => {
  test('are those before the first that differs', () => {
    expect(commonPrefix(turns, [...turns.slice(0, 7), ...many(5, 'other')])).toBe(7)
    expect(commonPrefix(turns, turns.slice(0, 5))).toBe(5)
    expect(commonPrefix(turns.slice(0, 5), turns)).toBe(5)
    expect(commonPrefix(turns, many(1_000))).toBe(1_000)
  })
})

const long = aTurn('long', 20_000)

describe('the turns of a screen', () => {
  test('are one when that is long', () => {
    expect(turnsPerScreen([long, long], 800)).toBe(1)
  })

  test('are several when those are short', () => {
    expect(turnsPerScreen(turns, 800)).toBeGreaterThan(4)
    expect(turnsPerScreen(turns, 1_600)).toBeGreaterThan(turnsPerScreen(turns, 800))
  })

  test('are all when they do not fill it', () => {
    expect(turnsPerScreen(many(2), 800)).toBe(2)
    expect(turnsPerScreen([], 800)).toBe(0)
  })

  test('are counted from the end', () => {
    expect(turnsPerScreen([...turns, long], 800)).toBe(1)
  })
})

const said = (id: string, parent: string | null, role: Message['role'], text: string) =>
  aMessage({ id, parent, role, content: words(text) })

describe('a history that is read', () => {
  test('is returned unchanged after its end has been parsed', async () => {
    vi.stubGlobal('innerHeight', 400)
    const messages = [said('q', null, 'user', 'Q'), said('a', 'q', 'assistant', 'An **answer** that nobody else gives')]
    const history = { mapping: Object.fromEntries(messages.map(message => [message.id, message])), current_node: 'a' }
    expect(await prepareHistory(history)).toBe(history)
    const known = wholeBlocks('An **answer** that nobody else gives')
    expect(wholeBlocks('An **answer** that nobody else gives')).toBe(known)
    vi.unstubAllGlobals()
  })

  test('may be empty', async () => {
    vi.stubGlobal('innerHeight', 400)
    const history = { mapping: {}, current_node: null }
    expect(await prepareHistory(history)).toBe(history)
    vi.unstubAllGlobals()
  })
})
