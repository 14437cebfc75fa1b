import { describe, expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { until } from '#testing/until.ts'
import { Markdown, StreamingMarkdown } from '../Markdown.tsx'
import { textFeed } from '../streaming/textFeed.ts'

/** Details as `summary{what is folded}`; of other blocks their text. */
function outline(element: Element): string {
  if (element.tagName === 'DETAILS') {
    const summary = [...element.children].find(({ tagName }) => tagName === 'SUMMARY')
    const others = [...element.children].filter(child => child !== summary)
    const open = element.hasAttribute('open') ? '+' : ''
    return `${open}${summary?.innerHTML ?? '-'}{${others.map(outline).join('')}}`
  }
  if (element.querySelector('details') || element.hasAttribute('data-box'))
    return [...element.children].map(outline).join('')
  return element.textContent.trim() === '' ? '' : `[${element.textContent.trim()}]`
}

const FORMS: [string, string, string][] = [
  [
    'blank lines',
    '<details>\n<summary>更多</summary>\n\n里面 **粗**\n\n- 一\n\n</details>\n\n后文',
    '更多{[里面 粗][一]}[后文]',
  ],
  ['no blank lines', '<details>\n<summary>更多</summary>\n里面 **粗**\n</details>\n后文', '更多{[里面 粗]}[后文]'],
  ['one line for both tags', '<details><summary>更多</summary>\n\n里面\n\n</details>', '更多{[里面]}'],
  ['one line', '<details><summary>更多</summary>里面</details>', '更多{[里面]}'],
  ['open', '<details open>\n<summary>A</summary>\n\nb\n\n</details>', '+A{[b]}'],
  [
    'Markdown in the summary',
    '<details>\n<summary>**粗** `c`</summary>\n\nb\n</details>',
    '<strong>粗</strong> <code dir="ltr" translate="no">c</code>{[b]}',
  ],
  ['a summary of several lines', '<details>\n<summary>\n标题\n</summary>\n\nb\n</details>', '标题{[b]}'],
  ['a line break in the summary', '<details>\n<summary>a<br>b</summary>\n\nc\n</details>', 'a<br>b{[c]}'],
  ['no summary', '<details>\n\n里面\n\n</details>', '-{[里面]}'],
  [
    'a fence with their end inside',
    '<details>\n<summary>A</summary>\n\n```html\n</details>\n```\n\nb\n\n</details>\nc',
    'A{[html</details>][b]}[c]',
  ],
  [
    'others inside',
    '<details>\n<summary>A</summary>\n\n<details>\n<summary>B</summary>\n\nb\n\n</details>\n\na\n\n</details>',
    'A{B{[b]}[a]}',
  ],
  ['a list before their end', '<details>\n<summary>A</summary>\n\n- b\n</details>\nc', 'A{[b]}[c]'],
  ['no end', '<details>\n<summary>A</summary>\n\nb\n\nc', 'A{[b][c]}'],
  ['capital letters', '<DETAILS>\n<Summary>A</Summary>\n\nb\n</DETAILS>', 'A{[b]}'],
  [
    'more than a box of blocks',
    `<details>\n<summary>A</summary>\n\n${'b\n\n'.repeat(9)}</details>\n\nc`,
    `A{${'[b]'.repeat(9)}}[c]`,
  ],
  ['a place in a list', '- 甲\n  <details>\n  <summary>A</summary>\n\n  b\n\n  </details>\n- 乙', 'A{[b]}'],
  ['a place in a quote', '> <details>\n> <summary>A</summary>\n>\n> b\n>\n> </details>', 'A{[b]}'],
]

describe('Details', () => {
  test.each(FORMS)('with %s fold, whole and as they grow', async (_what, text, expected) => {
    const feed = textFeed('')
    const grown = await render(<StreamingMarkdown feed={feed} />)
    for (const piece of text.match(/[^]{1,7}/gu) ?? []) feed.append(piece)
    feed.finish()
    const whole = await render(<Markdown text={text} />)
    await until(() => expect(grown.container.querySelector('details')).not.toBeNull())
    const shown = outline(whole.container)
    expect(shown).toContain(expected)
    await until(() => expect(outline(grown.container)).toBe(shown))
  })

  test('that are only mentioned are text', async () => {
    const text = '用 <details> 与 </details> 折叠。\n\n<details> 元素\n\n`<details>`\n\n</details>'
    const { container } = await render(<Markdown text={text} />)
    expect(container.querySelector('details')).toBeNull()
    expect(container.textContent).toContain('</details>')
  })

  test('stay as the reader has set them while more comes', async () => {
    const feed = textFeed('<details>\n<summary>A</summary>\n\n一段\n\n')
    const { container } = await render(<StreamingMarkdown feed={feed} />)
    const details = container.querySelector('details')!
    details.open = true
    feed.append('又一段\n\n</details>\n\n尾')
    await until(() => expect(container.textContent).toContain('尾'))
    expect(container.querySelector('details')).toBe(details)
    expect(details.open).toBe(true)
  })
})
