import type { Nodes } from 'mdast'
import { describe, expect, test } from 'vitest'
import { CORPUS, LATE_REFERENCES } from '../corpus.testing.ts'
import type { Block, Group } from '../parser/blockGroups.ts'
import { incrementalParser, type IncrementalParser } from './incrementalParser.ts'
import { wholeBlocks } from '../parser/parseWhole.ts'

const SEEDS = [1, 4]

/** Pieces of 1 to `longest` characters, the same ones for the same seed. */
function* pieces(text: string, seed: number, longest: number): Generator<string> {
  let state = seed * 0x9e3779b9
  let at = 0
  while (at < text.length) {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) | 0
    const length = 1 + ((state >>> 8) % longest)
    yield text.slice(at, at + length)
    at += length
  }
}

function streamed(text: string, seed: number, longest = 1 + seed * 4) {
  const blocks = incrementalParser()
  let sofar = ''
  for (const piece of pieces(text, seed, longest)) {
    sofar += piece
    blocks.update(sofar, false)
    blocks.prewarm()
  }
  blocks.update(text, true)
  return blocks
}

/** In the page each step is an idle task. */
function parseAgain(blocks: IncrementalParser): void {
  const steps = blocks.reparse()
  while (!steps.next().done) {
    /* the next step */
  }
}

const content = (groups: readonly Group[]) =>
  groups.map(group => group.map(({ key, node }) => ({ key, node: bare(node) })))

/** A node without its place in the text, which is counted from another start when it was streamed. */
function bare(node: Nodes): unknown {
  return JSON.parse(JSON.stringify(node, (name, value) => (name === 'position' || value === null ? undefined : value)))
}

/** What is seen of the last block: spaces at the end of a text are not. */
function visible({ groups }: Pick<IncrementalParser, 'groups'>): unknown {
  const last = groups.flat().at(-1)
  return (
    last &&
    JSON.parse(
      JSON.stringify(bare(last.node), (name, value) => {
        if (name === 'pending') return value || undefined
        return name === 'value' && typeof value === 'string' ? value.trimEnd() : value
      }),
    )
  )
}

const quoted = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)

describe('Markdown that arrives in pieces', () => {
  test.each(CORPUS.map(text => [quoted(text), text]))('is the same as parsed at once: %s', (_, text) => {
    const whole = content(wholeBlocks(text))
    for (const seed of SEEDS) expect(content(streamed(text, seed).groups)).toEqual(whole)
  })

  test.each(LATE_REFERENCES.map(text => [quoted(text), text]))(
    'resolves references after the final parse: %s',
    (_, text) => {
      const whole = content(wholeBlocks(text))
      for (const seed of SEEDS) {
        const blocks = streamed(text, seed)
        parseAgain(blocks)
        expect(content(blocks.groups)).toEqual(whole)
      }
    },
  )

  test('is the same for any two texts in a row', () => {
    for (const [at, text] of CORPUS.entries()) {
      const both = `${text}\n\n${CORPUS[(at * 7 + 3) % CORPUS.length]}`
      const blocks = streamed(both, at + 1, 24)
      parseAgain(blocks)
      expect(content(blocks.groups)).toEqual(content(wholeBlocks(both)))
    }
  })

  test('shows after each piece what the same text shows when it arrives at once', () => {
    for (const text of CORPUS) {
      const blocks = incrementalParser()
      let sofar = ''
      for (const piece of pieces(text, 1, text.length > 150 ? 25 : 3)) {
        sofar += piece
        blocks.update(sofar, false)
        const first = incrementalParser()
        first.update(sofar, false)
        expect([sofar, visible(blocks)]).toEqual([sofar, visible(first)])
      }
    }
  })

  test.each([
    '- $$\n  x\n- 乙\n\n- $a$ b',
    '- 甲 $$x\n- **b**\n- `c`',
    '1. `a\n2. ~~b~~\n   - **c',
    '- a $$x$$\n- 5$\n- b $',
    '- $x$\n\n- b\n  - c $',
  ])('closes in a list only the marks of its last block, at every character: %j', text => {
    const blocks = incrementalParser()
    for (let end = 1; end <= text.length; end += 1) {
      const sofar = text.slice(0, end)
      blocks.update(sofar, false)
      const first = incrementalParser()
      first.update(sofar, false)
      expect([sofar, visible(blocks)]).toEqual([sofar, visible(first)])
    }
    expect(visible(blocks)).toEqual(visible({ groups: wholeBlocks(text.replace('**c', '**c**')) }))
  })

  test.each(['You asked', '你问的是，', 'Über 3 Dinge ', 'a1 b2'])('begins with words as when parsed: %s', text => {
    const blocks = incrementalParser()
    blocks.update(text, false)
    expect(visible(blocks)).toEqual(visible({ groups: wholeBlocks(text) }))
  })

  test('is the same character by character, or a few at a time when it is long', () => {
    for (const text of CORPUS) {
      expect(content(streamed(text, 1, text.length > 150 ? 5 : 1).groups)).toEqual(content(wholeBlocks(text)))
    }
  })
})

describe('A finished block', () => {
  const text = ['# 标题', '第一段', '```js\na\n```', '- x\n- y', '最后一段'].join('\n\n')

  test('stays the same object while more arrives', () => {
    const blocks = incrementalParser()
    const seen = new Map<number, Block>()
    for (let end = 1; end <= text.length; end += 1) {
      blocks.update(text.slice(0, end), false)
      const all = blocks.groups.flat()
      for (const block of all.slice(0, -2)) {
        expect(seen.get(block.key) ?? block).toBe(block)
        seen.set(block.key, block)
      }
    }
    expect(seen.size).toBeGreaterThanOrEqual(3)
  })

  test('stays the same object after the final parse', () => {
    const blocks = streamed(text, 3)
    const before = blocks.groups.flat()
    parseAgain(blocks)
    expect(blocks.groups.flat()).toEqual(before)
    blocks.groups.flat().forEach((block, at) => expect(block).toBe(before[at]))
  })

  test('keeps its whole group', () => {
    const many = Array.from({ length: 40 }, (_, at) => `段落 ${at}`).join('\n\n')
    const blocks = incrementalParser()
    blocks.update(many.slice(0, 200), false)
    const [first] = blocks.groups
    blocks.update(many, false)
    expect(blocks.groups[0]).toBe(first)
    blocks.update(many, true)
    parseAgain(blocks)
    expect(blocks.groups[0]).toBe(first)
  })
})

describe('A part of a growing block', () => {
  const numbers = Array.from({ length: 30 }, (_, at) => at)
  test.each([
    ['an item of a list', `${numbers.map(n => `- item **${n}** of many`).join('\n')}\n`],
    ['a row of a table', `| n | square |\n|--:|--:|\n${numbers.map(n => `| ${n} | ${n * n} |`).join('\n')}\n`],
  ])('stays the same object when others follow it: %s', (_, text) => {
    const blocks = incrementalParser()
    const parts = (at: number): readonly Nodes[] => {
      blocks.update(text.slice(0, at), false)
      const [block] = blocks.groups.flat()
      return block !== undefined && 'children' in block.node ? block.node.children : []
    }
    let before: readonly Nodes[] = []
    for (let at = 60; at < text.length; at += 7) {
      const after = parts(at)
      const kept = before.slice(0, -2)
      expect(after.slice(0, kept.length).map((part, index) => part === kept[index])).toEqual(kept.map(() => true))
      before = after
    }
    expect(before.length).toBeGreaterThanOrEqual(30)
  })
})

describe('The last block', () => {
  const lastBlock = (text: string) => {
    const blocks = incrementalParser()
    blocks.update(text, false)
    return bare(blocks.groups.flat().at(-1)!.node)
  }

  test('shows open marks as if they were closed', () => {
    expect(lastBlock('一段**重')).toEqual(bare(wholeBlocks('一段**重**')[0]![0]!.node))
    expect(lastBlock('and `co')).toEqual(bare(wholeBlocks('and `co`')[0]![0]!.node))
  })

  test('shows a link without its address until the address is there', () => {
    expect(lastBlock('see [文档](https://exa')).toEqual(bare(wholeBlocks('see 文档')[0]![0]!.node))
  })

  test('marks a formula that is not closed', () => {
    expect(lastBlock('有 \\(x_1 + ')).toMatchObject({
      children: [{}, { type: 'mathematics', value: 'x_1 +', display: false, pending: true }],
    })
    expect(lastBlock('\\[\nx_1')).toMatchObject({ type: 'mathematics', value: 'x_1', pending: true })
    expect(lastBlock('$$x_1\n+ y')).toMatchObject({ type: 'mathematics', value: 'x_1\n+ y', pending: true })
    expect(lastBlock('\\begin{cases}\na')).toMatchObject({ type: 'mathematics', display: true, pending: true })
    expect(lastBlock('\\begin{cases}\nab cd\n\\end{cases}')).toMatchObject({ type: 'mathematics', pending: false })
    expect(lastBlock('公式：$$\nx_1')).toMatchObject({
      children: [{}, { type: 'mathematics', value: 'x_1', display: true, pending: true }],
    })
    expect(lastBlock('\\[\nx_1\n\\]')).toMatchObject({ type: 'mathematics', value: 'x_1', pending: false })
  })

  test('ends as written where a formula may begin', () => {
    expect(lastBlock('即 $$')).toMatchObject({ type: 'paragraph', children: [{ type: 'text', value: '即 $$' }] })
    expect(lastBlock('- 甲\n- $$')).toMatchObject({
      type: 'list',
      children: [{}, { children: [{ type: 'mathematics', value: '' }] }],
    })
    expect(lastBlock('- $$\n  x\n- 乙')).toMatchObject({
      type: 'list',
      children: [{}, { children: [{ type: 'paragraph' }] }],
    })
  })

  test('is a table as soon as its head is complete', () => {
    expect(lastBlock('| 用途 | 占比 |\n')).toMatchObject({ type: 'table', children: [{ children: [{}, {}] }] })
    expect(lastBlock('| 用途 | 占比 |\n| -')).toMatchObject({ type: 'table' })
  })

  test('closes open marks in the last row of a table, and adds no row', () => {
    const table = '| a | b |\n|---|---|\n| **left** open** | 1 |\n'
    const whole = (row: string) => bare(wholeBlocks(table + row)[0]![0]!.node)
    for (const [row, healed] of [
      ['| 2 |', '| 2 |'],
      ['| 2 | **t', '| 2 | **t**'],
      ['| `2', '| `2`'],
      ['|', '|'],
    ] as const) {
      expect(lastBlock(table + row)).toEqual(whole(healed))
    }
  })

  test('is code as soon as the fence is open, and its closing line is never shown', () => {
    expect(lastBlock('```py\n')).toMatchObject({ type: 'code', lang: 'py', value: '' })
    expect(lastBlock('```py\na = 1\n``')).toMatchObject({ type: 'code', value: 'a = 1' })
    expect(lastBlock('```py\na = 1\n``x')).toMatchObject({ type: 'code', value: 'a = 1\n``x' })
  })
})

describe('A text that is replaced', () => {
  test('keeps nothing of the old one', () => {
    const blocks = streamed('# 旧的\n\n一段\n\n```js\nlet', 2)
    blocks.update('新的 **一段**\n\n还有', false)
    blocks.update('新的 **一段**\n\n还有', true)
    expect(content(blocks.groups)).toEqual(content(wholeBlocks('新的 **一段**\n\n还有')))
  })
})
