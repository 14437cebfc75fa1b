import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Content, MessageMetadata } from '#contract/messages.ts'
import { idleTime } from '#testing/idleTime.ts'
import { words } from '#testing/messages.ts'
import { until } from '#testing/until.ts'
import { textFeed } from '#web/messages/markdown/streaming/textFeed.ts'
import { answer, asked, aThread, messages, question, said, shortThread } from './thread.testing.tsx'

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

  test('gives what is copied of its messages without the looks of the page, and leaves fields to the browser', async () => {
    const { box } = await aThread([question('1'), answer('2', '**重点**')])
    const copy = (from: Element) => {
      const copied = new ClipboardEvent('copy', { clipboardData: new DataTransfer(), bubbles: true, cancelable: true })
      from.dispatchEvent(copied)
      return { html: copied.clipboardData?.getData('text/html'), isOurs: copied.defaultPrevented }
    }
    const answered = box.querySelector('[data-message-id="2"]')!
    getSelection()?.selectAllChildren(answered)
    expect(copy(answered)).toEqual({ html: expect.stringContaining('<strong>重点</strong>'), isOurs: true })
    const field = answered.appendChild(document.createElement('textarea'))
    expect(copy(field).isOurs).toBe(false)
  })

  test('copies an answer as it was written, and for documents as it is shown', async () => {
    const written = vi.spyOn(navigator.clipboard, 'write').mockResolvedValue()
    onTestFinished(() => written.mockRestore())
    const { screen } = await aThread([question('1'), answer('2', '**重点**')])
    await screen.getByTestId('message-copy').last().click()
    await expect.element(screen.getByRole('button', { name: '已复制' })).toBeVisible()
    const [item] = written.mock.calls[0]![0]
    const as = async (type: string) => (await item!.getType(type)).text()
    expect(await as('text/plain')).toBe('**重点**')
    expect(await as('text/html')).toContain('<strong>重点</strong>')
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

  test('of a kind that nobody knows is shown with its words', async () => {
    const fallback_content = { content_type: 'hologram', id: 'h-1', title: '一杯茶' }
    const screen = await shown(null, { source: 'openai_web', fallback_content })
    await screen.getByText('其他内容').click()
    await expect.element(screen.getByTestId('step')).toMatchTextContent(/^其他内容一杯茶$/)
  })
  test('of a kind that nobody knows without words is not shown', async () => {
    const screen = await shown(null, { source: 'openai_web', fallback_content: { content_type: 'hologram' } })
    await expect.element(screen.getByTestId('message').first()).toBeVisible()
    await expect.element(screen.getByTestId('step')).not.toBeInTheDocument()
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
