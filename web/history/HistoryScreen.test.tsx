import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { ConversationHistory } from '#contract/conversations.ts'
import type { Message } from '#contract/messages.ts'
import { aMessage, words } from '#testing/messages.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { useHeaderContent } from '#web/kit/pageHead.ts'
import { Kit } from '#web/kit/Kit.tsx'
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
  queryClient.clear()
  const root = createRootRoute({
    component: () => (
      <>
        <Header />
        <Outlet />
      </>
    ),
  })
  const screenRoute = createRoute({
    getParentRoute: () => root,
    path: '/conv/$conversation_id',
    component: HistoryScreen,
  })
  const router = createRouter({
    routeTree: root.addChildren([screenRoute]),
    history: createMemoryHistory({ initialEntries: [`/conv/${ID}`] }),
  })
  return render(
    <QueryClientProvider client={queryClient}>
      <Kit>
        <RouterProvider router={router} />
      </Kit>
    </QueryClientProvider>,
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
    const screen = await theHistory({ code: 200, message: '', result: HISTORY })
    await expect.element(screen.getByTestId('thread')).toMatchTextContent(/多久回本第二个回答/)
    await expect.element(screen.getByText('第一个回答')).not.toBeInTheDocument()
    await expect.element(screen.getByRole('textbox')).not.toBeInTheDocument()
  })

  test('has the title and says that it is read-only', async () => {
    const screen = await theHistory({ code: 200, message: '', result: HISTORY })
    await expect.element(screen.getByRole('heading', { name: '热泵' })).toBeVisible()
    await expect.element(screen.getByText('只读')).toBeVisible()
  })

  test('links to the conversation itself', async () => {
    const screen = await theHistory({ code: 200, message: '', result: HISTORY })
    await expect
      .element(screen.getByRole('link', { name: '去这个对话' }))
      .toHaveAttribute('href', `/conversation?id=${ID}`)
  })

  test('switches branches without storing the choice', async () => {
    const screen = await theHistory({ code: 200, message: '', result: FORKED })
    await expect.element(screen.getByText('2 / 2')).toBeVisible()
    await screen.getByTestId('branch-previous').click()
    await expect.element(screen.getByTestId('thread')).toMatchTextContent(/多久回本.*第一个回答/)
    await expect.element(screen.getByText('1 / 2')).toBeVisible()
    await expect.element(screen.getByText('第二个回答')).not.toBeInTheDocument()
  })

  test('names the owner to an administrator, without a link', async () => {
    const screen = await theHistory({
      code: 200,
      message: '',
      result: { ...HISTORY, owner: { id: 9, nickname: '小雨' } },
    })
    await expect.element(screen.getByRole('banner').getByText('小雨 的对话')).toBeVisible()
    await expect.element(screen.getByRole('link', { name: '去这个对话' })).not.toBeInTheDocument()
  })

  test('reads what a sync has found at its web account, and offers to assign it', async () => {
    const found: ConversationHistory = {
      ...HISTORY,
      source: 'openai_web',
      mapping: {},
      current_node: null,
      owner: null,
    }
    const screen = await theHistory(
      { code: 200, message: '', result: found },
      { code: 200, message: '', result: { ...HISTORY, owner: null } },
    )
    await expect.element(screen.getByTestId('thread')).toMatchTextContent(/多久回本第二个回答/)
    await expect.element(screen.getByRole('banner').getByText('无主的对话')).toBeVisible()
    await expect
      .element(screen.getByRole('link', { name: '去指派' }))
      .toHaveAttribute('href', '/admin/conversation?owner=nobody&words=%E7%83%AD%E6%B3%B5')
  })

  test('says why that cannot be read', async () => {
    const screen = await theHistory(
      { code: 200, message: '', result: { ...HISTORY, source: 'openai_web', mapping: {}, owner: null } },
      { code: 502, message: 'errors.openai.403', result: null },
    )
    await expect.element(screen.getByRole('heading', { name: '对话没能载入' })).toBeVisible()
    await expect.element(screen.getByText(/上游拒绝了访问/)).toBeVisible()
    await expect.element(screen.getByRole('button', { name: '重试' })).toBeVisible()
  })

  test('offers to export the conversation', async () => {
    const screen = await theHistory({ code: 200, message: '', result: HISTORY })
    await screen.getByRole('button', { name: '对话操作' }).click()
    await screen.getByRole('menuitem', { name: '导出' }).click()
    await expect.element(screen.getByRole('menuitem', { name: 'Markdown 文件' })).toBeVisible()
    await screen.getByRole('menuitem', { name: '返回：导出', exact: true }).click()
    await expect.element(screen.getByRole('menuitem', { name: '导出', exact: true })).toBeVisible()
  })

  test('says so when there is no such conversation', async () => {
    const screen = await theHistory({ code: -1, message: 'errors.conversationNotFound', result: null })
    await expect.element(screen.getByRole('heading', { name: '没有找到这个对话' })).toBeVisible()
    await expect.element(screen.getByRole('link', { name: '去对话' })).toHaveAttribute('href', '/conversation')
  })

  test('can be tried again when the server was not reached', async () => {
    const screen = await theHistory(null)
    await expect.element(screen.getByRole('button', { name: '重试' })).toBeVisible()
  })
})
