import { describe, expect, test } from 'vitest'
import { bounded } from './bounds.ts'
import { parse } from './parse.ts'

const shallow = (source: string) => bounded(source).text
const isDense = (source: string) => bounded(source).dense.length > 0

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
  test.each(['- ', '1. ', '[^1]: '])('from line to line is text from the same depth on: %s', marker => {
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
    expect(parse(source).children).toMatchObject([{ type: 'paragraph', children: [{ type: 'text', value: source.replace(/\n$/, '') }] }])
  })
  test('is not code, a table or a long text of many paragraphs', () => {
    const code = 'a[0] = b[*p] ?? `${c}`\n'.repeat(1_000)
    expect(isDense(`text\n\n\`\`\`js\n${code}\`\`\`\n\ntext`)).toBe(false)
    expect(isDense(`\`\`\`js\n${code}`)).toBe(false)
    expect(isDense(`- item\n\n  ~~~\n  ${code.replaceAll('\n', '\n  ')}\n  ~~~`)).toBe(false)
    expect(isDense(`| a | b |\n| - | - |\n${'| **a** | [b](c) |\n'.repeat(1_000)}`)).toBe(false)
    expect(isDense('**一段** [文字](a)，`代码`。\n\n'.repeat(1_000))).toBe(false)
    expect(isDense('- **一项** [文字](a)，`代码`。\n'.repeat(1_000))).toBe(false)
    expect(isDense(Array.from({ length: 3_000 }, (_, at) => `${at + 1}. **一项**\n`).join(''))).toBe(false)
  })
  test('leaves what stands around it as it is', () => {
    const source = `# 甲\n\n${'*a **b '.repeat(2_000)}\n\n**乙**\n\n- 丙\n`
    const { children } = parse(source)
    expect(children.map(({ type }) => type)).toEqual(['heading', 'paragraph', 'paragraph', 'list'])
    expect(children.map(({ position }) => source.slice(position?.start.offset).slice(0, 2))).toEqual(['# ', '*a', '**', '- '])
  })
  test('may also be one of too many lines, but no list or table is', () => {
    expect(isDense('a\n'.repeat(4_000))).toBe(true)
    expect(isDense(`> a\n${'b\n'.repeat(4_000)}`)).toBe(true)
    expect(isDense('- a\n'.repeat(4_000))).toBe(false)
    expect(isDense(`a | b\n--- | ---\n${'1 | 2\n'.repeat(4_000)}`)).toBe(false)
    expect(isDense('[^a]: b\n'.repeat(4_000))).toBe(false)
    expect(isDense('[a]: https://example.com "b"\n'.repeat(4_000))).toBe(false)
    expect(isDense(`a\n${'[a]: https://example.com\n'.repeat(4_000)}`)).toBe(true)
  })
  test('is found behind code that is never closed in its item', () => {
    expect(isDense(`- \`\`\`\n  code\n\n${'['.repeat(4_000)}`)).toBe(true)
  })
})
