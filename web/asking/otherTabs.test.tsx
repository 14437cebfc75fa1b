import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { until } from '#testing/until.ts'
import { useToasts } from '#web/foundation/toasts.ts'
import { aHistory, aMessage } from './builders.testing.ts'
import { aRecord, openTestPortal, Refused, withId } from './portal.testing.tsx'

const ID = '0f1e2d3c-4b5a-4978-8899-aabbccddeeff'
const text = (words: string) => ({ content_type: 'text', text: words }) as const
const history = withId(
  aHistory(
    aMessage({ id: 'q1', role: 'user', content: text('几点了') }),
    aMessage({ id: 'a1', role: 'assistant', content: text('三点半') }),
  ),
  ID,
)

/** Another tab of the same browser, and what it has heard from this one. */
let otherTab: BroadcastChannel
let heard: unknown[]

beforeEach(() => {
  otherTab = new BroadcastChannel('conversations')
  heard = []
  otherTab.addEventListener('message', ({ data }) => heard.push(data))
})

afterEach(() => {
  otherTab.close()
  vi.unstubAllGlobals()
  useToasts.setState({ toasts: [] })
})

function tell(news: object): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  otherTab.postMessage(news)
}

/** One conversation, open, on a server from which another tab can delete it. */
async function openConversation() {
  const server = { isThere: true, title: '时间' }
  const portal = await openTestPortal(
    {
      'GET /conv': () => (server.isThere ? [aRecord(ID, server.title)] : []),
      [`GET /conv/${ID}`]: () => (server.isThere ? history : new Refused('conversationNotFound')),
      [`PATCH /conv/${ID}`]: (search: string) =>
        aRecord(ID, (server.title = new URLSearchParams(search).get('title') ?? '')),
      [`DELETE /conv/${ID}`]: null,
      [`PATCH /conv/${ID}/restore`]: aRecord(ID, '时间'),
    },
    `/conversation?id=${ID}`,
  )
  await expect.element(portal.screen.getByText('三点半')).toBeVisible()
  const delivered = (isThere: boolean) => {
    server.isThere = isThere
    tell({ conversation_id: ID })
  }
  const renameElsewhere = (title: string) => {
    server.title = title
    tell({ conversation_id: ID, title })
  }
  const composer = portal.screen.getByTestId('composer')
  return {
    ...portal,
    composer,
    deleteElsewhere: () => delivered(false),
    bringBackElsewhere: () => delivered(true),
    renameElsewhere,
  }
}

describe('a conversation that another tab deletes', () => {
  test('is not there any more here either, and comes back when that is undone', async () => {
    const { screen, deleteElsewhere, bringBackElsewhere } = await openConversation()
    deleteElsewhere()
    await expect.element(screen.getByRole('heading', { name: '没有找到这个对话' })).toBeVisible()
    await expect.element(screen.getByText('三点半')).not.toBeInTheDocument()
    await until(() => expect(screen.getByTestId('conversation-row').elements()).toEqual([]))
    bringBackElsewhere()
    await expect.element(screen.getByText('三点半')).toBeVisible()
    await expect.element(screen.getByTestId('conversation-row')).toBeVisible()
  })

  test('leaves what was being written, and a question that was refused, to a new one', async () => {
    const { screen, composer, router, socket, deleteElsewhere } = await openConversation()
    await composer.fill('被拒绝的问题')
    await userEvent.keyboard('{Enter}')
    const connection = await socket()
    await until(() => expect(connection.said[0]).toMatchObject({ text_content: '被拒绝的问题' }))
    connection.tell({ type: 'error', tip: 'errors.queueFull', values: null, charged: false })
    connection.end(1008, 'errors.queueFull')
    await expect.element(screen.getByRole('alert')).toBeVisible()
    await composer.fill('还没问完')
    deleteElsewhere()
    await expect.element(screen.getByRole('heading', { name: '没有找到这个对话' })).toBeVisible()
    await router.navigate({ to: '/conversation', search: {} })
    await expect.element(composer).toHaveValue('被拒绝的问题\n\n还没问完')
  })
})

test('a conversation that is deleted here, and brought back, is told to the other tabs', async () => {
  const { screen } = await openConversation()
  await screen.getByRole('button', { name: '“时间”的操作' }).click()
  await screen.getByRole('menuitem', { name: '删除' }).click()
  await until(() => expect(heard).toEqual([{ conversation_id: ID }]))
  useToasts.getState().toasts[0]?.undo?.()
  await until(() => expect(heard).toEqual([{ conversation_id: ID }, { conversation_id: ID }]))
})

test('a title that another tab has changed is here at once, in the list and in the header', async () => {
  const { screen, calls, renameElsewhere } = await openConversation()
  const before = calls.filter(call => call === `GET /conv/${ID}`).length
  renameElsewhere('现在几点')
  await expect.element(screen.getByRole('banner')).toMatchTextContent(/现在几点/)
  await expect.element(screen.getByRole('link', { name: '现在几点' })).toBeVisible()
  // The messages are not read again for it.
  expect(calls.filter(call => call === `GET /conv/${ID}`)).toHaveLength(before)
})

test('a title that is changed here is told to the other tabs', async () => {
  const { screen } = await openConversation()
  for (const [title, button] of [
    ['现在几点', '时间'],
    ['又一个', '现在几点'],
  ] as const) {
    await screen.getByRole('banner').getByRole('button', { name: button, exact: true }).click()
    await screen.getByTestId('title-input').fill(title)
    await userEvent.keyboard('{Enter}')
    await until(() => expect(heard.at(-1)).toEqual({ conversation_id: ID, title }))
  }
  expect(heard).toHaveLength(2)
})
