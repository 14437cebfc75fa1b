import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Message } from '#contract/messages.ts'
import { aMessage, words } from '#testing/messages.ts'
import { pluginWith } from '#testing/plugins.ts'
import { heatPump } from '#testing/webConversations/heatPump.ts'
import { odd } from '#testing/webConversations/odd.ts'
import { poster } from '#testing/webConversations/poster.ts'
import { weekend } from '#testing/webConversations/weekend.ts'
import { until } from '#testing/until.ts'
import { useToasts } from '#web/foundation/toasts.ts'
import '#web/kit/Kit.tsx'
import { textFeed } from './markdown/streaming/textFeed.ts'
import { serve, repliesOf, theAnswer } from './answer.testing.tsx'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  useToasts.setState({ toasts: [] })
})

describe('thoughts', () => {
  const thoughts = (text: string, seconds: number | null) =>
    aMessage({ id: 't', model: 'gpt_4', content: { content_type: 'thoughts', text, seconds } })
  const answer: Message = { ...thoughts('', null), id: 'a', content: words('好的') }

  test('are folded to a line that says for how long, before the answer, and expand', async () => {
    const screen = await theAnswer([thoughts('先想 **一想**', 12.4), answer])
    const step = screen.getByTestId('step')
    await expect.element(step.getByText('思考了 12 秒')).toBeVisible()
    expect(step.element().textContent).not.toContain('先想')
    await step.getByText('思考了 12 秒').click()
    await expect.element(step.getByText('一想')).toBeVisible()
    expect(step.element().querySelector('strong')?.textContent).toBe('一想')
    await expect.element(screen.getByText('好的')).toBeVisible()
  })
  test('have no seconds where they are not known', async () => {
    const screen = await theAnswer([thoughts('嗯', null), answer])
    await expect.element(screen.getByTestId('step')).toMatchTextContent(/^思考过程$/)
  })
  test('grow where they are expanded, and stay so when the answer begins', async () => {
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
    // The answer does not make the browser render it again.
    expect(drawn.isConnected).toBe(true)
    // Thoughts that come while the answer grows are appended.
    feed.replace('第一，第二，第三')
    await expect.element(screen.getByText('第一，第二，第三')).toBeVisible()
  })
  test('count from their beginning, also after coming back to them', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const feed = { ...textFeed('嗯'), since: Date.now() - 75_000, done: false }
    const screen = await theAnswer([thoughts('', null)], { feedOf: () => feed, growing: true })
    await expect.element(screen.getByTestId('step')).toMatchTextContent(/^正在思考75 秒$/)
  })
  test('are paler than the answer, with their lists numbered', async () => {
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
  test('are lines between its texts, with their seconds', async () => {
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

  test('expand to the code, its output and its errors', async () => {
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

  test('show what the model browsed', async () => {
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

  test('show the request to a plugin and its response', async () => {
    const screen = await theAnswer(repliesOf(weekend))
    await screen.getByText('用了 weather').click()
    await expect.element(screen.getByText(/"units": "metric"/)).toBeVisible()
    await expect.element(screen.getByText(/"high": 21/)).toBeVisible()
    await screen.getByText('weather 没有成功').click()
    await expect.element(screen.getByText('422')).toBeVisible()
  })

  test('name a plugin as people know it, from its first call on where it was read before', async () => {
    const [id, path] = ['plugin-trailmapper', '/api/chat/openai-plugins/installed/plugin-trailmapper']
    const plugin = { ...pluginWith({ namespace: 'trailmapper', manifest: { name_for_human: 'Trail Mapper' } }), id }
    const calls = serve({ [path]: plugin })
    const call = aMessage({
      id: 'c',
      content: { content_type: 'code', language: 'unknown', text: '{}' },
      metadata: { source: 'openai_web', recipient: 'trailmapper.search' },
    })
    const reply = aMessage({
      id: 'r',
      role: 'tool',
      author_name: 'trailmapper.search',
      content: words('{}'),
      metadata: { source: 'openai_web', invoked_plugin: { namespace: 'trailmapper', plugin_id: id } },
    })
    const screen = await theAnswer([call], { growing: true })
    await expect.element(screen.getByText('正在用插件', { exact: true })).toBeVisible()
    await screen.show([call, reply], false)
    await expect.element(screen.getByText('用了 Trail Mapper')).toBeVisible()
    await screen.show([call], true)
    await expect.element(screen.getByText('正在用 Trail Mapper')).toBeVisible()
    expect(calls).toEqual([path])
  })

  test('show what was read in files, and the prompts of pictures', async () => {
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

  test('show the words of unknown content, as they are', async () => {
    const screen = await theAnswer(repliesOf(odd))
    await screen.getByText('其他内容').first().click()
    await expect.element(screen.getByText('<img src=x onerror=alert(1)>')).toBeVisible()
    expect(screen.container.querySelector('img')).toBeNull()
    await screen.getByText('canvas 没有成功').click()
    await expect.element(screen.getByText('not json {')).toBeVisible()
    await expect.element(screen.getByText('No such tool')).toBeVisible()
  })

  test('say what is running, and show the code as it is written', async () => {
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
