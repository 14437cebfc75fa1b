import { QueryClientProvider } from '@tanstack/react-query'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { ConversationHistory } from '#contract/conversations.ts'
import { type Message, textOf } from '#contract/messages.ts'
import { messagesIn } from '#testing/webConversations/builder.ts'
import { heatPump } from '#testing/webConversations/heatPump.ts'
import { odd } from '#testing/webConversations/odd.ts'
import { poster } from '#testing/webConversations/poster.ts'
import { weekend } from '#testing/webConversations/weekend.ts'
import { until } from '#testing/until.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { useToasts } from '#web/foundation/toasts.ts'
import { Kit } from '#web/kit/Kit.tsx'
import '#web/kit/styles.ts'
import { AnswerView } from './AnswerView.tsx'
import { ConversationId } from './conversationId.ts'
import { textFeed, type TextFeed } from './markdown/textFeed.ts'
import { turnsOf } from './turns.ts'

const RED_DOT =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg=='

/** A server of a few lines: what it answers by path, and what it was asked. */
function serve(answers: Record<string, unknown>): string[] {
  const calls: string[] = []
  vi.stubGlobal('fetch', (url: string) => {
    const { pathname, search } = new URL(url, location.origin)
    calls.push(`${pathname}${search}`)
    const result = answers[pathname]
    return Promise.resolve(
      Response.json(
        result === undefined
          ? { code: 404, message: 'errors.sandboxFileNotFound', result: null }
          : { code: 200, message: '', result },
      ),
    )
  })
  return calls
}

const repliesOf = (history: ConversationHistory, turn = 0): Message[] =>
  turnsOf(messagesIn(history))[turn]?.replies ?? []

type Growing = { feedOf?: (id: string) => TextFeed | undefined; growing?: boolean }

async function theAnswer(replies: Message[], { feedOf, growing = false }: Growing = {}) {
  queryClient.clear()
  const answer = (shown: Message[], more: boolean) => (
    <QueryClientProvider client={queryClient}>
      <Kit>
        <ConversationId value="5f1d2c3b-8a47-4d21-9c10-000000000000">
          <AnswerView replies={shown} feedOf={feedOf} growing={more} />
        </ConversationId>
      </Kit>
    </QueryClientProvider>
  )
  const screen = await render(answer(replies, growing))
  return Object.assign(screen, { show: (shown: Message[], more: boolean) => screen.rerender(answer(shown, more)) })
}

afterEach(() => {
  vi.unstubAllGlobals()
  useToasts.setState({ toasts: [] })
})

describe('what a model thought', () => {
  const thoughts = (text: string, seconds: number | null): Message => ({
    id: 't',
    source: 'openai_api',
    role: 'assistant',
    author_name: null,
    model: 'gpt_4',
    create_time: null,
    parent: null,
    children: [],
    content: { content_type: 'thoughts', text, seconds },
    metadata: { source: 'openai_api' },
  })
  const answer: Message = { ...thoughts('', null), id: 'a', content: { content_type: 'text', text: '好的' } }

  test('is folded to a line that says for how long, before the answer, and opens', async () => {
    const screen = await theAnswer([thoughts('先想 **一想**', 12.4), answer])
    const step = screen.getByTestId('step')
    await expect.element(step.getByText('思考了 12 秒')).toBeVisible()
    expect(step.element().textContent).not.toContain('先想')
    await step.getByText('思考了 12 秒').click()
    await expect.element(step.getByText('一想')).toBeVisible()
    expect(step.element().querySelector('strong')?.textContent).toBe('一想')
    await expect.element(screen.getByText('好的')).toBeVisible()
  })
  test('has no seconds where nobody counted them', async () => {
    const screen = await theAnswer([thoughts('嗯', null), answer])
    await expect.element(screen.getByTestId('step')).toMatchTextContent(/^思考过程$/)
  })
  test('grows where it was opened, and is folded as it was when the answer begins', async () => {
    const feed = textFeed('第一')
    const feedOf = (id: string) => (id === 't' ? feed : undefined)
    const screen = await theAnswer([thoughts('', null)], { feedOf, growing: true })
    await screen.getByText('正在思考').click()
    await expect.element(screen.getByText('第一')).toBeVisible()
    feed.append('，第二')
    await expect.element(screen.getByText('第一，第二')).toBeVisible()
    feed.finish()
    const drawn = screen.getByText('第一，第二').element()
    await screen.show([thoughts('第一，第二', 3), answer], true)
    await expect.element(screen.getByText('思考了 3 秒')).toBeVisible()
    // Not drawn anew for the answer's sake.
    expect(drawn.isConnected).toBe(true)
    // What is thought while the answer grows joins it at the end.
    feed.replace('第一，第二，第三')
    await expect.element(screen.getByText('第一，第二，第三')).toBeVisible()
  })
  test('counts from its beginning, also for who comes back to it', async () => {
    const feed = { ...textFeed('嗯'), since: Date.now() - 75_000, done: false }
    const screen = await theAnswer([thoughts('', null)], { feedOf: () => feed, growing: true })
    await expect.element(screen.getByTestId('step')).toMatchTextContent(/^正在思考75 秒$/)
  })
  test('is quieter than the answer, with its lists numbered', async () => {
    const screen = await theAnswer([
      thoughts('先后：\n\n1. 总阀', 2),
      { ...answer, content: { content_type: 'text', text: '1. 先关总阀' } },
    ])
    await screen.getByText('思考了 2 秒').click()
    await expect.element(screen.getByText('总阀', { exact: true })).toBeVisible()
    const [thought, said] = ['总阀', '先关总阀'].map(words =>
      getComputedStyle(screen.getByText(words, { exact: true }).element()),
    )
    expect([thought?.listStyleType, said?.listStyleType]).toEqual(['decimal', 'decimal'])
    expect(Number.parseFloat(thought?.fontSize ?? '')).toBeLessThan(Number.parseFloat(said?.fontSize ?? ''))
    expect(thought?.color).not.toBe(said?.color)
  })
})

describe('the steps of an answer', () => {
  test('are quiet lines between its texts, with their seconds', async () => {
    serve({})
    const screen = await theAnswer(repliesOf(heatPump))
    await until(() => expect(screen.getByTestId('step').elements()).toHaveLength(3))
    const lines = screen
      .getByTestId('step')
      .elements()
      .map(step => step.querySelector('summary')?.textContent)
    expect(lines).toEqual([
      '运行出错，已换一种写法0.4 秒',
      '运行了代码，画了 1 张图3.2 秒',
      '搜索并读了 2 个网页3.8 秒',
    ])
    expect(
      screen
        .getByTestId('step')
        .elements()
        .every(step => !(step as HTMLDetailsElement).open),
    ).toBe(true)
  })

  test('show the code, what it printed and what it failed with when they are opened', async () => {
    serve({})
    const screen = await theAnswer(repliesOf(heatPump))
    await screen.getByText('运行出错，已换一种写法').click()
    await expect.element(screen.getByRole('group', { name: '运行出错' })).toMatchTextContent(/KeyError: '用电'/)
    await screen.getByText('运行了代码，画了 1 张图').click()
    await expect.element(screen.getByText(/by_use\.plot/)).toBeVisible()
    await expect.element(screen.getByRole('group', { name: '输出' })).toMatchTextContent(/^2976 行/)
  })

  test('stay open when the answer ends in a failure', async () => {
    const replies = repliesOf(heatPump).slice(0, 3)
    const screen = await theAnswer(replies)
    await expect.element(screen.getByRole('group', { name: '运行出错' })).toMatchTextContent(/KeyError/)
  })

  test('tell where the model looked around', async () => {
    const screen = await theAnswer(repliesOf(weekend))
    await screen.getByText('搜索并读了 2 个网页').click()
    await expect
      .element(screen.getByRole('link', { name: 'George Town hawker food morning' }))
      .toHaveAttribute('href', expect.stringMatching(/^https:\/\/www\.bing\.com\/search\?q=/))
    await expect
      .element(screen.getByRole('link', { name: 'Ferry timetable' }))
      .toHaveAttribute('href', 'https://ferry.example.my/timetable')
    await expect.element(screen.getByText(/没有成功：Error: the page took too long/)).toBeVisible()
    await expect.element(screen.getByText('返回上一页')).toBeVisible()
    await expect.element(screen.getByText('The funicular runs from 6:15 am to 11 pm.')).toBeVisible()
  })

  test('show what was asked of a plugin and what it answered', async () => {
    const screen = await theAnswer(repliesOf(weekend))
    await screen.getByText('用了 weather').click()
    await expect.element(screen.getByText(/"units": "metric"/)).toBeVisible()
    await expect.element(screen.getByText(/"high": 21/)).toBeVisible()
    await screen.getByText('weather 没有成功').click()
    await expect.element(screen.getByText('422')).toBeVisible()
  })

  test('show what was read in files, and what a painter was told', async () => {
    const screen = await theAnswer(repliesOf(poster))
    await screen.getByText('读了文件').click()
    await screen.getByText('读到的内容').click()
    await expect.element(screen.getByText(/竹编：陈家/)).toBeVisible()
    const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    await screen.getByText('按 2 段描述画图').click()
    await screen.getByRole('button', { name: '复制描述' }).first().click()
    expect(copied).toHaveBeenCalledWith(expect.stringMatching(/^清晨的梯田/))
    copied.mockRestore()
  })

  test('show what nobody knows as it came', async () => {
    const screen = await theAnswer(repliesOf(odd))
    await screen.getByText('原始内容').first().click()
    await expect.element(screen.getByText(/"content_type": "hologram"/)).toBeVisible()
    expect(screen.container.querySelector('img')).toBeNull()
    await screen.getByText('canvas 没有成功').click()
    await expect.element(screen.getByText('not json {')).toBeVisible()
    await expect.element(screen.getByText('No such tool')).toBeVisible()
  })

  test('say what is going on while they do, and show the code as it is written', async () => {
    const [, call] = repliesOf(heatPump)
    const feed = textFeed('import pan')
    const screen = await theAnswer([{ ...call!, content: { content_type: 'code', language: 'python', text: '' } }], {
      growing: true,
      feedOf: () => feed,
    })
    await screen.getByText('正在写代码').click()
    await expect.element(screen.getByText('import pan')).toBeVisible()
    feed.append('das as pd')
    await expect.element(screen.getByText('import pandas as pd')).toBeVisible()
  })
})

describe('an answer that grows', () => {
  /** Without what tells a box that grows from one that is whole. */
  const markup = (of: Element) => of.innerHTML.replaceAll(/ class="[^"]*"| style="contain-[^"]*"/g, '')
  const begun = (message: Message): Message => ({
    ...message,
    content:
      message.content?.content_type === 'code'
        ? { ...message.content, text: '' }
        : message.content?.content_type === 'text'
          ? { content_type: 'text', parts: [''] }
          : message.content,
  })

  test.each([
    ['code and sources', heatPump],
    ['plugins and notes', weekend],
    ['paintings', poster],
    ['odds and ends', odd],
  ])('with %s ends as history shows it', async (_, history) => {
    serve({})
    const replies = repliesOf(history)
    const feeds = new Map<string, TextFeed>()
    const screen = await theAnswer([], { growing: true, feedOf: id => feeds.get(id) })
    for (const [at, message] of replies.entries()) {
      const feed = textFeed()
      feeds.set(message.id, feed)
      await screen.show([...replies.slice(0, at), begun(message)], true)
      const text = textOf(message)
      feed.append(text.slice(0, text.length / 2))
      await new Promise(requestAnimationFrame)
      feed.append(text.slice(text.length / 2))
      feed.finish()
    }
    await screen.show(replies, false)
    const grown = screen.container
    const told = await theAnswer(replies)
    await until(() => expect(markup(grown)).toBe(markup(told.container)))
  })
})

describe('a source', () => {
  test('has its number in the text, the same wherever it is cited, and stands in the row below', async () => {
    serve({})
    const screen = await theAnswer(repliesOf(heatPump))
    expect(
      screen
        .getByTestId('citation')
        .elements()
        .map(({ textContent }) => textContent),
    ).toEqual(['1', '2', '1'])
    expect(screen.container.textContent).not.toMatch(/†|\uE200/)
    const row = screen.getByTestId('sources')
    await expect
      .element(row.getByRole('link', { name: /低温工况/ }))
      .toHaveAttribute('href', 'https://lab.example.cn/heat-pump/low-temperature')
    expect(row.getByRole('link').elements()).toHaveLength(2)
  })

  test('is told by its number under the pointer', async () => {
    serve({})
    const screen = await theAnswer(repliesOf(heatPump))
    await screen.getByTestId('citation').nth(1).hover()
    const card = page.getByTestId('citation-card')
    await expect.element(card).toMatchTextContent(/lab\.example\.cn低温工况下热泵热水器实测环境温度 5 ℃ 以下/)
    await userEvent.hover(screen.getByTestId('sources'))
    await expect.element(card).not.toBeInTheDocument()
  })

  test('is reached by keyboard, and gives the focus back', async () => {
    serve({})
    const screen = await theAnswer(repliesOf(heatPump))
    const chip = screen.getByTestId('citation').first()
    chip.element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByTestId('citation-card').getByRole('link')).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    await expect.element(chip).toHaveFocus()
    await expect.element(page.getByTestId('citation-card')).not.toBeInTheDocument()
  })

  test('that leads nowhere safe is none, and the text is whole', async () => {
    const screen = await theAnswer(repliesOf(odd))
    await expect.element(screen.getByText(/a citation that leads nowhere【1†source】/)).toBeVisible()
    expect(screen.container.querySelectorAll('[data-testid="citation"], a[href^="javascript"]')).toHaveLength(0)
  })
})

describe('a file of the code interpreter', () => {
  test('is opened with the message that wrote it', async () => {
    const path = '/api/conv/5f1d2c3b-8a47-4d21-9c10-000000000000/interpreter/download-url'
    const calls = serve({ [path]: 'https://files.example/october.xlsx' })
    const opened: string[] = []
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      opened.push(this.href)
    })
    const screen = await theAnswer(repliesOf(heatPump))
    await screen.getByRole('button', { name: '下载 十月汇总.xlsx' }).click()
    await until(() => expect(opened).toEqual(['https://files.example/october.xlsx']))
    const asked = new URLSearchParams(calls.find(call => call.startsWith(path))?.split('?')[1])
    expect(Object.fromEntries(asked)).toEqual({
      message_id: repliesOf(heatPump).at(-1)?.id,
      sandbox_path: '/mnt/data/十月汇总.xlsx',
    })
    click.mockRestore()
  })

  test('that is gone is told of', async () => {
    serve({})
    const screen = await theAnswer(repliesOf(heatPump))
    await screen.getByRole('button', { name: '下载 十月汇总.xlsx' }).click()
    await until(() => expect(useToasts.getState().toasts[0]?.text).toMatch(/运行环境里没有这个文件/))
  })
})

describe('a picture', () => {
  const addresses = { '/api/files/file-Poster0/download-url': RED_DOT, '/api/files/file-Poster1/download-url': RED_DOT }

  test('lies with the upstream, and is looked at by itself with its neighbours', async () => {
    serve(addresses)
    const screen = await theAnswer(repliesOf(poster))
    await screen.getByRole('button', { name: /^放大：清晨的梯田/ }).click()
    const dialog = page.getByRole('dialog')
    await expect.element(dialog.getByText('第 1 张，共 2 张')).toBeVisible()
    await expect.element(dialog.getByRole('link', { name: '下载' })).toHaveAttribute('download', '梯田')
    await dialog.getByRole('button', { name: '下一张' }).click()
    await expect.element(dialog.getByRole('img', { name: /woven bamboo/ })).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog).not.toBeInTheDocument()
  })

  test('has its room before it is there', async () => {
    serve({})
    const screen = await theAnswer(repliesOf(heatPump))
    const { width, height } = screen.getByRole('figure').first().element().querySelector('div')!.getBoundingClientRect()
    expect(Math.round((width / height) * 10)).toBe(20)
  })

  test('that does not come leaves its measures, and is fetched again on request', async () => {
    const answers: Record<string, unknown> = {}
    serve(answers)
    const screen = await theAnswer(repliesOf(heatPump))
    await expect.element(screen.getByText('图片 640 × 320')).toBeVisible()
    answers['/api/files/file-ChartOct/download-url'] = RED_DOT
    await screen.getByRole('button', { name: '重试' }).click()
    await expect.element(screen.getByRole('button', { name: '放大：图片 640 × 320' })).toBeVisible()
  })

  test('from elsewhere is not loaded here', async () => {
    serve({ '/api/files/file-ChartOct/download-url': 'https://files.example/chart.png?sig=1' })
    const screen = await theAnswer(repliesOf(heatPump))
    await expect
      .element(screen.getByRole('link', { name: '在新标签页打开' }))
      .toHaveAttribute('href', 'https://files.example/chart.png?sig=1')
    expect(screen.container.querySelector('img')).toBeNull()
  })
})
