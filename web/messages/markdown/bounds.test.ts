import { describe, expect, test } from 'vitest'
import { isDense, shallow } from './bounds.ts'
import { parse } from './parse.ts'

const depthOf = (node: object): number => ('children' in node && Array.isArray(node.children) ? 1 + Math.max(0, ...node.children.map(depthOf)) : 0)

describe('What nests', () => {
  test('as deep as people nest is left alone', () => {
    const source = '> - > 1. a\n>   - b\n\n* * *\n- - - - - - - - - - - - - - - - - - - - - - - - - - - - - -\n'
    expect(shallow(source)).toBe(source)
  })
  test.each(['- ', '> ', '1. ', '- > ', '* + '])('without end is text from some depth on: %s', marker => {
    const source = `${marker.repeat(3_000)}x\nnext`
    expect(shallow(source)).toHaveLength(source.length)
    expect(depthOf(parse(source))).toBeLessThan(50)
  })
  test.each(['- ', '1. '])('from line to line is text from the same depth on: %s', marker => {
    const source = Array.from({ length: 200 }, (_, at) => `${' '.repeat(at * 4)}${marker}x\n`).join('')
    expect(shallow(source)).toHaveLength(source.length)
    expect(depthOf(parse(source))).toBeLessThan(50)
    expect(shallow(source).split('\n').map(line => line.includes('·'))).toEqual(Array.from({ length: 201 }, (_, at) => at >= 20 && at < 200))
  })
})

describe('A paragraph of nothing but marks', () => {
  test.each(['a]', '~~a', '*a **b ', '[', '![', '`a', '$a', '<a ', 'a\n=\n'])('is shown as it is: %s', mark => {
    const source = mark.repeat(4_000)
    expect(isDense(source)).toBe(true)
    expect(parse(source).children).toMatchObject([{ type: 'paragraph', children: [{ type: 'text', value: source }] }])
  })
  test('is not code, a table or a long text of many paragraphs', () => {
    const code = 'a[0] = b[*p] ?? `${c}`\n'.repeat(1_000)
    expect(isDense(`text\n\n\`\`\`js\n${code}\`\`\`\n\ntext`)).toBe(false)
    expect(isDense(`\`\`\`js\n${code}`)).toBe(false)
    expect(isDense(`- item\n\n  ~~~\n  ${code.replaceAll('\n', '\n  ')}\n  ~~~`)).toBe(false)
    expect(isDense(`| a | b |\n| - | - |\n${'| **a** | [b](c) |\n'.repeat(1_000)}`)).toBe(false)
    expect(isDense('**一段** [文字](a)，`代码`。\n\n'.repeat(1_000))).toBe(false)
    expect(isDense('- **一项** [文字](a)，`代码`。\n'.repeat(1_000))).toBe(false)
    expect(isDense('字[^1]\n\n' + '[^1]: **注**\n'.repeat(1_000))).toBe(false)
  })
  test('may also be one of too many lines, but no list or table is', () => {
    expect(isDense('a\n'.repeat(4_000))).toBe(true)
    expect(isDense(`> a\n${'b\n'.repeat(4_000)}`)).toBe(true)
    expect(isDense('- a\n'.repeat(4_000))).toBe(false)
    expect(isDense(`a | b\n--- | ---\n${'1 | 2\n'.repeat(4_000)}`)).toBe(false)
  })
  test('may be a single cell', () => {
    expect(isDense(`| a |
| - |
| ${'[a '.repeat(4_000)}|`)).toBe(true)
  })
})
