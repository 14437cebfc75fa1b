import { describe, expect, test } from 'vitest'
import type { Message } from '#contract/messages.ts'
import { aMessage } from '#testing/messages.ts'
import { until } from '#testing/until.ts'
import '#web/kit/base.css'
import { heatPump } from '#testing/webConversations/heatPump.ts'
import { repliesOf, serve, theAnswer } from './answer.testing.tsx'
import { copiedMessages, copiedSelection } from './copiedSelection.ts'

const saying = (...texts: string[]): Message[] =>
  texts.map((text, at) => aMessage({ id: `m${at}`, role: 'assistant', content: { content_type: 'text', text } }))

/** The messages, once their formulas are drawn. */
async function shown(...texts: string[]): Promise<HTMLElement> {
  const { container } = await theAnswer(saying(...texts))
  await until(() => expect(container.querySelectorAll('[data-tex]:not(:has(.katex))')).toHaveLength(0))
  return container
}

function select(from: Node, to: Node = from): Selection {
  const selection = getSelection()!
  const range = document.createRange()
  range.setStart(from, 0)
  range.setEnd(to, to instanceof Text ? to.length : to.childNodes.length)
  selection.removeAllRanges()
  selection.addRange(range)
  return selection
}

function textWith(container: Element, words: string): Text {
  const texts = document.createTreeWalker(container, NodeFilter.SHOW_TEXT)
  while (texts.nextNode())
    if (texts.currentNode instanceof Text && texts.currentNode.data.includes(words)) return texts.currentNode
  throw new Error(`no text has ${words}`)
}

const copyOfAll = async (text: string) => {
  const container = await shown(text)
  return copiedSelection(select(container))
}

describe('what is copied of a whole answer', () => {
  test('are the messages that are named, with the numbers of their sources as links', async () => {
    serve({})
    const replies = repliesOf(heatPump)
    await theAnswer(replies)
    const html = copiedMessages(replies.map(({ id }) => id))
    expect(html).toContain('<a href="https://lab.example.cn/heat-pump/low-temperature">[2]</a>')
    expect(html).not.toMatch(/<(button|svg|span)|class=/)
    expect(copiedMessages(['another'])).toBe('')
  })
  test('is not how it ended', async () => {
    const [message] = saying('Half of it')
    await theAnswer([{ ...message!, metadata: { source: 'openai_api', usage: null, finish_reason: 'length' } }])
    expect(copiedMessages([message!.id])).toMatch(/^<div><div><p[^>]*>Half of it<\/p><\/div><\/div>$/)
  })
})

describe('what is copied of an answer', () => {
  test('has no colours of the page', async () => {
    expect(await copyOfAll('Some **bold** and `code`, [a link](https://example.org/)\nnext line')).toEqual({
      html: '<div><div><p dir="auto">Some <strong>bold</strong> and <code dir="ltr">code</code>, <a href="https://example.org/">a link</a><br>next line</p></div></div>',
      text: 'Some bold and code, a link\nnext line',
    })
  })
  test('has formulas as their source, once, and whole where only a part is selected', async () => {
    const container = await shown('For $x^2$ it is:\n\n$$\\frac{1}{2}$$\n\nend')
    expect(copiedSelection(select(container))?.text).toBe('For $x^2$ it is:\n\n$$\\frac{1}{2}$$\n\nend')
    const part = container.querySelector('.katex .mord')!
    expect(copiedSelection(select(part, textWith(container, 'it is')))?.text).toBe('$x^2$ it is:')
  })
  test('has the numbers of lists, from the first item that is selected on', async () => {
    const container = await shown('1. one\n2. two\n3. three\n\n- a\n- b')
    expect(copiedSelection(select(textWith(container, 'two'), textWith(container, 'three')))).toMatchObject({
      html: expect.stringContaining('start="2"><li'),
      text: '2. two\n3. three',
    })
    expect(copiedSelection(select(textWith(container, 'one'), textWith(container, 'b')))?.text).toMatch(
      /^1\. one\n2\. two\n3\. three\s+- a\n- b$/,
    )
  })
  test('has the number of an item of several paragraphs before the first one', async () => {
    expect((await copyOfAll('1. one\n\n   more\n\n2. two'))?.text).toMatch(/^1\. one\s+more\s+2\. two$/)
  })
  test('has code with its lines, without its tools', async () => {
    const container = await shown('```js\nconst a = 1\n\nif (a)\n  go()\n```')
    expect(copiedSelection(select(container))).toMatchObject({
      html: expect.stringContaining('<pre>const a = 1\n\nif (a)\n  go()</pre>'),
      text: 'const a = 1\n\nif (a)\n  go()',
    })
    expect(copiedSelection(select(textWith(container, 'if'), textWith(container, 'go')))?.text).toMatch(
      /^if .*\n {2}go/,
    )
  })
  test('has the table around its rows', async () => {
    const container = await shown('| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |')
    expect(copiedSelection(select(textWith(container, '1'), textWith(container, '4')))).toEqual({
      html: expect.stringMatching(/^<table><tbody><tr><td>.*1.*4.*<\/td><\/tr><\/tbody><\/table>$/),
      text: '1\t2\n3\t4',
    })
  })
  test('is of several messages what is selected of each', async () => {
    const container = await shown('first *message*', 'second one')
    expect(copiedSelection(select(textWith(container, 'message'), textWith(container, 'second')))?.text).toBe(
      'message\n\nsecond one',
    )
  })
  test('is nothing where no message is selected', async () => {
    const container = await shown('first')
    const beside = container.appendChild(document.createElement('p'))
    beside.textContent = 'beside'
    expect(copiedSelection(select(beside))).toBe(null)
    expect(copiedSelection(null)).toBe(null)
  })
})
