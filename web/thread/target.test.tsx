import { describe, expect, test } from 'vitest'
import type { Message } from '#contract/messages.ts'
import { idleTime } from '#testing/idleTime.ts'
import { until } from '#testing/until.ts'
import { textFeed } from '#web/messages/markdown/streaming/textFeed.ts'
import { prepareHistory } from './turnWindow.ts'
import { answer, asked, aThread, type Live, messages, question, said, shortThread } from './thread.testing.tsx'

describe('a message that a search leads to', () => {
  const topOf = (box: HTMLElement, id: string) => {
    const message = box.querySelector(`[data-message-id="${id}"]`)
    return message === null ? Number.NaN : message.getBoundingClientRect().top - box.getBoundingClientRect().top
  }

  test('is scrolled to, however far back it is', async () => {
    const { box } = await aThread(messages, { target: 'a3' })
    await until(() => expect(Math.abs(topOf(box, 'a3'))).toBeLessThan(80))
  })

  test('is left by the next question, which scrolls to the end', async () => {
    const { fromEnd, show } = await aThread(messages, { target: 'a3' })
    await show([...messages, question('next')], asked('next'))
    await until(() => expect(fromEnd()).toBeLessThan(2))
  })

  test('that is part of a step is scrolled to, and the step is expanded', async () => {
    const call: Message = {
      ...said(
        'call',
        'assistant',
        { content_type: 'code', language: 'python', text: 'print(6 * 7)' },
        { source: 'openai_web', recipient: 'python' },
      ),
      source: 'openai_web',
    }
    const output: Message = {
      ...said('output', 'tool', { content_type: 'execution_output', text: '42' }, { source: 'openai_web' }),
      source: 'openai_web',
      author_name: 'python',
    }
    await prepareHistory({ mapping: { call }, current_node: 'call' })
    const { screen } = await aThread([question('q'), call, output, ...messages], { target: 'output' })
    await expect.element(screen.getByText('print(6 * 7)')).toBeInViewport()
  })

  test('that is not in the thread scrolls to the end', async () => {
    const { fromEnd } = await aThread(messages, { target: 'unknown' })
    await until(() => expect(fromEnd()).toBeLessThan(2))
  })

  describe('many messages back', () => {
    const aJump = async (count = 400) => {
      const idle = idleTime()
      const long = shortThread(count)
      const { box, ...opened } = await aThread(long, { target: 'q100' })
      const shown = () => box.querySelectorAll('[data-message-id]').length
      /** What is on the screen: what was rendered since the last frame is not there yet. */
      const painted = () =>
        new Promise<void>(resolve => {
          requestAnimationFrame(() => {
            const there = shown()
            setTimeout(() => resolve(shown() === there ? undefined : painted()))
          })
        })
      const first = shown()
      expect(first).toBeLessThan(60)
      return { ...opened, box, long, idle, first, shown, painted }
    }

    test('is rendered at once, and the messages after it later, without moving it', async () => {
      const { box, long, idle, first, shown } = await aJump()
      await until(() => expect(Math.abs(topOf(box, 'q100'))).toBeLessThan(80))
      const before = topOf(box, 'q100')
      idle.give()
      const shifts = new Set<number>()
      await until(() => {
        shifts.add(Math.round(topOf(box, 'q100') - before))
        expect(shown()).toBe(800)
      })
      expect(first).toBeGreaterThan(10)
      expect([...shifts].filter(shift => Math.abs(shift) > 2)).toEqual([])
      const ids = [...box.querySelectorAll('[data-message-id]')].map(message => message.getAttribute('data-message-id'))
      expect(ids).toEqual(long.map(({ id }) => id))
    })

    test('is left for the very end by the button, and the messages between come without moving that', async () => {
      const { screen, box, idle, fromEnd, shown, painted } = await aJump()
      await screen.getByRole('button', { name: '到最新' }).click()
      await until(() => expect(fromEnd()).toBeLessThan(2))
      await painted()
      expect(shown()).toBeLessThan(800)
      expect(box.querySelector('[data-message-id=a399]')?.getBoundingClientRect().bottom).toBeLessThan(
        box.getBoundingClientRect().bottom,
      )
      const before = topOf(box, 'a399')
      idle.give()
      await until(() => expect(shown()).toBe(800))
      await painted()
      expect(Math.abs(topOf(box, 'a399') - before)).toBeLessThan(3)
    })

    test('is left by the next question, whose answer is seen growing', async () => {
      const feed = textFeed('开始\n\n')
      const { box, long, idle, fromEnd, shown, show } = await aJump()
      const growing: Live = { ...asked('next'), feedOf: id => (id === 'reply' ? feed : undefined), growing: true }
      await show([...long, question('next'), answer('reply', '')], growing)
      expect(shown()).toBeLessThan(800)
      idle.give()
      const before = box.scrollHeight
      feed.append('又一段很长的话。\n\n'.repeat(30))
      await until(() => expect(box.scrollHeight).toBeGreaterThan(before + 300))
      await until(() => expect(fromEnd()).toBeLessThan(2))
    })

    test('is followed by the missing messages when the reader scrolls to them', async () => {
      const { box, idle, shown } = await aJump()
      box.scrollTo(0, box.scrollHeight / 2)
      const seen = () =>
        document.elementFromPoint(
          box.getBoundingClientRect().left + box.clientWidth / 2,
          box.getBoundingClientRect().top + box.clientHeight / 2,
        )
      expect(seen()?.closest('section')).toBe(null)
      await until(() => expect(seen()?.closest('section')).not.toBe(null))
      idle.give()
      await until(() => expect(shown()).toBe(800))
    })
  })

  test('of a long branch is not rendered with the whole branch at once', async () => {
    const other = shortThread(400, 'o', 'p')
    const idle = idleTime()
    const { box, show } = await aThread(messages.slice(0, 6))
    const shown = () => box.querySelectorAll('[data-message-id]').length
    await until(() => expect(shown()).toBe(6))
    box.scrollBy(0, topOf(box, 'q2'))
    const before = topOf(box, 'q2')
    const live: Live = { feedOf: undefined, growing: false, actions: null, chosenBranch: 'o0' }
    await show([...messages.slice(0, 6), ...other], live)
    expect(shown()).toBeLessThan(60)
    expect(topOf(box, 'o0')).toBeGreaterThan(0)
    expect(topOf(box, 'p399')).toBeGreaterThan(0)
    idle.give()
    await until(() => expect(shown()).toBe(806))
    expect(Math.abs(topOf(box, 'q2') - before)).toBeLessThan(3)
  })
})
