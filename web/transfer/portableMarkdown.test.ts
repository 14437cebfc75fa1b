import { fromMarkdown } from 'mdast-util-from-markdown'
import { describe, expect, test } from 'vitest'
import { parse } from '#web/messages/markdown/parser/parse.ts'
import { withClosedBlocks, withLongerFences } from './portableMarkdown.ts'

describe('an answer that broke off', () => {
  test.each([
    ['in code', 'So:\n\n```python\ndef main():\n    print("x")', '```'],
    ['in code of other marks', '~~~~ js\n~~~\n```\nx', '~~~~'],
    ['in longer marks', '````md\n```js\nx\n```\n', '````'],
    ['in code of a list', '- one\n- two:\n\n  ```js\n  x', '  ```'],
    ['in code of a deep list', '1. a\n   - b\n\n     ```\n     x', '     ```'],
    ['in code right behind a bullet', '- ```js\n  x', '  ```'],
    ['in code of a quote', '> ```\n> x', '> ```'],
    ['right at the beginning of code', 'x\n\n```', '```'],
    ['in a second piece of code', '```\na\n```\n\n```js\nb', '```'],
    ['in a formula', 'So\n\n$$\nx = 1', '$$'],
    ['in a comment', 'So\n\n<!-- note', '-->'],
    ['in an instruction', 'So\n\n<?php x', '?>'],
    ['in data', '<![CDATA[\nx', ']]>'],
    ['in text that is laid out', '<pre>\nx', '</pre>'],
  ])('%s is closed', (_, text, end) => {
    const closed = withClosedBlocks(text)
    expect(closed).toBe(`${text.replace(/\n+$/, '')}\n${end}`)
    const after = parse(`${closed}\n\n## 2. Next\n`).children.at(-1)
    expect(after?.type).toBe('heading')
  })
  test.each([
    'plain',
    '```\na\n```',
    '```\na\n`````',
    '    ```\n    x',
    'a `code` and ```inline``` b',
    '- ```\n  x\n\nbehind',
    '> ```\n> x\n\nbehind',
    '~~~\n```\n~~~',
    '$$\nx\n$$',
    'costs $$5',
    '<!-- a --> b',
    '```md\n# x\n```\n\n| a |\n|---|\n| `b` |\n',
    '',
  ])('is left as it is where nothing is open: %j', text => {
    expect(withClosedBlocks(text)).toBe(text)
  })
})

const README = '```markdown\n# x\n```sh\nls\n```\nend\n```'
const LONGER = '````markdown\n# x\n```sh\nls\n```\nend\n````'

describe('a fence of Markdown that holds fences, in an exported file', () => {
  test.each([
    [`So:\n\n${README}\n\nafter`, `So:\n\n${LONGER}\n\nafter`],
    [`${README}\n\n${README}`, `${LONGER}\n\n${LONGER}`],
    ['~~~md\n~~~~js\na\n~~~~\n~~~\nafter', '~~~~~md\n~~~~js\na\n~~~~\n~~~~~\nafter'],
    [README.replaceAll(/^/gm, '> '), LONGER.replaceAll(/^/gm, '> ')],
    [`- a\n${README.replaceAll(/^/gm, '  ')}\n- b`, `- a\n${LONGER.replaceAll(/^/gm, '  ')}\n- b`],
    [`\`\`\`js\na\n\`\`\`\n${README}`, `\`\`\`js\na\n\`\`\`\n${LONGER}`],
  ])('is longer than those: %j', (text, longer) => {
    expect(withLongerFences(text)).toBe(longer)
    const kinds = (read: typeof parse) => read(longer).children.map(({ type }) => type)
    expect(kinds(source => fromMarkdown(source))).toEqual(kinds(parse))
  })
  test.each([
    'plain',
    '```md\n# x\n```\nafter',
    '````md\n```js\na\n```\n````',
    '```js\n```md\n```\nafter',
    '```md\n```js\na\n```\nnever ended',
  ])('is left as it is otherwise: %j', text => {
    expect(withLongerFences(text)).toBe(text)
  })
})
