import { afterEach, describe, expect, test, vi } from 'vitest'
import { until } from '#testing/until.ts'
import { words } from '#testing/messages.ts'
import { aHistory, aMessage } from '../builders.testing.ts'
import { aRecord, ID, openTestPortal, withId } from '../portal.testing.tsx'

const question = aMessage({ id: 'q1', role: 'user', content: words('把电费画成图') })
const UNTIL = '2030-01-01T23:00:00.000Z'

afterEach(() => {
  vi.unstubAllGlobals()
})

/** A conversation whose question waits until it is quiet. */
async function waiting(more: Record<string, unknown> = {}) {
  const history = { ...withId(aHistory(question), ID), running_ask: 'ask-9' }
  const portal = await openTestPortal(
    {
      'GET /conv': () => [{ ...aRecord(ID, '电费'), quiet_ask: { ask_id: 'ask-9', until: UNTIL } }],
      [`GET /conv/${ID}`]: history,
      ...more,
    },
    `/conversation?id=${ID}`,
  )
  const socket = await portal.socket()
  await until(() => expect(socket.sent).toEqual([{ resume: 'ask-9', after: 0 }]))
  socket.emit(
    { type: 'accepted', ask_id: 'ask-9', conversation_id: ID, question },
    {
      type: 'queueing',
      tip: 'tips.queueing',
      place: 3,
      estimate_seconds: null,
      quiet: { until: UNTIL, likely_at: null },
    },
  )
  await expect.element(portal.screen.getByTestId('quiet-panel')).toBeVisible()
  return { ...portal, socket }
}

describe('a question that waits until it is quiet', () => {
  test('says so where its answer will be, and in the list', async () => {
    const { screen } = await waiting()
    await expect.element(screen.getByTestId('quiet-panel')).toMatchTextContent(/谁来问都先答他。只算半次/)
    const rows = () => [...document.querySelectorAll('[data-testid="conversation-row"]')].map(row => row.textContent)
    await expect.poll(rows).toContainEqual(expect.stringContaining('等空闲'))
  })

  test('keeps nobody from writing and sending another one', async () => {
    const { screen } = await waiting()
    await screen.getByTestId('composer').fill('另一个问题')
    await expect.element(screen.getByTestId('send')).toBeEnabled()
  })

  test('is asked now by a press', async () => {
    const asked = vi.fn(() => null)
    const { screen, socket } = await waiting({ 'POST /asks/ask-9/now': asked })
    await screen.getByTestId('quiet-now').click()
    await until(() => expect(asked).toHaveBeenCalledOnce())
    socket.emit({ type: 'queueing', tip: 'tips.queueing', place: 1, estimate_seconds: null })
    await expect.element(screen.getByText('第 1 位', { exact: true }).first()).toBeVisible()
  })

  test('is stopped and put back into the composer by another', async () => {
    const { screen, socket } = await waiting({
      [`DELETE /conv/${ID}/question/q1`]: { current_node: null },
    })
    await screen.getByTestId('quiet-withdraw').click()
    await until(() => expect(socket.sent).toContainEqual({ stop: true }))
    socket.emit({ type: 'finished', outcome: 'stopped', charged: false, messages: [] })
    await expect.element(screen.getByTestId('composer')).toHaveValue('把电费画成图')
  })

  test('that was given up offers to ask now', async () => {
    const { screen, socket } = await waiting()
    const failure = { tip: 'errors.quietOver', values: { until_at: UNTIL }, charged: false }
    socket.emit({ type: 'error', ...failure, messages: [], conversation: null })
    await expect.element(screen.getByTestId('message-retry')).toMatchTextContent(/现在问/)
  })
})
