import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import '#web/kit/Kit.tsx'
import '#web/kit/tokens.css'
import { BOX, LIKELY_WIDTH } from './blockGroups.ts'
import { Markdown } from '../Markdown.tsx'

const times = (count: number, text: string, between = '\n') => Array.from({ length: count }, () => text).join(between)

const TEXTS: Record<string, string> = {
  'a line': '好的。',
  'a long paragraph': times(30, 'It depends on how much water is used in the evening.', ' '),
  'a long paragraph in Chinese': times(30, '这取决于晚上用多少水。', ''),
  'a list': times(12, '- **苹果**，以及一些别的水果'),
  'a list in a list': times(5, '- one\n  - two\n  - three'),
  'a loose list': times(6, '1. first\n\n   and more of it', '\n\n'),
  'a quote': times(6, '> Said by somebody who should know.', '\n>\n'),
  'a table': `| a | b |\n| - | - |\n${times(12, '| 12 | 20 |')}`,
  code: `\`\`\`ts\n${times(40, 'const answer = 42')}\n\`\`\``,
  'a heading with what follows it': `## Why\n\n${times(8, 'Because it is so.', ' ')}`,
}

test.for(Object.entries(TEXTS))('%s that was never laid out is taken for about as high as it is', async ([, text]) => {
  const { container } = await render(
    <div style={{ width: LIKELY_WIDTH }}>
      <Markdown text={text} />
    </div>,
  )
  const box = container.querySelector<HTMLElement>(BOX)
  if (box === null) throw new Error('there is no box')
  const said = parseFloat(box.style.containIntrinsicBlockSize.replace('auto', ''))
  box.style.contentVisibility = 'visible'
  const { height } = box.getBoundingClientRect()
  expect(Math.abs(said - height), `${said} of ${height}`).toBeLessThan(30 + height / 6)
})
