import { afterEach, describe, expect, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { until } from '#testing/until.ts'
import { words } from '#testing/messages.ts'
import { useToasts } from '#web/foundation/toasts.ts'
import { aHistory, aMessage } from '../builders.testing.ts'
import { aRecord, ID, keptDrafts, openTestPortal, type TestPortal, withId } from '../portal.testing.tsx'

const question = aMessage({ id: 'q1', role: 'user', content: words('几点了') })
const answer = aMessage({ id: 'a1', role: 'assistant', parent: 'q1', content: words('三点半') })
const REFUSED = { type: 'error', tip: 'errors.cannotConnectMoreThanOneClient', values: null, charged: false }

afterEach(() => {
  vi.unstubAllGlobals()
})

const composerOf = ({ screen }: TestPortal) => screen.getByTestId('composer')

async function asked(portal: TestPortal, words: string, count: number) {
  await expect.element(portal.screen.getByRole('button', { name: /^模型：/ })).toBeVisible()
  await composerOf(portal).fill(words)
  await userEvent.keyboard('{Enter}')
  await until(() => expect(portal.sent().filter(sent => 'text_content' in sent)).toHaveLength(count))
  const socket = portal.sockets.find(({ sent }) => sent.some(one => one['text_content'] === words))
  if (socket === undefined) throw new Error(`nobody sent ${words}`)
  return { emit: socket.emit.bind(socket), ask_id: socket.sent[0]?.['ask_id'] }
}

describe('an answer that grows', () => {
  test('goes on when its conversation could not be deleted', async () => {
    const portal = await openTestPortal(
      { 'GET /conv': [aRecord(ID, '时间')], [`GET /conv/${ID}`]: withId(aHistory(question, answer), ID) },
      `/conversation?id=${ID}`,
    )
    const { emit, ask_id } = await asked(portal, '再说一遍', 1)
    emit({
      type: 'accepted',
      ask_id,
      conversation_id: ID,
      question: { ...question, id: 'q2', parent: 'a1', content: words('再说一遍') },
    })
    await portal.screen.getByRole('button', { name: '“时间”的操作' }).click()
    await portal.screen.getByRole('menuitem', { name: '删除' }).click()
    await until(() => expect(portal.calls).toContain(`DELETE /conv/${ID}`))
    await until(() => expect(useToasts.getState().toasts).toHaveLength(1))
    expect(portal.sent()).not.toContainEqual({ stop: true })
    await expect.element(portal.screen.getByTestId('stop')).toBeVisible()
    emit(
      { n: 1, type: 'message', message: { ...answer, id: 'a2', parent: 'q2', content: words('') } },
      { n: 6, t: '还是三点半' },
    )
    await expect.element(portal.screen.getByText('还是三点半')).toBeVisible()
  })
})

describe('a first answer that was interrupted', () => {
  test('does not replace the title that its conversation was given meanwhile', async () => {
    const kept = { ...withId(aHistory(question, { ...answer, content: words('三') }), ID), title: '几点了' }
    const portal = await openTestPortal({ [`GET /conv/${ID}`]: kept })
    const { emit, ask_id } = await asked(portal, '几点了', 1)
    emit(
      { type: 'accepted', ask_id, conversation_id: ID, question },
      { n: 1, type: 'message', message: { ...answer, content: words('三') } },
    )
    await expect.element(portal.screen.getByRole('banner')).toMatchTextContent(/新对话/)
    emit({ type: 'finished', outcome: 'interrupted', charged: true })
    await expect
      .element(portal.screen.getByRole('banner').getByRole('button', { name: '几点了', exact: true }))
      .toBeVisible()
  })
})

describe('a question that was refused', () => {
  test('stays with its reason while the answer to another device’s question is followed', async () => {
    const history = withId(aHistory(question, answer), ID)
    let running: object = {}
    const portal = await openTestPortal(
      { 'GET /conv': [aRecord(ID, '时间')], [`GET /conv/${ID}`]: () => ({ ...history, ...running }) },
      `/conversation?id=${ID}`,
    )
    const { emit } = await asked(portal, '在另一个标签里写的长问题', 1)
    running = { running_ask: 'ask-9' }
    emit(REFUSED)
    await until(() => expect(portal.sent()).toContainEqual({ resume: 'ask-9', after: 0 }))
    await expect.element(portal.screen.getByRole('alert')).toBeVisible()
    await expect.element(portal.screen.getByLabelText('你的问题').last()).toMatchTextContent(/在另一个标签里写的长问题/)
    await portal.screen.getByRole('alert').getByTestId('message-withdraw').click()
    await expect.element(composerOf(portal)).toHaveValue('在另一个标签里写的长问题')
    await expect.element(portal.screen.getByTestId('stop')).toBeVisible()
  })

  test('is a draft again when another one is asked, and moves with it into the new conversation', async () => {
    const portal = await openTestPortal()
    const first = await asked(portal, '重要的长问题', 1)
    first.emit(REFUSED)
    await expect.element(portal.screen.getByRole('alert')).toBeVisible()
    const second = await asked(portal, '几点了', 2)
    await expect.element(composerOf(portal)).toHaveValue('重要的长问题')
    second.emit({ type: 'accepted', ask_id: second.ask_id, conversation_id: ID, question })
    await until(() => expect(portal.router.state.location.search).toEqual({ id: ID }))
    await expect.element(composerOf(portal)).toHaveValue('重要的长问题')
  })

  test('is a draft again when it is stopped before the server has it', async () => {
    const portal = await openTestPortal()
    const { emit } = await asked(portal, '还没送到', 1)
    await portal.screen.getByTestId('stop').click()
    emit({ ...REFUSED, tip: 'errors.askNotFound' })
    await expect.element(composerOf(portal)).toHaveValue('还没送到')
    expect(portal.screen.getByLabelText('你的问题').elements()).toEqual([])
  })

  test('is no draft any more once it was asked again and accepted', async () => {
    const portal = await openTestPortal()
    const first = await asked(portal, '再问一次', 1)
    first.emit(REFUSED)
    await portal.screen.getByTestId('message-retry').click()
    await until(() => expect(portal.sent().filter(sent => 'text_content' in sent)).toHaveLength(2))
    const again = portal.sockets.at(-1)
    again?.emit({ type: 'accepted', ask_id: again.sent[0]?.['ask_id'], conversation_id: ID, question })
    await until(() => expect(portal.router.state.location.search).toEqual({ id: ID }))
    window.dispatchEvent(new Event('pagehide'))
    expect(keptDrafts()).not.toContain('再问一次')
  })
})
