import type { Nodes } from 'mdast'
import { describe, expect, test } from 'vitest'
import { MAX_LINE } from './longLines.ts'
import { wholeBlocks } from './parseWhole.ts'
import { sectionsOf } from './sections.ts'
import { incrementalParser } from '../streaming/incrementalParser.ts'

const LENGTH = 200_000
const long = (unit: string) => unit.repeat(Math.ceil(LENGTH / unit.length))

const KINDS = [
  ...[
    '&amp;',
    '&#x41;',
    '\\',
    '\\*',
    '|',
    'a|b ',
    '*',
    '*a ',
    '_',
    '`',
    '`a ',
    '[',
    ']',
    '[a](b) ',
    '![a](b) ',
    '(',
    '<',
    '>',
    '> ',
  ],
  ...[
    '#',
    '-',
    '- ',
    '=',
    '~',
    '$',
    '$a$ ',
    '\\(a\\) ',
    '\t',
    ' ',
    '👨‍👩‍👧‍👦',
    'a\u0301\u0308',
    '\u202E\u200F',
    '\u0001',
    '@',
    '://',
    '!',
  ],
  ...[
    'https://example.org/a ',
    'www.a.bc ',
    'me@a.bc ',
    '[^1] ',
    '<!-- a -->',
    '<br>',
    '<sub>a</sub>',
    'word ',
    '字',
    '字。',
    '**a** ',
  ],
  ...['【1】', '[1]', '&nbsp;', '\\begin{align}', '<summary>', '"', '| a '],
]

/** The longest text of one paragraph or text node, and all text. */
function measure(nodes: readonly Nodes[]): { longest: number; text: string } {
  const texts: string[] = []
  const collect = (node: Nodes): void => {
    if ('value' in node) texts.push(node.value)
    if ('children' in node) node.children.forEach(collect)
  }
  nodes.forEach(collect)
  return { longest: Math.max(0, ...texts.map(text => text.length)), text: texts.join('') }
}

const nodesOf = (groups: ReturnType<typeof wholeBlocks>) => groups.flat().map(({ node }) => node)

describe('A line of hundreds of kilobytes', () => {
  test.each(KINDS)('is shown as written, in pieces, whole and as it grows: %j', unit => {
    const text = `前 **一** 段\n\nx${long(unit)}\n\n后 **一** 段`
    const sections = sectionsOf(text)
    for (const section of sections) if (!section.plain) expect(section.text.length).toBeLessThanOrEqual(MAX_LINE)
    const whole = nodesOf(wholeBlocks(text))
    const shown = measure(whole)
    expect(shown.longest).toBeLessThanOrEqual(MAX_LINE)
    expect(shown.text).toContain(`x${long(unit)}`)
    expect(whole.at(-1)).toMatchObject({ children: [{ value: '后 ' }, { type: 'strong' }, { value: ' 段' }] })
    const grown = incrementalParser()
    for (let end = 0; end < text.length; end += 7_000) {
      grown.update(text.slice(0, end), false)
      expect(measure(nodesOf(grown.groups)).longest).toBeLessThanOrEqual(MAX_LINE)
    }
    grown.update(text, true)
    expect(measure(nodesOf(grown.groups))).toEqual(shown)
  })

  test('is left to its fence in code', () => {
    const code = `\`\`\`json\n${long('[1],')}\n\`\`\`\n\n后`
    expect(nodesOf(wholeBlocks(code))).toMatchObject([{ type: 'code', lang: 'json' }, { type: 'paragraph' }])
    const grown = incrementalParser()
    for (let end = 0; end < code.length; end += 37_000) grown.update(code.slice(0, end), false)
    grown.update(code, true)
    expect(nodesOf(grown.groups)).toMatchObject([{ type: 'code', lang: 'json' }, { type: 'paragraph' }])
  })

  test('behind code that came with it is in pieces, too', () => {
    const grown = incrementalParser()
    grown.update('前', false)
    grown.update(`前\n\n\`\`\`js\na\n\`\`\`\n\n${long('&amp;')}`, false)
    expect(measure(nodesOf(grown.groups)).longest).toBeLessThanOrEqual(MAX_LINE)
  })

  test('ends the list or paragraph before it, and characters stay whole', () => {
    const text = `- 甲\n- 乙\n${long('👍🏽é')}`
    const nodes = nodesOf(wholeBlocks(text))
    expect(nodes[0]).toMatchObject({ type: 'list', children: [{}, {}] })
    for (const node of nodes.slice(1)) expect(measure([node]).text.isWellFormed()).toBe(true)
  })
})

describe('A list of thousands of items', () => {
  test('is parsed in parts, and is one', () => {
    const text = `前\n\n${Array.from({ length: 3_000 }, (_, at) => `- 项 **${at}**\n  - 子\n`).join('')}\n后`
    for (const section of sectionsOf(text)) expect(section.text.length).toBeLessThan(6_000)
    const nodes = nodesOf(wholeBlocks(text))
    expect(nodes.map(({ type }) => type)).toEqual(['paragraph', 'list', 'paragraph'])
    expect(nodes[1]).toMatchObject({ ordered: false, spread: false })
    expect('children' in nodes[1]! ? nodes[1].children.length : 0).toBe(3_000)
  })
})

describe('Blank lines without end', () => {
  test('are not parsed', () => {
    const text = `前${'\n'.repeat(300_000)}后${'\n'.repeat(300_000)}`
    expect(nodesOf(wholeBlocks(text))).toMatchObject([{ type: 'paragraph' }, { type: 'paragraph' }])
  })
})

describe('A quote of thousands of lines', () => {
  test.each(['> a\n', '> - a\n', '>> 1. a\n'])('is shown as written: %j', line => {
    const nodes = nodesOf(wholeBlocks(line.repeat(40_000)))
    expect(nodes.every(({ type }) => type === 'paragraph')).toBe(true)
    expect(measure(nodes).text.length).toBeGreaterThan(100_000)
  })
})

describe('A paragraph of many lines', () => {
  test.each(['a\n', `${'word '.repeat(2_000)}\n`, '\n> a', '&amp;\n'])('is shown in pieces: %#', line => {
    const nodes = nodesOf(wholeBlocks(`x${long(line)}`))
    expect(measure(nodes).longest).toBeLessThanOrEqual(MAX_LINE)
  })
})
