import { afterEach, describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { ConversationHistory } from '#contract/conversations.ts'
import type { Message } from '#contract/messages.ts'
import { aMessage, words } from '#testing/messages.ts'
import { useHeaderContent } from '#web/kit/pageHead.ts'
import { openScreen } from '#web/kit/openScreen.testing.tsx'
import { HistoryScreen } from './HistoryScreen.tsx'

const ID = '0f1e2d3c-4b5a-4978-8899-aabbccddeeff'

const said = (id: string, role: Message['role'], parent: string | null, text: string) =>
  aMessage({ id, role, parent, content: words(text) })

const HISTORY: ConversationHistory = {
  _id: ID,
  source: 'openai_api',
  title: '热泵',
  create_time: '2026-11-20T06:00:00.000Z',
  update_time: '2026-11-20T06:00:00.000Z',
  current_node: 'a2',
  mapping: Object.fromEntries(
    [
      said('q', 'user', null, '多久回本'),
      said('a1', 'assistant', 'q', '第一个回答'),
      said('a2', 'assistant', 'q', '第二个回答'),
    ].map(message => [message.id, message]),
  ),
  current_model: 'gpt_4',
  metadata: null,
}

const FORKED = {
  ...HISTORY,
  mapping: { ...HISTORY.mapping, q: { ...said('q', 'user', null, '多久回本'), children: ['a1', 'a2'] } },
}

/** `atUpstream` is the answer when the conversation is read from its web account. */
async function theHistory(answer: object | null, atUpstream?: object) {
  // Wide enough to show everything in the header.
  await page.viewport(1280, 800)
  vi.stubGlobal('fetch', (url: string) => {
    if (atUpstream !== undefined && url.endsWith(`/conv/${ID}?thoughts=true`))
      return Promise.resolve(Response.json(atUpstream))
    if (!url.endsWith(`/conv/${ID}/cache?thoughts=true`))
      return Promise.resolve(Response.json({ code: -1, message: 'errors.notAvailable', result: null }))
    if (answer === null) return Promise.reject(new TypeError('offline'))
    return Promise.resolve(Response.json(answer))
  })
  await openScreen(WithHeader, `/conv/${ID}`, { path: '/conv/$conversation_id' })
}

function WithHeader() {
  return (
    <>
      <Header />
      <HistoryScreen />
    </>
  )
}

function Header() {
  return <header>{useHeaderContent().content}</header>
}

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('the history viewer', () => {
  test('shows the current path, and no composer', async () => {
    await theHistory({ code: 200, message: '', result: HISTORY })
    await expect.element(page.getByTestId('thread')).toMatchTextContent(/多久回本第二个回答/)
    await expect.element(page.getByText('第一个回答')).not.toBeInTheDocument()
    await expect.element(page.getByRole('textbox')).not.toBeInTheDocument()
  })

  test('has the title and says that it is read-only', async () => {
    await theHistory({ code: 200, message: '', result: HISTORY })
    await expect.element(page.getByRole('heading', { name: '热泵' })).toBeVisible()
    await expect.element(page.getByText('只读')).toBeVisible()
  })

  test('links to the conversation itself', async () => {
    await theHistory({ code: 200, message: '', result: HISTORY })
    await expect
      .element(page.getByRole('link', { name: '去这个对话' }))
      .toHaveAttribute('href', `/conversation?id=${ID}`)
  })

  test('switches branches without storing the choice', async () => {
    await theHistory({ code: 200, message: '', result: FORKED })
    await expect.element(page.getByText('2 / 2')).toBeVisible()
    await page.getByTestId('branch-previous').click()
    await expect.element(page.getByTestId('thread')).toMatchTextContent(/多久回本.*第一个回答/)
    await expect.element(page.getByText('1 / 2')).toBeVisible()
    await expect.element(page.getByText('第二个回答')).not.toBeInTheDocument()
  })

  test('names the owner to an administrator, without a link', async () => {
    await theHistory({
      code: 200,
      message: '',
      result: { ...HISTORY, owner: { id: 9, nickname: '小雨' } },
    })
    await expect.element(page.getByRole('banner').getByText('小雨 的对话')).toBeVisible()
    await expect.element(page.getByRole('link', { name: '去这个对话' })).not.toBeInTheDocument()
  })

  test('reads what a sync has found at its web account, and offers to assign it', async () => {
    const found: ConversationHistory = {
      ...HISTORY,
      source: 'openai_web',
      mapping: {},
      current_node: null,
      owner: null,
    }
    await theHistory(
      { code: 200, message: '', result: found },
      { code: 200, message: '', result: { ...HISTORY, owner: null } },
    )
    await expect.element(page.getByTestId('thread')).toMatchTextContent(/多久回本第二个回答/)
    await expect.element(page.getByRole('banner').getByText('无主的对话')).toBeVisible()
    await expect
      .element(page.getByRole('link', { name: '去指派' }))
      .toHaveAttribute('href', '/admin/conversation?owner=nobody&words=%E7%83%AD%E6%B3%B5')
  })

  test('says why that cannot be read', async () => {
    await theHistory(
      { code: 200, message: '', result: { ...HISTORY, source: 'openai_web', mapping: {}, owner: null } },
      { code: 502, message: 'errors.openai.403', result: null },
    )
    await expect.element(page.getByRole('heading', { name: '对话没能载入' })).toBeVisible()
    await expect.element(page.getByText(/^502 上游拒绝了访问/)).toBeVisible()
    await expect.element(page.getByRole('button', { name: '重试' })).toBeVisible()
  })

  test('offers to export the conversation', async () => {
    await theHistory({ code: 200, message: '', result: HISTORY })
    await page.getByRole('button', { name: '对话操作' }).click()
    await page.getByRole('menuitem', { name: '导出' }).click()
    await expect.element(page.getByRole('menuitem', { name: 'Markdown 文件' })).toBeVisible()
    await page.getByRole('menuitem', { name: '返回：导出', exact: true }).click()
    await expect.element(page.getByRole('menuitem', { name: '导出', exact: true })).toBeVisible()
  })

  test('says so when there is no such conversation', async () => {
    await theHistory({ code: -1, message: 'errors.conversationNotFound', result: null })
    await expect.element(page.getByRole('heading', { name: '没有找到这个对话' })).toBeVisible()
    await expect.element(page.getByRole('link', { name: '去对话' })).toHaveAttribute('href', '/conversation')
  })

  test('can be loaded again when the server was not reached', async () => {
    await theHistory(null)
    await expect.element(page.getByRole('button', { name: '重试' })).toBeVisible()
  })
})
