import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import { DEFAULT_PREFERENCES, LANGUAGES } from '#contract/preferences.ts'
import { status } from '#web/admin/system/answers.testing.ts'
import { anAccount } from '#web/conversations/sharedMeter/builders.testing.ts'
import { answerCalls, aPortal, aUser, freshDevice, leaveMarker, success } from '#web/foundation/api.testing.ts'
import { applyStoredPreferences } from '#web/foundation/preferences.ts'
import { translate } from '#web/i18n/useTranslate.ts'
import { openPage } from './openPage.testing.tsx'
import { VERSION } from './Header.tsx'

const portal = aPortal({
  time_zone: 'America/Argentina/ComodRivadavia',
  sources: [{ source: 'openai_api', enabled: true }],
})

async function changeLanguage(language: string) {
  localStorage.setItem('language', language)
  await applyStoredPreferences()
}

function answerAs(language: string) {
  answerCalls({
    'GET /user/me': success(aUser({ is_superuser: true, nickname: 'Somebody with quite a long name' })),
    'GET /user/me/preferences': success({ ...DEFAULT_PREFERENCES, language }),
    'GET /status/common': success(status),
    'GET /status/portal': success(portal),
    'GET /status/meter': success({ now: new Date().toISOString(), accounts: [anAccount({ used: 38 })] }),
    'GET /system/queue': success({
      now: new Date().toISOString(),
      accounts: [{ ...anAccount({ used: 38 }), asks: [] }],
    }),
  })
}

beforeEach(async () => {
  freshDevice()
  await page.viewport(360, 640)
})
afterEach(() => changeLanguage('zh-CN'))

describe.each(LANGUAGES)('at 360 px in %s', language => {
  test.each(['/home', '/login', '/error/403', '/error/404'])('no part of %s is wider than the screen', async path => {
    answerAs(language)
    await changeLanguage(language)
    await openPage(path)
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(widest()).toBeLessThanOrEqual(360)
  })
  test('no part of the overview is wider than the screen', async () => {
    leaveMarker()
    answerAs(language)
    await changeLanguage(language)
    await openPage('/admin/system')
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect.element(page.getByRole('meter').first()).toBeVisible()
    expect(widest()).toBeLessThanOrEqual(360)
  })
})

test('all languages are in one row at 360 px, by their own names, and one of them is chosen', async () => {
  answerAs('ms-MY')
  await changeLanguage('ms-MY')
  await openPage('/login')
  const names = ['中文', 'English', 'Bahasa Melayu'].map(name => page.getByRole('button', { name, exact: true }))
  for (const name of names) await expect.element(name).toHaveAttribute('aria-pressed', String(name === names[2]))
  expect(new Set(names.map(name => boxOf(name).top)).size).toBe(1)
  expect(widest()).toBeLessThanOrEqual(360)
})

describe.each(LANGUAGES)('at 820 px in %s', language => {
  test('an administrator sees the title, the shared account and the switch to the administration', async () => {
    await page.viewport(820, 900)
    leaveMarker()
    answerAs(language)
    await changeLanguage(language)
    await openPage('/conversation')
    const pill = page.getByTestId('meter-pill')
    const areas = page.getByTestId('admin-toggle')
    await expect.element(pill).toBeVisible()
    expect(boxOf(pill).right).toBeLessThanOrEqual(boxOf(areas).left)
    const title = page.getByRole('banner').getByText(translate('conversations.untitled'))
    await expect.element(title).toBeVisible()
    expect(title.element().scrollWidth).toBeLessThanOrEqual(title.element().clientWidth)
    await expect.element(areas.getByRole('link', { name: translate('app.area.admin') })).toBeInTheDocument()
  })
})

describe('on a phone', () => {
  test('the pages of the administration are in a drawer, which closes when one is chosen', async () => {
    leaveMarker()
    answerAs('zh-CN')
    const router = await openPage('/admin/system')
    await expect.element(page.getByRole('heading', { name: '系统概况' })).toBeVisible()
    expect(page.getByRole('link', { name: '配置' }).elements()).toEqual([])
    await page.getByRole('button', { name: '打开管理菜单' }).click()
    await page.getByRole('dialog').getByRole('link', { name: '配置' }).click()
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
    expect(router.state.location.pathname).toBe('/admin/config')
  })
  test('the user menu has what the header has no room for', async () => {
    leaveMarker()
    answerAs('zh-CN')
    const router = await openPage('/home')
    await page.getByTestId('user-menu').click()
    await page.getByRole('menuitem', { name: '切换到深色' }).click()
    expect(document.documentElement.dataset.mantineColorScheme).toBe('dark')
    await page.getByTestId('user-menu').click()
    await expect.element(page.getByRole('menuitem', { name: '源代码仓库' })).toBeVisible()
    await expect.element(page.getByRole('menu').getByText(VERSION)).toBeVisible()
    await page.getByRole('menuitem', { name: '管理' }).click()
    await expect.poll(() => router.state.location.pathname).toBe('/admin/system')
  })
  test('the header shows the version to visitors, who have no user menu', async () => {
    answerAs('zh-CN')
    await openPage('/login')
    await expect.element(page.getByRole('banner').getByText(VERSION)).toBeVisible()
  })
})

const boxOf = (locator: Locator): DOMRect => locator.element().getBoundingClientRect()

/** How far to the right the furthest visible part of the frame reaches. */
function widest(): number {
  const parts = [...document.querySelectorAll('header *, main *')].filter(part => !part.closest('svg'))
  return Math.max(
    ...parts
      .map(part => part.getBoundingClientRect())
      .filter(({ width }) => width > 1)
      .map(({ right }) => right),
  )
}
