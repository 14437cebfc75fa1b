import { QueryClientProvider } from '@tanstack/react-query'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { type Content, type Message, type MessageMetadata, textOf } from '#contract/messages.ts'
import { aMessage, words } from '#testing/messages.ts'
import { until } from '#testing/until.ts'
import { heatPump } from '#testing/webConversations/heatPump.ts'
import { odd } from '#testing/webConversations/odd.ts'
import { poster } from '#testing/webConversations/poster.ts'
import { weekend } from '#testing/webConversations/weekend.ts'
import { aUser } from '#web/foundation/api.testing.ts'
import { changePreferences } from '#web/foundation/preferences.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { useSession } from '#web/foundation/session.ts'
import { useToasts } from '#web/foundation/toasts.ts'
import { Kit } from '#web/kit/Kit.tsx'
import { repliesOf, serve, theAnswer } from './answer.testing.tsx'
import { textFeed, type TextFeed } from './markdown/streaming/textFeed.ts'
import { MessageView } from './MessageView.tsx'
import { PlainFallback } from './PlainText.tsx'
import { ShownPlain } from './readingContext.ts'

const said = (role: Message['role'], content: Content | null, metadata: MessageMetadata | null = null) =>
  aMessage({ id: 'm1', role, content, metadata })

const shown = (message: Message, { feed, plain = null }: { feed?: TextFeed; plain?: boolean | null } = {}) =>
  render(
    <QueryClientProvider client={queryClient}>
      <Kit>
        <ShownPlain value={plain}>
          <MessageView message={message} feed={feed} />
        </ShownPlain>
      </Kit>
    </QueryClientProvider>,
  )

afterEach(async () => {
  await changePreferences({ renderUserMessageInMd: false }, false)
  useSession.setState({ user: null })
  useToasts.setState({ toasts: [] })
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('a part of an answer', () => {
  const part = (metadata: Partial<MessageMetadata>) =>
    said('assistant', words('说到一半'), { source: 'openai_api', ...metadata } as MessageMetadata)

  test('says why it ended, and whether it was charged', async () => {
    const failure = { tip: 'errors.openai.unknown', values: { status: 418 }, charged: true }
    const screen = await shown(part({ ending: 'failed', failure }))
    await expect.element(screen.getByText('回答没有完成，已收到的部分留着')).toBeVisible()
    await expect.element(screen.getByText('上游给出了意外的回应（418），请联系管理员')).toBeVisible()
    await expect.element(screen.getByText('这次算进了你的次数。')).toBeVisible()
  })

  test('that timed out names the setting to those who may change it', async () => {
    const failure = { tip: 'errors.upstreamTimeout', values: { setting: 'openai_api.read_timeout' }, charged: true }
    const screen = await shown(part({ ending: 'failed', failure }))
    await expect.element(screen.getByText(/^上游太久没有回应/)).toBeVisible()
    expect(screen.container.textContent).not.toContain('read_timeout')
    useSession.setState({ user: aUser({ is_superuser: true }) })
    await expect.element(screen.getByText('设置项：openai_api.read_timeout')).toBeVisible()
  })

  test('copies its details without any text of the conversation', async () => {
    const copied: string[] = []
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(words => Promise.resolve(void copied.push(words)))
    const failure = { tip: 'errors.openai.unknown', values: { status: 418 }, charged: true }
    const screen = await shown({
      ...part({ ending: 'failed', failure }),
      model: 'gpt_4',
      create_time: '2026-11-20T06:00:00.000Z',
    })
    await screen.getByRole('button', { name: '复制详情' }).click()
    await until(() =>
      expect(JSON.parse(copied[0] ?? '{}')).toEqual({
        message_id: 'm1',
        conversation_id: null,
        source: 'openai_api',
        model: 'gpt_4',
        ...failure,
        time: '2026-11-20T06:00:00.000Z',
      }),
    )
  })

  test('that was interrupted says so once', async () => {
    const screen = await shown(
      part({ ending: 'interrupted', failure: { tip: 'errors.interrupted', values: null, charged: true } }),
    )
    await expect.element(screen.getByText('这次算进了你的次数。')).toBeVisible()
    expect(screen.getByText(/中断/).elements()).toHaveLength(1)
  })

  test('of several messages says so once, even after a step', async () => {
    const failure = { tip: 'errors.openai.cutOff', values: { reason: 'error' }, charged: true }
    const replies = repliesOf(heatPump)
    const steps = replies.slice(0, replies.findIndex(({ role }) => role === 'tool') + 1)
    const broken = steps.map((message, at) =>
      at < steps.length - 1 || message.metadata?.source !== 'openai_web'
        ? message
        : { ...message, metadata: { ...message.metadata, ending: 'failed' as const, failure } },
    )
    const screen = await theAnswer(broken)
    await expect.element(screen.getByText('上游没有把回答写完就断开了')).toBeVisible()
    expect(screen.getByText('回答没有完成，已收到的部分留着').elements()).toHaveLength(1)
  })
})

describe('a question', () => {
  test('is shown as it was written', async () => {
    const screen = await shown(said('user', words('**两行**\n  缩进')))
    await expect
      .element(screen.getByLabelText('你的问题'))
      .toHaveTextContent('**两行**\n  缩进', { normalizeWhitespace: false })
  })

  test('has one blank line where three or more were written', async () => {
    const screen = await shown(said('user', words('一\n\n\n\n\n二\n\n\n三')))
    await expect
      .element(screen.getByLabelText('你的问题'))
      .toHaveTextContent('一\n\n二\n\n\n三', { normalizeWhitespace: false })
  })

  test('is Markdown for whoever prefers that', async () => {
    await changePreferences({ renderUserMessageInMd: true }, false)
    const screen = await shown(said('user', words('**重点**')))
    expect(screen.container.querySelector('strong')?.textContent).toBe('重点')
  })

  test('can be shown the other way by itself', async () => {
    const drawn = await shown(said('user', words('**重点**')), { plain: false })
    expect(drawn.container.querySelector('strong')?.textContent).toBe('重点')
    await changePreferences({ renderUserMessageInMd: true }, false)
    const written = await shown(said('user', words('**一点**')), { plain: true })
    expect(written.container.querySelector('strong')).toBeNull()
  })

  test('shows its files with their sizes, and opens them', async () => {
    const calls: string[] = []
    vi.stubGlobal('fetch', (url: string) => {
      calls.push(url)
      return Promise.resolve(Response.json({ code: 404, message: 'errors.resourceNotFound', result: null }))
    })
    const metadata: MessageMetadata = {
      source: 'openai_web',
      attachments: [{ name: '十月用电.csv', id: 'file-f1', size: 49_152 }],
    }
    const screen = await shown(said('user', words('看看'), metadata))
    await expect.element(screen.getByRole('button', { name: /十月用电.csv/ })).toMatchTextContent(/48/)
    await screen.getByRole('button', { name: /十月用电.csv/ }).click()
    await until(() => expect(calls).toEqual(['/api/files/file-f1/download-url']))
  })

  test('has its pictures, which are not listed again as files', async () => {
    const content: Content = {
      content_type: 'multimodal_text',
      parts: [{ asset_pointer: 'file-service://file-a', width: 20, height: 10 }, '这是什么'],
    }
    const screen = await shown(
      said('user', content, { source: 'openai_web', attachments: [{ name: '图.png', id: 'file-a' }] }),
    )
    await expect.element(screen.getByRole('figure')).toMatchTextContent(/20 × 10/)
    await expect.element(screen.getByText('这是什么')).toBeVisible()
    expect(screen.container.textContent).not.toContain('图.png')
  })
})

describe('an answer', () => {
  test('has its role and id as attributes, for automation', async () => {
    const screen = await shown(said('assistant', words('好')))
    const { dataset } = screen.getByTestId('message').element() as HTMLElement
    expect([dataset['role'], dataset['messageId']]).toEqual(['assistant', 'm1'])
  })

  test('grows by its feed, whatever text the message has', async () => {
    const feed = textFeed('三')
    const screen = await shown(said('assistant', null), { feed })
    await expect.element(screen.getByText('三')).toBeVisible()
    feed.append('点')
    await expect.element(screen.getByText('三点')).toBeVisible()
  })

  test('is shown as it was written on request', async () => {
    const screen = await shown(said('assistant', words('**重点**')), {
      plain: true,
      feed: textFeed('**重点**', true),
    })
    await expect.element(screen.getByText('**重点**')).toBeVisible()
  })

  test.each<[string, MessageMetadata]>([
    ['openai_api', { source: 'openai_api', finish_reason: 'length' }],
    ['openai_web', { source: 'openai_web', finish_details: { type: 'max_tokens' } }],
  ])('of %s says that it reached the length limit', async (_, metadata) => {
    const screen = await shown(said('assistant', words('半'), metadata))
    await expect.element(screen.getByText('到了长度上限，没有说完')).toBeVisible()
  })

  test('shows the prompt of a generated picture', async () => {
    const content: Content = {
      content_type: 'multimodal_text',
      parts: [{ asset_pointer: 'file-service://a', metadata: { dalle: { prompt: '清晨的梯田' } } }],
    }
    const screen = await shown(said('tool', content))
    await expect.element(screen.getByText('按这段描述画的：清晨的梯田')).toBeVisible()
  })
})

describe('a text that cannot be rendered', () => {
  test('is shown as it was written', async () => {
    const quiet = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const Broken = () => {
      throw new Error('odd')
    }
    const screen = await render(
      <PlainFallback text={() => '**原样**'}>
        <Broken />
      </PlainFallback>,
    )
    await expect.element(screen.getByText('**原样**')).toBeVisible()
    quiet.mockRestore()
  })
})

describe('an answer that grows', () => {
  /** Without the styles of a text that grows. */
  /** Without what came of loading a picture, which is tried again at the end. */
  const markup = (of: Element) => {
    const copy = of.cloneNode(true) as Element // an element again
    for (const frame of copy.querySelectorAll('[data-testid=pictures] figure > div')) frame.replaceChildren()
    return copy.innerHTML.replaceAll(/ class="[^"]*"| style="contain-[^"]*"/g, '')
  }
  const empty = (message: Message): Message => ({
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
      await screen.show([...replies.slice(0, at), empty(message)], true)
      const text = textOf(message)
      feed.append(text.slice(0, text.length / 2))
      await new Promise(requestAnimationFrame)
      feed.append(text.slice(text.length / 2))
      feed.finish()
    }
    await screen.show(replies, false)
    const grown = screen.container
    const whole = await theAnswer(replies)
    await until(() => expect(markup(grown)).toBe(markup(whole.container)))
  })
})

describe('a file of the code interpreter', () => {
  test('is opened with the message that wrote it', async () => {
    const path = '/api/conv/5f1d2c3b-8a47-4d21-9c10-000000000000/interpreter/download-url'
    const file = '/api/conv/5f1d2c3b-8a47-4d21-9c10-000000000000/interpreter/file?message_id=1&sandbox_path=%2Fa'
    const calls = serve({ [path]: file })
    const opened: string[] = []
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      opened.push(this.href)
    })
    const screen = await theAnswer(repliesOf(heatPump))
    await screen.getByRole('button', { name: '下载 十月汇总.xlsx' }).click()
    await until(() => expect(opened).toEqual([location.origin + file]))
    const asked = new URLSearchParams(calls.find(call => call.startsWith(path))?.split('?')[1])
    expect(Object.fromEntries(asked)).toEqual({
      message_id: repliesOf(heatPump).at(-1)?.id,
      sandbox_path: '/mnt/data/十月汇总.xlsx',
    })
    click.mockRestore()
  })

  test('that is gone is reported', async () => {
    serve({})
    const screen = await theAnswer(repliesOf(heatPump))
    await screen.getByRole('button', { name: '下载 十月汇总.xlsx' }).click()
    await until(() => expect(JSON.stringify(useToasts.getState().toasts)).toContain('运行环境里没有这个文件'))
  })
})
