import { afterEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { words } from '#testing/messages.ts'
import { Announcer } from './Announcer.tsx'
import { useAsks } from './asks/asks.ts'
import type { Ask } from './asks/askState.ts'
import { aMessage, anAsk } from './builders.testing.ts'
import { dropFeeds, writeFeed } from './asks/feeds.ts'

const reply = aMessage({ id: 'a1', role: 'assistant' })
const asked = anAsk({ ask_id: 'one', conversation_id: 'c', replies: [reply], state: { phase: 'replying' } })
const aloud = page.getByRole('log')
/** Sentences are gathered for a while before they are announced. */
const lines = () => [...aloud.element().children].map(line => line.textContent)

async function begin(): Promise<void> {
  await render(<Announcer conversation_id="c" />)
  writeFeed(asked, { n: 1, type: 'message', message: reply })
  useAsks.setState({ asks: [asked] })
}

function end(state: Ask['state'], answer: string): void {
  useAsks.setState({ asks: [], last: { ...asked, replies: [{ ...reply, content: words(answer) }], state } })
}

const grow = (words: string) => writeFeed(asked, { n: 2, t: words })

afterEach(() => {
  writeFeed(asked, { type: 'finished', outcome: 'finished', charged: true })
  dropFeeds(null)
  useAsks.setState({ asks: [], last: null })
})

describe('a growing answer', () => {
  test('is read aloud by whole sentences, each of them once', async () => {
    await begin()
    grow('第一句。第二')
    await expect.poll(lines).toEqual(['第一句。'])
    grow('句！第三句。还')
    await expect.poll(lines).toEqual(['第一句。', '第二句！第三句。'])
    grow('没完')
    end({ phase: 'finished', charged: true }, '第一句。第二句！第三句。还没完')
    await expect.poll(lines).toEqual(['第一句。', '第二句！第三句。', '回答完了：还没完'])
  })
  test('is read without what the model thought before it', async () => {
    await render(<Announcer conversation_id="c" />)
    const thoughts = aMessage({
      id: 't1',
      role: 'assistant',
      content: { content_type: 'thoughts', text: '', seconds: null },
    })
    const thinking = { ...asked, replies: [thoughts] }
    writeFeed(thinking, { n: 1, type: 'message', message: thoughts })
    useAsks.setState({ asks: [thinking] })
    writeFeed(thinking, { n: 2, t: '先想一想。' })
    writeFeed(asked, { n: 3, type: 'message', message: reply })
    useAsks.setState({ asks: [{ ...asked, replies: [thoughts, reply] }] })
    grow('第一句。')
    await expect.poll(lines).toEqual(['第一句。'])
    useAsks.setState({
      asks: [],
      last: {
        ...asked,
        replies: [thoughts, { ...reply, content: words('第一句。') }],
        state: { phase: 'finished', charged: true },
      },
    })
    await expect.poll(lines).toEqual(['第一句。', '回答完了'])
  })
  test('that is long is not read to its end, but its completion is announced', async () => {
    await begin()
    grow('很长的一句。'.repeat(200))
    await expect.poll(lines).toHaveLength(1)
    grow('又一句。')
    end({ phase: 'finished', charged: true }, `${'很长的一句。'.repeat(200)}又一句。`)
    await expect.poll(() => lines().slice(1)).toEqual(['回答完了'])
  })
  test('says that it was stopped', async () => {
    await begin()
    end({ phase: 'stopped', charged: true }, '说到一半')
    await expect.poll(lines).toEqual(['已停止：说到一半'])
  })
  test('says that it was stopped before anything came', async () => {
    await render(<Announcer conversation_id="c" />)
    useAsks.setState({ asks: [], last: { ...asked, replies: [], state: { phase: 'stopped', charged: false } } })
    await expect.poll(lines).toEqual(['已停止'])
  })
  test('is read with the words of its tables and formulas, not with their marks', async () => {
    await begin()
    const table = '| 项 | 值 |\n| :-- | --: |\n| 甲 | $x_1$ |\n'
    grow(`${table}\\[\n\\int_0^1 x\n`)
    await expect.poll(lines).toEqual(['项, 值; 甲, 公式;'])
    end({ phase: 'finished', charged: true }, `${table}\\[\n\\int_0^1 x\n\\]`)
    await expect.poll(lines).toEqual(['项, 值; 甲, 公式;', '回答完了：公式'])
  })
  test('says that it failed or was interrupted, which is not the same as stopped', async () => {
    await begin()
    end({ phase: 'failed', tip: 'errors.httpError', values: null, charged: true }, '说到一半')
    await expect.poll(lines).toEqual(['回答没有完成：说到一半'])
    end({ phase: 'interrupted', charged: true }, '说到一半')
    await expect.poll(() => lines().at(-1)).toBe('回答中断了：说到一半')
  })
  test('that has been read completely still says how it ended', async () => {
    await begin()
    grow('第一句。')
    await expect.poll(lines).toEqual(['第一句。'])
    end({ phase: 'failed', tip: 'errors.httpError', values: null, charged: true }, '第一句。')
    await expect.poll(() => lines().at(-1)).toBe('回答没有完成，已收到的部分留着')
  })
  test('that goes on without a session is not said to have failed', async () => {
    await begin()
    end({ phase: 'failed', tip: 'errors.loginExpired', values: null, charged: null }, '说到一半')
    await expect.poll(lines).toEqual(['回答在服务器上继续，重新登录后就能看到。'])
  })
  test('of another conversation is not announced', async () => {
    await render(<Announcer conversation_id="other" />)
    end({ phase: 'finished', charged: true }, '别的')
    expect(lines()).toEqual([])
  })
})
