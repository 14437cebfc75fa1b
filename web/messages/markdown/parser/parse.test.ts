import { describe, expect, test } from 'vitest'
import { exceedsLimits, limitNesting, parse } from './parse.ts'
import { incrementalParser } from '../streaming/incrementalParser.ts'

const depthOf = (node: object): number =>
  'children' in node && Array.isArray(node.children) ? 1 + Math.max(0, ...node.children.map(depthOf)) : 0

/** The text of paragraphs of nothing but text. */
const plainText = (source: string) =>
  parse(source)
    .children.map(node =>
      node.type === 'paragraph' && node.children.length === 1 && node.children[0]?.type === 'text'
        ? node.children[0].value
        : `(${node.type})`,
    )
    .join('')

describe('Nesting', () => {
  test('as deep as people write is kept', () => {
    const source = '> - > 1. a\n>   - b\n\n* * *\n- - - - - - - - - - - - - - - - - - - - - - - - - - - - - -\n'
    expect(limitNesting(source)).toBe(source)
  })
  test.each(['- ', '> ', '1. ', '- > ', '* + '])('is text beyond the limit: %s', marker => {
    const source = `${marker.repeat(3_000)}x\nnext`
    expect(limitNesting(source)).toHaveLength(source.length)
    expect(depthOf(parse(source))).toBeLessThan(50)
  })
  test.each(['- ', '1. '])('from line to line is text beyond the same limit: %s', marker => {
    const source = Array.from({ length: 200 }, (_, at) => `${' '.repeat(at * 4)}${marker}x\n`).join('')
    expect(limitNesting(source)).toHaveLength(source.length)
    expect(depthOf(parse(source))).toBeLessThan(50)
    expect(
      limitNesting(source)
        .split('\n')
        .map(line => line.includes('·')),
    ).toEqual(Array.from({ length: 201 }, (_, at) => at >= 20 && at < 200))
  })
})

describe('Endless nesting', () => {
  const lines = (count: number, line: (at: number) => string, between = '\n') =>
    Array.from({ length: count }, (_, at) => line(at)).join(between)
  test.each([
    ['a list by spaces', lines(600, at => `${'  '.repeat(at)}- x`)],
    ['a list by tabs', lines(600, at => `${'\t'.repeat(at)}1. x`)],
    ['a loose list', lines(600, at => `${'  '.repeat(at)}- x`, '\n\n')],
    ['quotes', lines(600, at => `${'> '.repeat(at + 1)}x`)],
    ['quotes apart', lines(600, at => `${'> '.repeat(at + 1)}x`, '\n\n')],
    ['quotes and lists', lines(300, at => `${'> - '.repeat(at + 1)}x`)],
    ['a list in a quote', lines(600, at => `> ${'  '.repeat(at)}- x`)],
    ['marks of quotes', `${'>'.repeat(10_000)} x`],
    ['emphasis', `${'*a **b '.repeat(330)}x${'** *'.repeat(330)}`],
    ['underlines', `${'_a __b '.repeat(330)}x${'__ _'.repeat(330)}`],
    ['links', `${'['.repeat(1_400)}x${'](a)'.repeat(1_400)}`],
    ['brackets', '['.repeat(10_000) + ']'.repeat(10_000)],
    ['code', `${'`'.repeat(10_000)} x`],
    ['struck text', '~~a **b '.repeat(400)],
    ['HTML', '<div>'.repeat(5_000)],
    ['elements', `a ${'<sub>'.repeat(700)}x${'</sub>'.repeat(700)}`],
  ])('has a bounded depth, whole and while it grows: %s', (_what, text) => {
    const root = parse(text)
    expect(depthOf(root)).toBeLessThan(110)
    const blocks = incrementalParser()
    blocks.update(text, false)
    for (const { node } of blocks.groups.flat()) expect(depthOf(node)).toBeLessThan(110)
    // No letter is lost.
    expect(JSON.stringify(root)).toContain('x'.repeat(text.includes('x') ? 1 : 0))
  })
  test('of emphasis is shown as written beyond the limit', () => {
    const text = `${'*a **b '.repeat(330)}x${'** *'.repeat(330)}`
    const shown: string[] = []
    const collect = (node: object): void => {
      if ('value' in node && typeof node.value === 'string') shown.push(node.value)
      if ('children' in node && Array.isArray(node.children)) node.children.forEach(collect)
    }
    collect(parse(text))
    expect(shown.join('').replaceAll(/[* ]/g, '')).toBe(text.replaceAll(/[* ]/g, ''))
  })
  test('is not found in what people and programs write', () => {
    expect(exceedsLimits(lines(40, at => `${'    '.repeat(at)}- x`))).toBe(false)
    expect(exceedsLimits(`\`\`\`\n${' '.repeat(300)}- x\n\`\`\``)).toBe(false)
    expect(exceedsLimits('- '.repeat(200))).toBe(false)
    expect(exceedsLimits(lines(400, at => `[a](b) [${at}]`))).toBe(false)
  })
})

describe('A table of thousands of columns', () => {
  test('is shown as it was written', () => {
    const row = `|${'a|'.repeat(5_000)}`
    const source = `${row}\n|${'-|'.repeat(5_000)}\n${row}`
    expect(plainText(source)).toBe(source)
    const wide = `|a|\n|-|\n|${'1|'.repeat(20_000)}`
    expect(plainText(wide)).toBe(wide)
    expect(exceedsLimits(`| ${'a | '.repeat(100)}\n| ${'- | '.repeat(100)}`)).toBe(false)
  })
})

describe('A paragraph of nothing but marks', () => {
  test.each(['a]', '~~a', '*a **b ', '[', '![', '`a', '$a', '<a ', 'a\n=\n'])('is shown as it is: %s', mark => {
    const source = mark.repeat(4_000)
    expect(exceedsLimits(source)).toBe(true)
    expect(plainText(source)).toBe(source)
  })
  test('is not code, a table or a long text of many paragraphs', () => {
    const code = 'a[0] = b[*p] ?? `${c}`\n'.repeat(1_000)
    expect(exceedsLimits(`text\n\n\`\`\`js\n${code}\`\`\`\n\ntext`)).toBe(false)
    expect(exceedsLimits(`\`\`\`js\n${code}`)).toBe(false)
    expect(exceedsLimits(`- item\n\n  ~~~\n  ${code.replaceAll('\n', '\n  ')}\n  ~~~`)).toBe(false)
    expect(exceedsLimits(`| a | b |\n| - | - |\n${'| **a** | [b](c) |\n'.repeat(1_000)}`)).toBe(false)
    expect(exceedsLimits('**一段** [文字](a)，`代码`。\n\n'.repeat(1_000))).toBe(false)
    expect(exceedsLimits('- **一项** [文字](a)，`代码`。\n'.repeat(1_000))).toBe(false)
    expect(exceedsLimits('字[^1]\n\n' + '[^1]: **注**\n'.repeat(1_000))).toBe(false)
  })
  test('may also have too many lines, which a list or a table may have', () => {
    expect(exceedsLimits('a\n'.repeat(4_000))).toBe(true)
    expect(exceedsLimits(`> a\n${'b\n'.repeat(4_000)}`)).toBe(true)
    expect(exceedsLimits('- a\n'.repeat(4_000))).toBe(false)
    expect(exceedsLimits(`a | b\n--- | ---\n${'1 | 2\n'.repeat(4_000)}`)).toBe(false)
  })
  test('may be a single cell', () => {
    expect(
      exceedsLimits(`| a |
| - |
| ${'[a '.repeat(4_000)}|`),
    ).toBe(true)
  })
})
