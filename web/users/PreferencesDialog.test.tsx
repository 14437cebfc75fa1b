import { QueryClientProvider } from '@tanstack/react-query'
import { beforeEach, describe, expect, test } from 'vitest'
import { loadTexts } from '#web/i18n/useTranslate.ts'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { DEFAULT_PREFERENCES } from '#contract/preferences.ts'
import { answerCalls, aUser, freshDevice, success } from '#web/foundation/api.testing.ts'
import { applyStoredPreferences, changePreferences, syncPreferences } from '#web/foundation/preferences.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { useSession } from '#web/foundation/session.ts'
import { Kit } from '#web/kit/Kit.tsx'
import { PreferencesDialog } from './PreferencesDialog.tsx'

beforeEach(() => loadTexts('account'))

beforeEach(async () => {
  freshDevice()
  await applyStoredPreferences()
})

function openDialog() {
  return render(
    <Kit>
      <QueryClientProvider client={queryClient}>
        <PreferencesDialog onClose={() => null} />
      </QueryClientProvider>
    </Kit>,
  )
}

const kept = () => JSON.parse(localStorage.getItem('preference') ?? '{}')

describe('preferences', () => {
  test('begin with the defaults of the specification', async () => {
    await openDialog()
    await expect.element(page.getByRole('radio', { name: '中文' })).toBeChecked()
    await expect.element(page.getByRole('radio', { name: '跟随系统' })).toBeChecked()
    await expect.element(page.getByRole('radio', { name: 'Enter', exact: true })).toBeChecked()
    await expect.element(page.getByRole('switch', { name: '我的提问也按 Markdown 显示' })).not.toBeChecked()
    await expect.element(page.getByRole('switch', { name: '代码自动换行' })).not.toBeChecked()
    await expect.element(page.getByRole('switch', { name: '更宽的对话页' })).toBeChecked()
  })
  test('take effect at once and are stored on the device under their names', async () => {
    await openDialog()
    await page.getByText('Ctrl+Enter').click()
    await page.getByRole('switch', { name: '代码自动换行' }).click()
    await page.getByText('深色').click()
    expect(kept()).toEqual({
      sendKey: 'Ctrl+Enter',
      renderUserMessageInMd: false,
      codeAutoWrap: true,
      widerConversationPage: true,
      notices: DEFAULT_PREFERENCES.notices,
    })
    expect(localStorage.getItem('theme')).toBe('dark')
    expect(document.documentElement.dataset.mantineColorScheme).toBe('dark')
  })
  test('change the language of the whole page', async () => {
    await openDialog()
    await page.getByText('Bahasa Melayu').click()
    await expect.element(page.getByRole('dialog', { name: 'Keutamaan' })).toBeVisible()
    expect(document.documentElement.lang).toBe('ms-MY')
    expect(localStorage.getItem('language')).toBe('ms-MY')
    await page.getByText('中文').click()
    await expect.element(page.getByRole('dialog', { name: '偏好设置' })).toBeVisible()
  })
  test('are stored in the account of a signed-in user', async () => {
    useSession.setState({ user: aUser() })
    const made = answerCalls({
      'GET /user/me/notices': success({ public_key: null, devices: 0, reminder: null }),
      'PATCH /user/me/preferences': ({ body }) => success({ ...DEFAULT_PREFERENCES, ...Object(body) }),
    })
    await openDialog()
    await page.getByText('Shift+Enter').click()
    await expect
      .poll(() => made.filter(({ call }) => call.startsWith('PATCH')))
      .toEqual([{ call: 'PATCH /user/me/preferences', query: new URLSearchParams(), body: { sendKey: 'Shift+Enter' } }])
  })
})

describe('after signing in', () => {
  test('preferences that were chosen before are sent to the account', async () => {
    await openDialog()
    await page.getByText('English').click()
    await expect.poll(() => localStorage.getItem('language')).toBe('en-US')
    const made = answerCalls({
      'PATCH /user/me/preferences': ({ body }) =>
        success({ ...DEFAULT_PREFERENCES, codeAutoWrap: true, ...Object(body) }),
    })
    await syncPreferences()
    expect(made.map(({ body }) => body)).toEqual([{ language: 'en-US' }])
    expect(kept().codeAutoWrap).toBe(true)
  })
  test('preferences of the account are applied on the device', async () => {
    answerCalls({
      'GET /user/me/preferences': success({ ...DEFAULT_PREFERENCES, sendKey: 'Ctrl+Enter', theme: 'light' }),
    })
    await syncPreferences()
    expect(kept().sendKey).toBe('Ctrl+Enter')
    expect(localStorage.getItem('theme')).toBe('light')
  })
  test('an answer that is older than a change does not undo it', async () => {
    const { promise: changed, resolve } = Promise.withResolvers<void>()
    answerCalls({
      'GET /user/me/preferences': () => changed.then(() => success({ ...DEFAULT_PREFERENCES, theme: 'light' })),
      'PATCH /user/me/preferences': ({ body }) => success({ ...DEFAULT_PREFERENCES, ...Object(body) }),
    })
    const started = syncPreferences()
    await changePreferences({ theme: 'dark' }, true)
    resolve()
    await started
    expect(localStorage.getItem('theme')).toBe('dark')
  })
  test('invalid preferences on the device are ignored', async () => {
    localStorage.setItem('language', 'xx')
    localStorage.setItem('preference', '{"sendKey":"Meta","codeAutoWrap":true,"more":1}')
    await applyStoredPreferences()
    const made = answerCalls({ 'GET /user/me/preferences': success(DEFAULT_PREFERENCES) })
    await syncPreferences()
    expect(made.map(({ call }) => call)).toEqual(['GET /user/me/preferences'])
    expect(localStorage.getItem('language')).toBe('zh-CN')
  })
})
