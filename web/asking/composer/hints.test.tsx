import { afterEach, describe, expect, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { until } from '#testing/until.ts'
import { aHistory, aMessage } from '../builders.testing.ts'
import { ID, openTestPortal } from '../portal.testing.tsx'

const question = aMessage({ id: 'q1', role: 'user', content: { content_type: 'text', text: '几点了' } })
const reply = aMessage({ id: 'a1', role: 'assistant', parent: 'q1' })

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('how long the answer has been growing', () => {
  test('is beside the stop button from its beginning to its end', async () => {
    // Time stands still but where it is advanced; what the page does behind a timer or when idle, it does in real time.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date', 'performance'] })
    const { screen, socket } = await openTestPortal()
    await expect.element(screen.getByRole('button', { name: '模型：GPT-3.5' })).toBeVisible()
    await screen.getByTestId('composer').fill('几点了')
    await userEvent.keyboard('{Enter}')
    const connection = await socket()
    await until(() => expect(connection.sent).toHaveLength(1))
    connection.emit({ type: 'accepted', ask_id: connection.sent[0]?.['ask_id'], conversation_id: ID, question })
    await expect.element(screen.getByTestId('stop')).toBeVisible()
    expect(screen.getByTestId('growing-for').elements()).toEqual([])
    connection.emit({ n: 1, type: 'message', message: reply }, { n: 3, t: '三点' })
    await expect.element(screen.getByTestId('growing-for')).toHaveTextContent('0:00')
    await vi.advanceTimersByTimeAsync(12_000)
    await expect.element(screen.getByTestId('growing-for')).toHaveTextContent('0:12')
    connection.emit({ type: 'finished', outcome: 'stopped', charged: true })
    connection.end()
    await expect.element(screen.getByTestId('send')).toBeVisible()
    expect(screen.getByTestId('growing-for').elements()).toEqual([])
  })

  test('is not shown for an answer that began on another page', async () => {
    const { screen, socket } = await openTestPortal(
      { [`GET /conv/${ID}`]: { ...aHistory(question), _id: ID, running_ask: 'ask' } },
      `/conversation?id=${ID}`,
    )
    const connection = await socket()
    connection.emit({ n: 1, type: 'message', message: reply }, { n: 3, t: '三点' })
    await expect.element(screen.getByText('三点')).toBeVisible()
    await expect.element(screen.getByTestId('stop')).toBeVisible()
    expect(screen.getByTestId('growing-for').elements()).toEqual([])
  })
})
