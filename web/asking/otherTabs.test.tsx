import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { until } from '#testing/until.ts'
import { words } from '#testing/messages.ts'
import { useToasts } from '#web/foundation/toasts.ts'
import { aHistory, aMessage } from './builders.testing.ts'
import { aRecord, ID, openTestPortal, Refused, withId } from './portal.testing.tsx'

const history = withId(
  aHistory(
    aMessage({ id: 'q1', role: 'user', content: words('几点了') }),
    aMessage({ id: 'a1', role: 'assistant', content: words('三点半') }),
  ),
  ID,
)

/** Another tab of the same browser, and what it has received from this one. */
let otherTab: BroadcastChannel
let received: unknown[]

beforeEach(() => {
  otherTab = new BroadcastChannel('conversations')
  received = []
  otherTab.addEventListener('message', ({ data }) => received.push(data))
})

afterEach(() => {
  otherTab.close()
  vi.unstubAllGlobals()
  useToasts.setState({ toasts: [] })
})

function notify(change: object): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  otherTab.postMessage(change)
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
      [`POST /conv/${ID}/restore`]: aRecord(ID, '时间'),
    },
    `/conversation?id=${ID}`,
  )
  await expect.element(portal.screen.getByText('三点半')).toBeVisible()
  const delivered = (isThere: boolean) => {
    server.isThere = isThere
    notify({ conversation_id: ID })
  }
  const renameInOtherTab = (title: string) => {
    server.title = title
    notify({ conversation_id: ID, title })
  }
  const composer = portal.screen.getByTestId('composer')
  return {
    ...portal,
    composer,
    deleteInOtherTab: () => delivered(false),
    restoreInOtherTab: () => delivered(true),
    renameInOtherTab,
  }
}

describe('a conversation that another tab deletes', () => {
  test('is removed here too, and restored when that is undone', async () => {
    const { screen, deleteInOtherTab, restoreInOtherTab } = await openConversation()
    deleteInOtherTab()
    await expect.element(screen.getByRole('heading', { name: '没有找到这个对话' })).toBeVisible()
    await expect.element(screen.getByText('三点半')).not.toBeInTheDocument()
    await until(() => expect(screen.getByTestId('conversation-row').elements()).toEqual([]))
    restoreInOtherTab()
    await expect.element(screen.getByText('三点半')).toBeVisible()
    await expect.element(screen.getByTestId('conversation-row')).toBeVisible()
  })

  test('leaves its draft, and a question that was refused, to a new one', async () => {
    const { screen, composer, router, socket, deleteInOtherTab } = await openConversation()
    await composer.fill('被拒绝的问题')
    await userEvent.keyboard('{Enter}')
    const connection = await socket()
    await until(() => expect(connection.sent[0]).toMatchObject({ text_content: '被拒绝的问题' }))
    connection.emit({ type: 'error', tip: 'errors.queueFull', values: null, charged: false })
    connection.end(1008, 'errors.queueFull')
    await expect.element(screen.getByRole('alert')).toBeVisible()
    await composer.fill('还没问完')
    deleteInOtherTab()
    await expect.element(screen.getByRole('heading', { name: '没有找到这个对话' })).toBeVisible()
    await router.navigate({ to: '/conversation', search: {} })
    await expect.element(composer).toHaveValue('被拒绝的问题\n\n还没问完')
  })
})

test('other tabs are notified of a conversation that is deleted here, and of its return', async () => {
  const { screen } = await openConversation()
  await screen.getByRole('button', { name: '“时间”的操作' }).click()
  await screen.getByRole('menuitem', { name: '删除' }).click()
  await until(() => expect(received).toEqual([{ conversation_id: ID }]))
  useToasts.getState().toasts[0]?.undo?.()
  await until(() => expect(received).toEqual([{ conversation_id: ID }, { conversation_id: ID }]))
})

test('a title that another tab has changed is shown here at once, in the list and in the header', async () => {
  const { screen, calls, renameInOtherTab } = await openConversation()
  const before = calls.filter(call => call === `GET /conv/${ID}`).length
  renameInOtherTab('现在几点')
  await expect.element(screen.getByRole('banner')).toMatchTextContent(/现在几点/)
  await expect.element(screen.getByRole('link', { name: '现在几点' })).toBeVisible()
  // The messages are not fetched again.
  expect(calls.filter(call => call === `GET /conv/${ID}`)).toHaveLength(before)
})

test('other tabs are notified of a title that is changed here', async () => {
  const { screen } = await openConversation()
  for (const [title, button] of [
    ['现在几点', '时间'],
    ['又一个', '现在几点'],
  ] as const) {
    await screen.getByRole('banner').getByRole('button', { name: button, exact: true }).click()
    await screen.getByTestId('title-input').fill(title)
    await userEvent.keyboard('{Enter}')
    await until(() => expect(received.at(-1)).toEqual({ conversation_id: ID, title }))
  }
  expect(received).toHaveLength(2)
})

test('other tabs are notified of a conversation that is begun here, and of the title that it gets', async () => {
  const { screen, socket } = await openTestPortal({ 'GET /conv': [] }, '/conversation')
  await screen.getByTestId('composer').fill('几点了')
  await userEvent.keyboard('{Enter}')
  const connection = await socket()
  const sent = await until(() => connection.sent[0] ?? Promise.reject(new Error('nothing is asked')))
  const question = aMessage({ id: 'q1', role: 'user', content: words('几点了') })
  connection.emit({ type: 'accepted', ask_id: sent['ask_id'], conversation_id: ID, question })
  await until(() => expect(received).toEqual([{ conversation_id: ID }]))
  connection.emit({ type: 'title', title: '时间' })
  await until(() => expect(received).toEqual([{ conversation_id: ID }, { conversation_id: ID, title: '时间' }]))
})
