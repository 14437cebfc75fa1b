import { describe, expect, test } from 'vitest'
import type { Message } from '#contract/messages.ts'
import { until } from '#testing/until.ts'
import { theAnswer } from './answer.testing.tsx'
import { textFeed } from './markdown/streaming/textFeed.ts'

const sources = ['a', 'b', 'c', 'd'].map(name => ({ title: name.toUpperCase(), url: `https://${name}.example/` }))

const reply = (text: string, named: typeof sources | null = sources): Message => ({
  id: 'answer',
  source: 'openai_api',
  role: 'assistant',
  author_name: null,
  model: null,
  create_time: null,
  parent: null,
  children: [],
  content: { content_type: 'text', parts: [text] },
  metadata: { source: 'openai_api', sources: named },
})

async function marksOf(text: string) {
  const { container } = await theAnswer([reply(text)])
  return [...container.querySelectorAll<HTMLAnchorElement>('[data-testid="sourceMark"]')].map(({ href }) => href[8])
}

describe('The mark of a source in an answer of an endpoint', () => {
  test.each([
    ['The sky is blue[1][2].', 'ab'],
    ['价格上涨[1]，随后回落【2】。', 'ab'],
    ['据报道【4†source】与【1†L1-L9】', 'da'],
    ['Shown before [^1], [^2^], [citation:3], [cite: 4], [ref_1].', 'abcda'],
    ['Both [1, 2] and [3，4]', 'abcd'],
    ['- **粗**[1]\n- 项[2]\n\n| a | b |\n|---|---|\n| 甲[3] | y [4] |\n\n> 引[1]', 'abcda'],
    ['In 2024[1], GitHub[2], CO2[3] and (2023)[4]', 'abcd'],
    ['See it [1](https://other.example) and [[2]](https://b.example/), then [3].', 'c'],
  ])('is its link: %s', async (text, marks) => expect((await marksOf(text)).join('')).toBe(marks))

  test.each([
    '`x [1]`',
    '```\ny [1]\n```',
    '设 $x[1]$ 与 \\([2]\\)',
    'the array a[1] and nums[2], row_2[3], myList[1], grid[1][2], f(x)[1]',
    'x[1].name, then x[1] = 2; set word[1] = 3',
    'in 1998 [5] and [99], [0], [abc], [1.5]',
    '【要点】 and 【不是 1】',
  ])('is none in code, in a formula or of an array, or without its source: %s', async text =>
    expect(await marksOf(text)).toEqual([]),
  )

  test('stays text where the endpoint names no sources', async () => {
    const { container } = await theAnswer([reply('文[1]', null)])
    expect(container.querySelector('a')).toBeNull()
  })

  test('opens another page that learns nothing, and says what it is', async () => {
    const { container } = await theAnswer([reply('文[2]')])
    const mark = container.querySelector('[data-testid="sourceMark"]')!
    for (const [name, value] of [
      ['href', 'https://b.example/'],
      ['target', '_blank'],
      ['rel', 'noopener noreferrer'],
      ['referrerpolicy', 'no-referrer'],
      ['title', 'B'],
    ] as const)
      expect(mark.getAttribute(name)).toBe(value)
    expect(mark.getAttribute('aria-label')).toContain('B')
  })

  test('is a link once the answer has ended', async () => {
    const feed = textFeed('文')
    const { container } = await theAnswer([reply('文[1]')], { feedOf: () => feed, growing: true })
    feed.append('[1]')
    feed.finish()
    await until(() => expect(container.querySelector('[data-testid="sourceMark"]')).not.toBeNull())
  })
})
