import { describe, expect, test } from 'vitest'
import type { Message } from '#contract/messages.ts'
import type { Turn } from '#web/messages/turn.ts'
import { countOfSame, EVERYTHING, grownAt, isSamePart, NOTHING, type Part, partOf } from './shownPart.ts'

function aTurn(key: string): Turn {
  const reply: Message = {
    id: `answer to ${key}`,
    source: 'openai_api',
    role: 'assistant',
    author_name: null,
    model: null,
    create_time: null,
    parent: null,
    children: [],
    content: { content_type: 'text', text: 'x' },
    metadata: null,
  }
  return { key, question: { ...reply, id: key, role: 'user' }, replies: [reply] }
}

const many = (count: number, name = 'q') => Array.from({ length: count }, (_, at) => aTurn(`${name}${at}`))
const turns = many(1_000)

/** What is shown of them when they have just come, or of others in whose place they came. */
function shown(
  of: readonly Turn[],
  {
    before = NOTHING,
    known = of.length,
    sought = null,
  }: { before?: Part; known?: number; sought?: string | null } = {},
): Part {
  return partOf(before, { turns: of, known, height: 800, sought: [sought] })
}

describe('what is shown of a conversation', () => {
  test('is a screenful at its end', () => {
    const { island, rest } = shown(turns, { known: 0 })
    expect(island).toBe(null)
    expect(rest).toBeGreaterThan(980)
    expect(rest).toBeLessThan(1_000)
  })

  test('is all of it when that is short', () => {
    expect(shown(many(3), { known: 0 })).toEqual(EVERYTHING)
    expect(shown([], { known: 0 })).toEqual(EVERYTHING)
  })

  test('is also a screenful from the message that is sought on', () => {
    const { island, rest } = shown(turns, { known: 0, sought: 'answer to q40' })
    expect(island?.from).toBe(40)
    expect(island?.to).toBeGreaterThan(44)
    expect(island?.to).toBeLessThan(60)
    expect(rest).toBe(shown(turns).rest)
  })

  test('is one piece when what is sought is near the end', () => {
    const { rest } = shown(turns)
    expect(shown(turns, { known: 0, sought: `q${rest - 1}` })).toEqual({ island: null, rest: rest - 1 })
  })

  test('stays when what is sought is there already, or nowhere', () => {
    const before: Part = { island: { from: 30, to: 200 }, rest: 900 }
    for (const sought of ['q100', 'q950', 'elsewhere', null]) expect(shown(turns, { before, sought })).toEqual(before)
  })

  test('keeps its end when something else is sought', () => {
    expect(shown(turns, { before: { island: { from: 30, to: 200 }, rest: 600 }, sought: 'q400' })).toMatchObject({
      island: { from: 400 },
      rest: 600,
    })
  })

  test('stays when more is said', () => {
    expect(shown([...turns, aTurn('next')], { before: EVERYTHING, known: 1_000 })).toEqual(EVERYTHING)
    const before: Part = { island: { from: 30, to: 200 }, rest: 900 }
    expect(shown([...turns, aTurn('next')], { before, known: 1_000 })).toEqual(before)
  })

  test('is no more than a screenful of another branch, and what stood before it', () => {
    const { island, rest } = shown(turns, { before: EVERYTHING, known: 20 })
    expect(island?.from).toBe(0)
    expect(island?.to).toBeGreaterThan(24)
    expect(island?.to).toBeLessThan(40)
    expect(rest).toBe(shown(turns).rest)
  })

  test('is the end alone when another branch begins before all of it', () => {
    expect(shown(turns, { before: { island: null, rest: 500 }, known: 20 })).toEqual(shown(turns))
    expect(shown(turns, { before: { island: { from: 300, to: 400 }, rest: 500 }, known: 20 })).toEqual(shown(turns))
  })

  test('of a short branch is all of it', () => {
    expect(shown(turns.slice(0, 3), { before: { island: { from: 300, to: 400 }, rest: 500 }, known: 2 })).toEqual(
      EVERYTHING,
    )
  })
})

describe('what is shown grows', () => {
  const part: Part = { island: { from: 100, to: 200 }, rest: 900 }

  test.each([
    ['top', 'q99'],
    ['gapStart', 'q200'],
    ['gapEnd', 'q899'],
  ] as const)('at its edge %s by those that stand there', (edge, key) => {
    const { few, part: grown } = grownAt(edge, turns, part)
    expect(few.map(turn => turn.key)).toContain(key)
    const sizeOf = ({ island, rest }: Part) => 1_000 - rest + (island === null ? 0 : island.to - island.from)
    expect(sizeOf(grown) - sizeOf(part)).toBe(few.length)
  })

  test.each(['gapStart', 'gapEnd'] as const)('until there is no gap, from %s', edge => {
    expect(grownAt(edge, turns, { island: { from: 100, to: 899 }, rest: 900 }).part).toEqual({
      island: null,
      rest: 100,
    })
  })

  test('until everything is there', () => {
    let grown: Part = { island: null, rest: 900 }
    for (let step = 0; step < 900 && !isSamePart(grown, EVERYTHING); step += 1)
      grown = grownAt('top', turns, grown).part
    expect(grown).toEqual(EVERYTHING)
  })
})

describe('turns that stood there before', () => {
  test('are those up to the first other', () => {
    expect(countOfSame(turns, [...turns.slice(0, 7), ...many(5, 'other')])).toBe(7)
    expect(countOfSame(turns, turns.slice(0, 5))).toBe(5)
    expect(countOfSame(turns.slice(0, 5), turns)).toBe(5)
    expect(countOfSame(turns, many(1_000))).toBe(1_000)
  })
})
