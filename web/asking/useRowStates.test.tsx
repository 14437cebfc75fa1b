import { afterEach, expect, test, vi } from 'vitest'
import { until } from '#testing/until.ts'
import { aHistory, aMessage } from './builders.testing.ts'
import { aRecord, openTestPortal, withId } from './portal.testing.tsx'

const ID = '0f1e2d3c-4b5a-4978-8899-aabbccddeeff'
const OTHER = '11111111-2222-4333-8444-555555555555'
const text = (words: string) => ({ content_type: 'text', text: words }) as const
const question = aMessage({ id: 'q1', role: 'user', content: text('几点了') })
const part = aMessage({ id: 'a1', role: 'assistant', parent: 'q1', content: text('三点') })

afterEach(() => {
  vi.unstubAllGlobals()
})

test('an answer that is interrupted while another conversation is looked at is said to be, until somebody looks', async () => {
  let told: object = { running_ask: 'ask-9' }
  const portal = await openTestPortal(
    {
      'GET /conv': () => [{ ...aRecord(ID, '时间'), ...told }, aRecord(OTHER, '别的')],
      [`GET /conv/${ID}`]: { ...withId(aHistory(question), ID), running_ask: 'ask-9' },
      [`GET /conv/${OTHER}`]: withId(aHistory(question, part), OTHER),
    },
    `/conversation?id=${ID}`,
  )
  const socket = await portal.socket()
  await until(() => expect(socket.said).toEqual([{ resume: 'ask-9', after: 0 }]))
  socket.tell(
    { type: 'accepted', ask_id: 'ask-9', conversation_id: ID, question },
    { n: 3, type: 'message', message: part },
  )
  await portal.screen.getByRole('link', { name: '别的' }).click()
  told = { broken_off: true }
  socket.tell({ type: 'finished', outcome: 'interrupted', charged: true })
  socket.end(1012, 'errors.interrupted')
  await portal.screen.getByTestId('composer').hover() // a row below the pointer shows its menu instead
  await expect.element(portal.screen.getByText('中断', { exact: true })).toBeVisible()
  await expect.element(portal.screen.getByText('新回答')).not.toBeInTheDocument()
  await portal.screen.getByRole('link', { name: '时间' }).click()
  await expect.element(portal.screen.getByText('中断', { exact: true })).not.toBeInTheDocument()
  await expect.element(portal.screen.getByText('回答中断了，已收到的部分留着')).toBeVisible()
})
