import type { Nodes } from 'mdast'
import { describe, expect, test } from 'vitest'
import { CORPUS, LATE_REFERENCES } from '../corpus.testing.ts'
import { sourceText } from './sourceText.ts'
import { parse } from './parse.ts'
import { parseInSteps, resolveReferences, wholeBlocks } from './parseWhole.ts'
import { sameNode } from '../streaming/incrementalParser.ts'
import { sectionsOf as sections } from './sections.ts'

const sectionsOf = (text: string, least: number) => sections(text, least).map(section => section.text)

function parsed(text: string, least: number) {
  const steps = parseInSteps(text, least)
  let taken = 0
  for (;;) {
    const step = steps.next()
    if (step.done) return { nodes: step.value, taken }
    taken += 1
  }
}

function expectSameInSections(text: string): void {
  const whole = parsed(text, Infinity).nodes
  const inSections = parsed(text, 0).nodes
  expect(inSections.map(node => node.type)).toEqual(whole.map(node => node.type))
  inSections.forEach((node, at) => expect(sameNode(node, whole[at]!)).toBe(true))
}

describe('A text parsed in sections', () => {
  test('loses nothing', () => {
    for (const text of CORPUS) expect(sectionsOf(text, 0).join('')).toBe(text)
  })
  test('is the same as parsed in one piece', () => {
    const texts = CORPUS.map(text => sourceText().prepare(text, true))
    for (const [at, text] of texts.entries()) {
      expectSameInSections(`${text}\n\n${texts[(at * 5 + 2) % texts.length]}\n\n中文 ${text}\n\nend`)
    }
  })
  test('knows in each section what another one defines', () => {
    for (const text of LATE_REFERENCES) expectSameInSections(text)
    expectSameInSections(
      '[a \\[b\\]] and [c]\n\ntext [^n]\n\n> [A \\[b\\]]: https://example.com/1\n\n- [^n]: note\n\n[C]: <https://example.com/2> "t"\n\n> [a\n> \\[B\\]], [Straẞe]\n\n[STRASSE]: https://example.com/3',
    )
  })
  test('does not take indented code for a part of a footnote', () => {
    expectSameInSections('    code [^n]\n\n中文[^n]\n\n[^n]: 注\n')
  })
  test('is split only where a block begins', () => {
    expect(sectionsOf('一\n\n二\n\n```\n\nthree\n```\n\n- a\n\n- b\n\n  c\n\n五', 0)).toEqual([
      '一\n\n',
      '二\n\n',
      '```\n\nthree\n```\n\n- a\n\n- b\n\n  c\n\n',
      '五',
    ])
  })
  test('is not split within a formula, and does not take its closing mark for an opening one', () => {
    expect(sectionsOf('$$a =\n\nb\n$$\n\n式 $$\nc\n$$\n\n三\n\n$$\na\n\nb\n$$', 0)).toEqual([
      '$$a =\n\nb\n$$\n\n',
      '式 $$\nc\n$$\n\n',
      '三\n\n',
      '$$\na\n\nb\n$$',
    ])
  })
  test('is not split within code or a formula after those of a list', () => {
    expect(sectionsOf('1. ```\n   a\n   ```\n\n二\n\n```\nx\n\ny\n```', 0)).toEqual([
      '1. ```\n   a\n   ```\n\n',
      '二\n\n',
      '```\nx\n\ny\n```',
    ])
    expect(sectionsOf('- - $$\n    a\n\n    b\n    $$\n\n二\n\n$$\nx\n\ny\n$$', 0)).toEqual([
      '- - $$\n    a\n\n    b\n    $$\n\n',
      '二\n\n',
      '$$\nx\n\ny\n$$',
    ])
    expect(sectionsOf('- $$\n  a\n$$\n\n二\n\n> $$\n> a\n$$\n\n三\n\n$$\na\n\n后面的文字\n\n四', 0)).toEqual([
      '- $$\n  a\n$$\n\n',
      '二\n\n',
      '> $$\n> a\n$$\n\n',
      '三\n\n',
      '$$\na\n\n',
      '后面的文字\n\n',
      '四',
    ])
    expect(sectionsOf('- ```\n  never closed\n\n二\n\n```\nx\n\ny\n```', 0)).toEqual([
      '- ```\n  never closed\n\n',
      '二\n\n',
      '```\nx\n\ny\n```',
    ])
  })
  test('takes several steps when it is long', () => {
    const long = Array.from(
      { length: 300 },
      (_, at) => `第 ${at} 段，说的是同一件事，只是号码不同，而且长到值得一段。`,
    ).join('\n\n')
    expect(parsed(long, 2_000).taken).toBeGreaterThan(4)
  })
})

describe('A long table', () => {
  const rows = (count: number, row = '| **a** [x] | $b$ `c` \\| d | e |') =>
    Array.from({ length: count }, () => `${row}\n`).join('')
  const table = (count: number, row?: string) => `| A | B |\n|:-:|--:|\n${rows(count, row)}`
  const nodesOf = (text: string) => parse(sourceText().prepare(text, true)).children
  test.each([
    ['alone', table(175)],
    ['of as many rows as there are in a step', table(100)],
    ['behind a few words and before others', `Here it is:\n\n${table(175)}\nThat was it.\n\n${table(60)}`],
    ['with rows that differ in length', `${table(90, '| a')}${rows(90, '||')}${rows(90, '| a | b |  \t')}`],
    ['behind which a paragraph follows at once', `${table(175)}no bar here`],
    ['whose head is none', `| A | B |\n| - |\n${rows(175)}`],
    ['that is none', rows(175)],
    ['with names that are defined', `${table(175)}\n[x]: https://example.com/1\n`],
    ['in a quote', table(175).replaceAll(/^/gm, '> ')],
    ['within code', `\`\`\`\n\n${table(175)}\`\`\``],
    ['behind a list', `- a\n\n  b\n\n${table(175)}`],
    ['in an open formula', `$$\na\n\n${table(175)}\n$$`],
  ])('%s is what it is when parsed at once', (_what, text) => {
    for (const least of [0, 300]) {
      const { nodes } = parsed(sourceText().prepare(text, true), least)
      const whole = resolveReferences(
        nodesOf(text),
        nodesOf(text).filter(node => node.type === 'definition'),
      )
      expect(nodes.map(node => node.type)).toEqual(whole.map(node => node.type))
      nodes.forEach((node, at) => expect(sameNode(node, whole[at]!)).toBe(true))
    }
  })
  test('takes several steps', () => {
    expect(parsed(`Here it is:\n\n${table(1_000)}\nThat was it.`, 300).taken).toBeGreaterThan(15)
  })
})

function notesIn(text: string): string[] {
  const notes: string[] = []
  const collect = (node: Nodes): void => {
    if (node.type === 'footnoteReference') notes.push(`${node.identifier} ${node.number}`)
    if (node.type === 'footnoteDefinition') notes.push(`${node.identifier}: ${node.number ?? 'none'}`)
    if ('children' in node) node.children.forEach(collect)
  }
  for (const { node } of wholeBlocks(text).flat()) collect(node)
  return notes
}

describe('footnotes', () => {
  test('are numbered in the order in which the text comes to them', () => {
    expect(notesIn('先[^b]后[^a]又[^b]\n\n[^a]: 甲\n\n[^b]: 乙')).toEqual(['b 1', 'a 2', 'b 1', 'a: 2', 'b: 1'])
  })

  test('that nothing mentions have no number', () => {
    expect(notesIn('字[^a]\n\n[^a]: 甲\n\n[^z]: 末')).toEqual(['a 1', 'a: 1', 'z: none'])
  })

  test('in lists and tables count where they stand', () => {
    expect(notesIn('- 一[^x]\n\n| a |\n|-|\n| b[^y] |\n\n[^y]: 2\n\n[^x]: 1')).toEqual(['x 1', 'y 2', 'y: 2', 'x: 1'])
  })
})

describe('blank lines', () => {
  test.each(['\n', ' \n', '\t\n'])('between two blocks count as one, however many there are: %j', blank => {
    const text = `one\n\n${blank.repeat(100_000)}two`
    expect(sections(text).filter(section => section.text.length > 3_000)).toEqual([])
    expect(
      wholeBlocks(text)
        .flat()
        .map(({ node }) => node.type),
    ).toEqual(['paragraph', 'paragraph'])
  })
  test('within code stay what they are', () => {
    const [block] = wholeBlocks(`\`\`\`\na\n${' \n'.repeat(2_000)}b\n\`\`\``).flat()
    expect(block?.node).toMatchObject({ type: 'code', value: `a\n${' \n'.repeat(2_000)}b` })
  })
})
