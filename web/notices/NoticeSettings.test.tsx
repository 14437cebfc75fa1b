import { QueryClientProvider } from '@tanstack/react-query'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { answerCalls, aUser, freshDevice, success } from '#web/foundation/api.testing.ts'
import { applyStoredPreferences, currentPreferences } from '#web/foundation/preferences.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { useSession } from '#web/foundation/session.ts'
import { loadTexts } from '#web/i18n/useTranslate.ts'
import { Kit } from '#web/kit/Kit.tsx'
import { NoticeSettings } from './NoticeSettings.tsx'
import { aPushBrowser, PUBLIC_KEY } from './notices.testing.ts'

const ADD = 'POST /user/me/notices/devices'
const REMOVE = 'POST /user/me/notices/devices/remove'

beforeEach(async () => {
  freshDevice()
  queryClient.clear()
  useSession.setState({ user: aUser() })
  await applyStoredPreferences()
  await loadTexts('notices')
})

async function open(public_key: string | null = PUBLIC_KEY) {
  const made = answerCalls({
    'GET /user/me/notices': success({ public_key, devices: 0, reminder: null }),
    [ADD]: success(),
    [REMOVE]: success(),
    'PATCH /user/me/preferences': ({ body }) => success({ ...currentPreferences(), ...(body as object) }), // as sent
  })
  await render(
    <Kit>
      <QueryClientProvider client={queryClient}>
        <NoticeSettings />
      </QueryClientProvider>
    </Kit>,
  )
  return made
}

/** Its name is followed by what it does. */
const toggle = (name: string) => page.getByRole('switch', { name: new RegExp(`^${name}`) })

describe('notices in the preferences', () => {
  test('are off at first, and switched on and off for this browser', async () => {
    aPushBrowser()
    const made = await open()
    await expect.element(toggle('通知')).not.toBeChecked()
    await expect.element(toggle('轮到你了')).not.toBeInTheDocument()
    await toggle('通知').click()
    await expect.element(toggle('通知')).toBeChecked()
    await expect.element(toggle('轮到你了')).toBeChecked()
    await expect.element(toggle('显示对话标题')).not.toBeChecked()
    await toggle('通知').click()
    await expect.element(toggle('通知')).not.toBeChecked()
    expect(made.map(({ call }) => call).filter(call => call.startsWith('POST'))).toEqual([ADD, REMOVE])
  })
  test('are chosen one by one, for every browser of the person', async () => {
    aPushBrowser()
    const made = await open()
    await toggle('通知').click()
    await toggle('显示对话标题').click()
    await toggle('回答好了').click()
    await vi.waitFor(() =>
      expect(made.findLast(({ call }) => call.startsWith('PATCH'))?.body).toEqual({
        notices: { answer: false, turn: true, window: true, titles: true },
      }),
    )
  })
  test('say why they cannot be switched on', async () => {
    aPushBrowser()
    await open(null)
    await expect.element(page.getByText('管理员关掉了浏览器通知。')).toBeVisible()
    await expect.element(toggle('通知')).toBeDisabled()
  })
  test('say what the browser wants where it said no', async () => {
    aPushBrowser({ answer: 'denied' })
    await open()
    await toggle('通知').click()
    await expect.element(page.getByText(/点地址栏左边的图标/)).toBeVisible()
    await expect.element(toggle('通知')).not.toBeChecked()
  })
})
