import { afterEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { type Message, textOf } from '#contract/messages.ts'
import { heatPump } from '#testing/webConversations/heatPump.ts'
import { odd } from '#testing/webConversations/odd.ts'
import { poster } from '#testing/webConversations/poster.ts'
import { weekend } from '#testing/webConversations/weekend.ts'
import { until } from '#testing/until.ts'
import { useToasts } from '#web/foundation/toasts.ts'
import '#web/kit/Kit.tsx'
import { textFeed, type TextFeed } from './markdown/streaming/textFeed.ts'
import { serve, repliesOf, theAnswer } from './answer.testing.tsx'

const RED_DOT =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg=='

afterEach(() => {
  vi.unstubAllGlobals()
  useToasts.setState({ toasts: [] })
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
