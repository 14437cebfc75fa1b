import { fromMarkdown } from 'mdast-util-from-markdown'
import { describe, expect, test } from 'vitest'
import { parse } from '#web/messages/markdown/parse.ts'
import { withLongerFences } from './longerFences.ts'

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
