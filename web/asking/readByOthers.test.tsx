import { afterEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { ResultOf } from '#contract/call.ts'
import type { listOwnOversight } from '#contract/oversight.ts'
import { useToasts } from '#web/foundation/toasts.ts'
import { aHistory, aMessage } from './builders.testing.ts'
import { aRecord, ID, openTestPortal, withId } from './portal.testing.tsx'

afterEach(async () => {
  await page.viewport(1280, 800)
  localStorage.clear()
  useToasts.setState({ toasts: [] })
})

const OWN: ResultOf<typeof listOwnOversight> = {
  kept_days: 365,
  unnoticed: 0,
  rows: [
    {
      id: 1,
      time: '2026-11-18T04:50:00.000Z',
      until: '2026-11-18T05:20:00.000Z',
      latest_time: '2026-11-18T04:54:00.000Z',
      viewer: { id: 1, name: '周明' },
      owner: { id: 2, name: '林小雨' },
      conversation_id: ID,
      title: '三年电费的图',
      reason: 'asked',
      text: '导出的图不对',
      is_reading: false,
    },
  ],
}
const answers = {
  'GET /conv': [aRecord(ID, '三年电费的图')],
  [`GET /conv/${ID}`]: withId(
    aHistory(aMessage({ id: 'q', role: 'user' }), aMessage({ id: 'a', role: 'assistant' })),
    ID,
  ),
  'GET /user/me/oversight': OWN,
}

describe('that an administrator has read a conversation', () => {
  test('is said to its owner above the thread of a phone, where the header has no room for it', async () => {
    await openTestPortal(answers, `/conversation?id=${ID}`)
    await page.viewport(390, 800)
    const line = page.getByTestId('oversight-line')
    await expect.element(line).toBeInViewport()
    await expect.element(line).toMatchTextContent(/周明.*看过这个对话/)
    expect(line.elements()).toHaveLength(1)
    await line.getByRole('button', { name: '为什么' }).click()
    await expect.element(line).toMatchTextContent(/导出的图不对/)
  })
})
