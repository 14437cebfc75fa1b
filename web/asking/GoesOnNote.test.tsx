import { afterEach, describe, expect, test, vi } from 'vitest'
import { until } from '#testing/until.ts'
import { aHistory, aMessage } from './builders.testing.ts'
import { openTestPortal, withId } from './portal.testing.tsx'

const ID = '0f1e2d3c-4b5a-4978-8899-aabbccddeeff'
const question = aMessage({ id: 'q1', role: 'user', content: { content_type: 'text', text: '几点了' } })

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('a session that ends while an answer comes', () => {
  test('leaves the answer to go on at the server, which is no failure', async () => {
    const portal = await openTestPortal(
      { [`GET /conv/${ID}`]: { ...withId(aHistory(question), ID), running_ask: 'ask-9' } },
      `/conversation?id=${ID}`,
    )
    const socket = await portal.socket()
    await until(() => expect(socket.said).toEqual([{ resume: 'ask-9', after: 0 }]))
    socket.tell(
      { type: 'accepted', ask_id: 'ask-9', conversation_id: ID, question },
      { n: 1, type: 'message', message: aMessage({ id: 'a1', role: 'assistant', parent: 'q1' }) },
      { n: 3, t: '三点' },
    )
    socket.end(1008, 'errors.loginExpired')
    await expect.element(portal.screen.getByText('登录已过期，请重新登录')).toBeVisible()
    await expect.element(portal.screen.getByText('回答在服务器上继续，重新登录后就能看到。').first()).toBeVisible()
    await expect.element(portal.screen.getByText(/算进/)).not.toBeInTheDocument()
    await expect.element(portal.screen.getByText('没有回答')).not.toBeInTheDocument()
  })
})
