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
  })
})
