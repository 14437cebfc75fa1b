import { QueryClientProvider } from '@tanstack/react-query'
import { describe, expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import type { Content, Message, MessageMetadata } from '#contract/messages.ts'
import { aMessage, words } from '#testing/messages.ts'
import { idleTime } from '#testing/idleTime.ts'
import { until } from '#testing/until.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { Kit } from '#web/kit/Kit.tsx'
import { textFeed } from '#web/messages/markdown/streaming/textFeed.ts'
import { prepareHistory } from './prepareTurns.ts'
import { Thread } from './Thread.tsx'

const said = (id: string, role: Message['role'], content: Content | null, metadata: MessageMetadata | null = null) =>
  aMessage({ id, role, content, metadata })

const question = (id: string) => said(id, 'user', words(`问题 ${id}`))
const answer = (id: string, text = `回答 ${id}\n\n${'很长的一段。'.repeat(60)}`) => said(id, 'assistant', words(text))

const messages = Array.from({ length: 60 }, (_, at) => [question(`q${at}`), answer(`a${at}`)]).flat()
/** A thread of `count` short questions and answers. */
const shortThread = (count: number, q = 'q', a = 'a') =>
  Array.from({ length: count }, (_, at) => [question(`${q}${at}`), answer(`${a}${at}`, `短 ${at}`)]).flat()

type Live = Parameters<typeof Thread>[0]['live']

const asked = (id: string) => ({ feedOf: () => undefined, growing: false, actions: null, latestAsk: id }) satisfies Live

async function aThread(messages: Message[], { live, target = null }: { live?: Live; target?: string | null } = {}) {
  const page = (shown: Message[], now: Live = live) => (
    <QueryClientProvider client={queryClient}>
      <Kit>
        <div style={{ height: 500, display: 'flex' }}>
          <Thread conversationKey="c" messages={shown} target={target} live={now} />
        </div>
      </Kit>
    </QueryClientProvider>
  )
  const screen = await render(page(messages))
  const box = screen.getByTestId('thread').element() as HTMLElement
  const fromEnd = () => box.scrollHeight - box.clientHeight - box.scrollTop
  return { screen, box, fromEnd, show: (shown: Message[], now?: Live) => screen.rerender(page(shown, now)) }
}

describe('a thread', () => {
  test('begins at its end', async () => {
    const { fromEnd } = await aThread([question('1'), answer('2'), question('3'), answer('4')])
    await until(() => expect(fromEnd()).toBeLessThan(2))
  })

  test('stays at its end while an answer grows', async () => {
    const feed = textFeed('开始\n\n')
    const { fromEnd, box } = await aThread([question('1'), answer('2'), question('3'), answer('4', '')], {
      live: { feedOf: id => (id === '4' ? feed : undefined), growing: true, actions: null },
    })
    const before = box.scrollHeight
    feed.append('又一段很长的话。\n\n'.repeat(30))
    await until(() => expect(box.scrollHeight).toBeGreaterThan(before + 300))
    await until(() => expect(fromEnd()).toBeLessThan(2))
  })

  test('stops following the end when the reader scrolls up, until a button is pressed', async () => {
    const feed = textFeed('开始\n\n')
    const { screen, box, fromEnd } = await aThread([question('1'), answer('2'), question('3'), answer('4', '')], {
      live: { feedOf: id => (id === '4' ? feed : undefined), growing: true, actions: null },
    })
    await until(() => expect(fromEnd()).toBeLessThan(2))
    box.scrollTo(0, 10)
    await expect.element(screen.getByRole('button', { name: '到最新' })).toBeVisible()
    const before = box.scrollHeight
    feed.append('又一段很长的话。\n\n'.repeat(30))
    await until(() => expect(box.scrollHeight).toBeGreaterThan(before + 300))
    // Measured from the end: turns above may be laid out only now, and the browser adjusts the distance from the top.
    expect(fromEnd()).toBeGreaterThan(300)
    await screen.getByRole('button', { name: '到最新' }).click()
    await until(() => expect(fromEnd()).toBeLessThan(2))
  })

  test('stays where it is when another branch is shown', async () => {
    const first = [question('1'), answer('2'), question('3'), answer('4')]
    const { screen, box, show } = await aThread(first)
    box.scrollTo(0, 0)
    await expect.element(screen.getByRole('button', { name: '到最新' })).toBeVisible()
    await show([...first.slice(0, 2), question('3b'), answer('4b')])
    expect(box.querySelector('[data-message-id="3b"]')).not.toBe(null)
    expect(box.scrollTop).toBe(0)
  })

  test('scrolls to a new question, wherever the reader is', async () => {
    const first = [question('1'), answer('2'), question('3'), answer('4')]
    const { box, fromEnd, show } = await aThread(first)
    box.scrollTo(0, 0)
    await show([...first, question('5')], asked('5'))
    await until(() => expect(fromEnd()).toBeLessThan(2))
  })

  test('keeps its rendered elements when messages are added', async () => {
    const first = [question('1'), answer('2'), question('3'), answer('4'), question('5'), answer('6')]
    const { screen, box, show } = await aThread(first)
    await until(() => expect(screen.getByTestId('message').elements()).toHaveLength(6))
    const before = [...box.querySelectorAll('[data-message-id]')]
    await show([...first, question('7'), answer('8')])
    before.forEach((element, at) => expect(box.querySelectorAll('[data-message-id]')[at]).toBe(element))
  })

  test('keeps the reader’s position while older messages are inserted above', async () => {
    const { screen, box, fromEnd } = await aThread(messages)
    await until(() => expect(fromEnd()).toBeLessThan(2))
    box.scrollTo(0, box.scrollTop - 120)
    await expect.element(screen.getByRole('button', { name: '到最新' })).toBeVisible()
    const last = box.querySelector('[data-message-id=a59]')
    const before = last?.getBoundingClientRect().top ?? NaN
    await until(() => expect(screen.getByTestId('message').elements()).toHaveLength(120))
    expect(Math.abs((last?.getBoundingClientRect().top ?? NaN) - before)).toBeLessThan(3)
  })

  test('of hundreds of messages shows the latest at once, and the others soon after', async () => {
    const idle = idleTime()
    const { screen, fromEnd } = await aThread(shortThread(150))
    expect(screen.getByTestId('message').elements().length).toBeLessThan(100)
    idle.give()
    await until(() => expect(screen.getByTestId('message').elements()).toHaveLength(300))
    await until(() => expect(fromEnd()).toBeLessThan(2))
  })
})

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

describe('a message', () => {
  const shown = async (content: Content | null, metadata: MessageMetadata | null = null) =>
    (await aThread([question('1'), said('2', 'assistant', content, metadata)])).screen

  test.each<[string, Content, RegExp]>([
    ['text', words('**重点**'), /^重点$/],
    ['text in parts', { content_type: 'text', parts: ['甲', '乙'] }, /甲乙/],
    [
      'multimodal text',
      {
        content_type: 'multimodal_text',
        parts: ['看图', { asset_pointer: 'file-service://x', width: 640, height: 480 }],
      },
      /看图图片 640 × 480/,
    ],
  ])('shows %s', async (_, content, expected) => {
    await expect.element((await shown(content)).getByLabelText('回答', { exact: true })).toMatchTextContent(expected)
  })

  test.each<[string, Content, RegExp]>([
    ['code', { content_type: 'code', language: 'python', text: 'print(1)' }, /写了代码/],
    ['output', { content_type: 'execution_output', text: '42' }, /写了代码/],
    ['an error of code', { content_type: 'stderr', text: 'KeyError' }, /运行出错/],
    ['a page that was read', { content_type: 'tether_browsing_display', result: '第一页' }, /浏览了网页/],
    [
      'a quote',
      { content_type: 'tether_quote', url: 'https://example.com/', text: '原文', title: '出处' },
      /读了 1 个网页/,
    ],
    ['an error of a tool', { content_type: 'system_error', name: 'tool_error', text: '坏了' }, /工具出错：tool_error/],
  ])('shows %s as a step', async (_, content, expected) => {
    await expect.element((await shown(content)).getByTestId('step')).toMatchTextContent(expected)
  })

  test('of a kind that nobody knows is shown raw', async () => {
    const screen = await shown(null, { source: 'openai_web', fallback_content: { content_type: 'hologram' } })
    await screen.getByText('原始内容').click()
    await expect.element(screen.getByTestId('step')).toMatchTextContent(/hologram/)
  })

  test.each([
    ['stopped', /已停止/],
    ['interrupted', /回答中断了/],
    ['failed', /回答没有完成/],
  ] as const)('that was %s says so', async (ending, expected) => {
    const screen = await shown(words('半句'), { source: 'openai_api', ending })
    await expect.element(screen.getByLabelText('回答', { exact: true })).toMatchTextContent(expected)
  })

  test('links to a quoted page only when the address is one of the web', async () => {
    const screen = await shown({
      content_type: 'tether_quote',
      url: 'javascript:alert(1)',
      text: '原文',
      title: '出处',
    })
    await screen.getByText('读了 1 个网页').click()
    await expect.element(screen.getByText('原文')).toBeVisible()
    expect(screen.getByTestId('step').element().querySelector('a')).toBe(null)
  })

  test('of the system is not shown', async () => {
    const { screen } = await aThread([said('0', 'system', words('规则')), question('1')])
    expect(screen.container.textContent).not.toContain('规则')
  })
})
