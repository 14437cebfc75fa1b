import type { Nodes } from 'mdast'
import { describe, expect, test } from 'vitest'
import { parse } from '#web/messages/markdown/parse.ts'
import { inlineMarkdown, plainMarkdown } from './markdownText.ts'

/** What a viewer shows of Markdown, and the kinds of blocks and marks in it. */
function shown(markdown: string): { text: string; kinds: Set<string> } {
  const kinds = new Set<string>()
  const textOf = (node: Nodes): string => {
    kinds.add(node.type)
    if (node.type === 'break') return '\n'
    if ('value' in node) return node.value
    return 'children' in node ? node.children.map(textOf).join(node.type === 'root' ? '\n\n' : '') : ''
  }
  return { text: textOf(parse(markdown)), kinds }
}

const PLAIN = ['root', 'paragraph', 'text', 'break', 'link']

describe('a question in an exported file', () => {
  test.each([
    '# heading\n## 2',
    'a <b>bold</b> & &amp; word <!-- x',
    '*stars* and **two**, _under_ and snake_case __x__',
    '> quoted\n> twice',
    '1. one\n2) two\n- three\n+ four\n* five',
    'title\n=====\n\nother\n---',
    '| a | b |\n|---|---|\n| 1 | 2 |',
    'code `x` and ``y``',
    '[link](https://example.org) ![p](x) [^1]',
    'costs $5 and $6, $$x$$',
    '~~gone~~ ~x~',
    'C:\\dir\\*.txt \\',
    '***\n- - -\n___',
    '<details><summary>x</summary>\n\n</details>',
    ':::note\nx\n:::',
    '2026-11-28\n1.5 and 3)x',
    '你好 *世界* #标题',
    '\\(x\\) and \\[y\\]',
    '[a]: https://example.org "t"',
    'one\ntwo\n\nthree',
    '[a\nb](c)',
    'https://example.org/~me/a|b?$top=5&x=~~y~~ and $5',
  ])('reads as it was typed: %j', typed => {
    const { text, kinds } = shown(plainMarkdown(typed))
    expect(text).toBe(typed)
    expect([...kinds].filter(kind => !PLAIN.includes(kind))).toEqual([])
  })
  test.each(['```js\nlet x\n```\ntext', 'see:\n\n    indented <b>', '\tdef f():\n\t\treturn 1', '~~~~\nx'])(
    'is a block of code where its lines are code: %j',
    typed => {
      expect(shown(plainMarkdown(typed))).toEqual({ text: typed, kinds: new Set(['root', 'code']) })
    },
  )
  test('that has no marks is not changed', () => {
    for (const typed of ['多久回本？', 'plain words, e.g. 3 - 1 = 2; a+b/c (x) "y"', 'snake_case and user@example.org'])
      expect(plainMarkdown(typed)).toBe(typed)
  })
})

describe('an address in a question', () => {
  test('has no backslash that it did not have', () => {
    expect(plainMarkdown('see https://example.org/~me/a|b?$top=5, ~$5')).toBe(
      'see https://example.org/~me/a|b?$top=5, \\~\\$5',
    )
  })
})

describe('a name in an exported file', () => {
  test.each(['C #', 'a *b* [c] <d>', 'x_y_z', '1 | 2', 'a\nb'])('is the same within its line: %j', name => {
    expect(shown(`# ${inlineMarkdown(name)}`)).toMatchObject({
      text: name.replace('\n', ' '),
      kinds: new Set(['root', 'heading', 'text']),
    })
  })
})
