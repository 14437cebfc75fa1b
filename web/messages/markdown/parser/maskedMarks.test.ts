import { describe, expect, test } from 'vitest'
import { maskMarks, unmasked } from './maskedMarks.ts'
import { incrementalParser } from '../streaming/incrementalParser.ts'
import { wholeBlocks } from './parseWhole.ts'

const typesOf = (text: string) =>
  wholeBlocks(text)
    .flat()
    .map(({ node }) => (node.type === 'code' ? `${node.lang}: ${node.value}` : node.type))

const README = '```markdown\n# My tool\n\n```bash\nnpm i\n```\n\n## Use\n\n```js\nrun()\n```\n\nDone.\n```'
const INSIDE = README.slice('```markdown\n'.length, -'\n```'.length)

describe('A fence of Markdown', () => {
  test('contains the fences inside it, and ends at its own closing line', () => {
    expect(typesOf(`Here it is:\n\n${README}\n\nI hope that **helps**.`)).toEqual([
      'paragraph',
      `markdown: ${INSIDE}`,
      'paragraph',
    ])
    expect(typesOf(`Here it is:\n${README}\nI hope.`)).toEqual(['paragraph', `markdown: ${INSIDE}`, 'paragraph'])
    expect(typesOf(README.replaceAll('```', '~~~').replace('markdown', 'md'))).toEqual([
      `md: ${INSIDE.replaceAll('```', '~~~')}`,
    ])
    expect(typesOf('```md\n````js\n```\n````\n```\nafter')).toEqual(['md: ````js\n```\n````', 'paragraph'])
    expect(typesOf('```md\n````\n```js\na\n```\n````\n```\nafter')).toEqual([
      'md: ````\n```js\na\n```\n````',
      'paragraph',
    ])
    expect(typesOf('```md\na\n`````\nafter')).toEqual(['md: a', 'paragraph'])
    expect(typesOf(`\`\`\`md\n${README}\n\`\`\`\nafter`)).toEqual([`md: ${README}`, 'paragraph'])
  })
  test('does so in a list or a quote, too', () => {
    const item = (text: string) => `- item\n\n${text.replaceAll(/^(?=.)/gm, '  ')}\n- next`
    expect(wholeBlocks(item(README)).flat()[0]?.node).toMatchObject({
      type: 'list',
      children: [{ children: [{}, { type: 'code', value: INSIDE }] }, {}],
    })
    expect(wholeBlocks(`${README.replaceAll(/^/gm, '> ')}\n> after`).flat()[0]?.node).toMatchObject({
      children: [{ type: 'code', value: INSIDE }, { type: 'paragraph' }],
    })
    expect(typesOf('- > ```md\n  > ```js\n  > a\n  > ```\n  > ```\n- next')).toEqual(['list'])
    expect(JSON.stringify(wholeBlocks('- > ```md\n  > ```js\n  > a\n  > ```\n  > ```'))).toContain(
      '"value":"```js\\na\\n```"',
    )
    expect(
      wholeBlocks('- ```md\n  ```js\n  a\n  ```\n- b\n\n```\nc\n```')
        .flat()
        .map(({ node }) => node.type),
    ).toEqual(['list', 'code'])
  })
  test('with unbalanced fences is like any other fence', () => {
    expect(typesOf('```md\n```js\na\n```\n\nafter')).toEqual(['md: ```js\na', 'paragraph'])
    expect(typesOf('```md\na\n```\n\nafter\n\n```js\nb\n```')).toEqual(['md: a', 'paragraph', 'js: b'])
    expect(typesOf('```md\n```js\na\n```\nb **c**\n\n```md\n```js\nd\n```\n```\ne')).toEqual([
      'md: ```js\na',
      'paragraph',
      'md: ```js\nd\n```',
      'paragraph',
    ])
    expect(typesOf('```md\n```a\n```\n'.repeat(60))).toHaveLength(60)
  })
  test('that turns out to be unbalanced is at its end what it is when parsed at once', () => {
    const text = '说：\n\n```md\n```js\na\n```\n\n后 **文**\n\n```md\n```py\nb\n```\n\n尾'
    const blocks = incrementalParser()
    for (let end = 1; end < text.length; end += 1) blocks.update(text.slice(0, end), false)
    expect(blocks.groups.flat()).toHaveLength(2)
    blocks.update(text, true)
    expect(blocks.groups.flat().map(({ node }) => (node.type === 'code' ? node.value : node.type))).toEqual([
      'paragraph',
      '```js\na',
      'paragraph',
      '```py\nb',
      'paragraph',
    ])
    expect(typesOf(text)).toEqual(['paragraph', 'md: ```js\na', 'paragraph', 'md: ```py\nb', 'paragraph'])
  })
  test('is the only kind that contains fences', () => {
    expect(typesOf('```js\n```md\n```\nafter')).toEqual(['js: ```md', 'paragraph'])
    expect(typesOf('```md\n```js\n```py\n```\n```\nafter')).toEqual(['md: ```js\n```py\n```', 'paragraph'])
  })
  test('stays one block while it grows', () => {
    const blocks = incrementalParser()
    for (let end = 1; end <= README.length; end += 1) {
      blocks.update(README.slice(0, end), false)
      if (end > 12) expect(blocks.groups.flat()).toHaveLength(1)
    }
    blocks.update(`${README}\n\nafter`, false)
    expect(blocks.groups.flat().map(({ node }) => node.type)).toEqual(['code', 'paragraph'])
  })
  test('that arrives together with the words before it is one block, too', () => {
    const blocks = incrementalParser()
    blocks.update(`Here:\n${README.slice(0, -20)}`, false)
    blocks.update(`Here:\n${README}\nafter`, false)
    expect(blocks.groups.flat().map(({ node }) => node.type)).toEqual(['paragraph', 'code', 'paragraph'])
  })
})

const rowsOf = (text: string) => {
  const [table] = wholeBlocks(text).flat()
  return table?.node.type === 'table'
    ? table.node.children.map(row =>
        row.children.map(({ children }) =>
          children.map(node => ('value' in node ? `${node.type} ${node.value}` : node.type)).join(', '),
        ),
      )
    : []
}

describe('A bar in a table', () => {
  const head = '| a | b |\n|---|---|\n'
  test.each([
    [
      '| $P(A|B) = \\frac{P(B|A)}{P(B)}$ | `a | b` |',
      ['mathematics P(A|B) = \\frac{P(B|A)}{P(B)}', 'inlineCode a | b'],
    ],
    ['| $\\ln|x| + C$ | `x || y` |', ['mathematics \\ln|x| + C', 'inlineCode x || y']],
    ['| $\\|v\\|_2$ | `a \\| b` |', ['mathematics \\|v\\|_2', 'inlineCode a | b']],
    ['| \\(|x|\\) | ``a`|`b`` |', ['mathematics |x|', 'inlineCode a`|`b']],
    ['| $$|x|$$ | `|` |', ['mathematics |x|', 'inlineCode |']],
    ['$|x|$|`|`', ['mathematics |x|', 'inlineCode |']],
    ['| $\\{x | x > 0\\}$ | $f|_{x=0}$ |', ['mathematics \\{x | x > 0\\}', 'mathematics f|_{x=0}']],
    [
      '| $a|b$，$p|q$ 整除 | \\(a | b\\) |',
      ['mathematics a|b, text ，, mathematics p|q, text  整除', 'mathematics a | b'],
    ],
  ])('is no border in code and in formulas: %s', (row, cells) => expect(rowsOf(head + row)[1]).toEqual(cells))
  test.each([
    ['| $5 | $6 |', ['text $5', 'text $6']],
    ['|$5|$6|', ['text $5', 'text $6']],
    ['|10$|20$|', ['text 10$', 'text 20$']],
    ['|$HOME|$PATH|', ['text $HOME', 'text $PATH']],
    ['| $a | b$ |', ['text $a', 'text b$']],
    ['| `a | b |', ['text `a', 'text b']],
    ['| $x$ | $y$ |', ['mathematics x', 'mathematics y']],
    ['| \\$a | b\\$ |', ['text $a', 'text b$']],
    ['| $$ | $$ |', ['text $$', 'text $$']],
    ['|$a|b$|', ['text $a', 'text b$']],
    ['| US$|CA$ |', ['text US$', 'text CA$']],
  ])('is one everywhere else: %s', (row, cells) => expect(rowsOf(head + row)[1]).toEqual(cells))
  test('in code or a formula of the head is no border either', () => {
    expect(rowsOf('| `a|b` | $|x|$ |\n|---|---|\n| 1 | 2 |')[0]).toEqual(['inlineCode a|b', 'mathematics |x|'])
    const blocks = incrementalParser()
    blocks.update('| `a|b` | $|x|$ |\n', false)
    expect(blocks.groups.flat()[0]?.node).toMatchObject({ type: 'table', children: [{ children: [{}, {}] }] })
  })
  test('in open code is no border', () => {
    const blocks = incrementalParser()
    blocks.update(`${head}| 1 | \`x | y`, false)
    expect(blocks.groups.flat()[0]?.node).toMatchObject({
      children: [{}, { children: [{}, { children: [{ type: 'inlineCode', value: 'x | y' }] }] }],
    })
  })
  test('is not masked anywhere else', () => {
    const text = 'a `b | c` and [d `|`](https://example.org/?a=|)\n\n```\n| `a|b` | $|x|$\n```\n\n<i title="`|`">'
    expect(maskMarks(text, true)).not.toBe(text)
    expect(unmasked(maskMarks(text, true))).toBe(text)
    expect(JSON.stringify(wholeBlocks(text))).not.toMatch(/[\uFDD0-\uFDD3]/)
    expect(typesOf(text)[1]).toBe('null: | `a|b` | $|x|$')
  })
})
