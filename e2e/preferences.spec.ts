import type { Page } from '@playwright/test'
import { LANGUAGES, type Language } from '#contract/preferences.ts'
import { expect, test, bringSession } from './journey.ts'
import { ask, openDialog, signInOn, signOutOn, TEXTS, untilAnswered } from './steps.ts'

const KEYS = Object.keys(TEXTS['zh-CN'])

/** All texts of the page that are visible or read aloud. */
async function wordsOn(page: Page): Promise<string> {
  return page.evaluate(() => {
    const spoken = [...document.querySelectorAll('[aria-label], [title], [placeholder], [alt]')].flatMap(element =>
      ['aria-label', 'title', 'placeholder', 'alt'].map(name => element.getAttribute(name) ?? ''),
    )
    // Code, and placeholders in paths, are the same in every language.
    const code = [...document.querySelectorAll('code, pre')].map(element => element.textContent)
    const shown = code.reduce((text, part) => text.replaceAll(part, ''), document.body.innerText)
    return [document.title, shown, ...spoken].join('\n')
  })
}

/** No key in place of its text, and no text with an unfilled placeholder. */
async function expectNoKeys(page: Page): Promise<void> {
  const words = await wordsOn(page)
  expect(KEYS.filter(key => words.includes(key))).toEqual([])
  expect(words.match(/\{[a-z_]+\}/g) ?? []).toEqual([])
}

async function choose(
  page: Page,
  row: 'preferences.language' | 'preferences.theme' | 'preferences.sendKey',
  option: string,
): Promise<void> {
  await page.getByRole('dialog').getByText(option, { exact: true }).click()
  await expect(page.getByRole('dialog').getByRole('radio', { name: option, exact: true }), row).toBeChecked()
}

test('what one prefers stays over a reload and comes along to another device', async ({
  chatPage,
  person,
  openPageFor,
}) => {
  await openDialog(chatPage, 'zh-CN', 'userMenu.preferences')
  await choose(chatPage, 'preferences.theme', TEXTS['zh-CN']['preferences.theme.dark'])
  await choose(chatPage, 'preferences.sendKey', 'Ctrl+Enter')
  await choose(chatPage, 'preferences.language', 'English')
  const {
    'preferences.codeAutoWrap': wrap,
    'preferences.renderUserMessageInMd': markdown,
    'preferences.widerConversationPage': wider,
  } = TEXTS['en-US']
  for (const name of [wrap, markdown]) await chatPage.getByRole('switch', { name }).check({ force: true })
  await chatPage.getByRole('switch', { name: wider }).uncheck({ force: true })
  await expect
    .poll(() => person.result('GET', '/user/me/preferences'))
    .toMatchObject({
      language: 'en-US',
      theme: 'dark',
      sendKey: 'Ctrl+Enter',
      codeAutoWrap: true,
      renderUserMessageInMd: true,
      widerConversationPage: false,
    })

  await chatPage.reload()
  for (const page of [chatPage, await openPageFor(person)]) {
    await expect(page.getByTestId('composer')).toHaveAttribute('placeholder', TEXTS['en-US']['composer.placeholder'])
    await expect(page.locator('html')).toHaveAttribute('lang', 'en-US')
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
    await expect(page.getByText(TEXTS['en-US']['composer.hintCtrlEnter'])).toBeVisible()
    await openDialog(page, 'en-US', 'userMenu.preferences')
    for (const name of [wrap, markdown]) await expect(page.getByRole('switch', { name })).toBeChecked()
    await expect(page.getByRole('switch', { name: wider })).not.toBeChecked()
  }
})

for (const remember of [false, true]) {
  test(`what one was writing ${remember ? 'stays on a device that is to remember one' : 'leaves a device when one signs out'}`, async ({
    page,
    person,
  }) => {
    await page.goto('/login')
    if (remember) await page.getByLabel(TEXTS['zh-CN']['login.remember']).check()
    await signInOn(page, person)
    await page.getByTestId('composer').fill('只给我看的草稿')
    await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain('只给我看的草稿')
    await signOutOn(page)
    await expect(page).toHaveURL('/login')
    if (!remember) expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('草稿')
    await expect(page.getByTestId('username')).toHaveValue(remember ? person.username : '')
    await signInOn(page, person)
    await expect(page.getByTestId('composer')).toHaveValue(remember ? '只给我看的草稿' : '')
  })
}

test('without a choice the theme follows the system', async ({ chatPage }) => {
  const html = chatPage.locator('html')
  for (const colorScheme of ['dark', 'light'] as const) {
    await chatPage.emulateMedia({ colorScheme })
    await expect(html).toHaveAttribute('data-mantine-color-scheme', colorScheme)
  }
  await chatPage.getByRole('button', { name: TEXTS['zh-CN']['app.theme.toDark'] }).click()
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await chatPage.reload()
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'dark')
})

test.describe('every text is there', () => {
  for (const language of LANGUAGES) {
    test(`in ${language}, for whoever has signed in`, async ({ chatPage, person }) => {
      const texts = TEXTS[language]
      await person.result('PATCH', '/user/me/preferences', { language })
      await chatPage.reload()
      await expect(chatPage.getByTestId('composer')).toHaveAttribute('placeholder', texts['composer.placeholder'])
      await expect(chatPage.locator('html')).toHaveAttribute('lang', language)
      await expectNoKeys(chatPage)
      await ask(chatPage, language === 'zh-CN' ? '你好' : 'hello')
      await untilAnswered(chatPage)
      await expectNoKeys(chatPage)
      await chatPage.getByTestId('new-conversation').click()
      await expect(chatPage.getByRole('dialog')).toBeVisible()
      await expectNoKeys(chatPage)
      await chatPage.keyboard.press('Escape')
      await expect(chatPage.getByRole('dialog')).toBeHidden()
      for (const dialog of ['userMenu.profile', 'userMenu.resetPassword', 'userMenu.preferences'] as const) {
        await openDialog(chatPage, language, dialog)
        await expectNoKeys(chatPage)
        await chatPage.keyboard.press('Escape')
        await expect(chatPage.getByRole('dialog')).toBeHidden()
      }
      for (const [path, title] of [
        ['/error/403', 'error.403.title'],
        ['/error/404', 'error.404.title'],
        ['/home', 'home.title'],
      ] as const) {
        await chatPage.goto(path)
        await expect(chatPage.getByRole('heading', { name: texts[title] })).toBeVisible()
        await expectNoKeys(chatPage)
      }
    })

    test(`in ${language}, on the login page`, async ({ page }) => {
      await page.goto('/login')
      await chooseOnLogin(page, language)
      await expect(page.getByRole('heading', { name: TEXTS[language]['login.title'] })).toBeVisible()
      await expectNoKeys(page)
      await page.reload()
      await expect(page.getByRole('heading', { name: TEXTS[language]['login.title'] })).toBeVisible()
    })
  }
})

test('pages for administrators have every text in every language', async ({ page, context, portal }) => {
  const admin = await portal.admin()
  await bringSession(context, admin, portal.url)
  for (const language of LANGUAGES) {
    await admin.result('PATCH', '/user/me/preferences', { language })
    for (const path of ['system', 'user', 'conversation', 'log', 'openai_settings', 'config']) {
      await page.goto(`/admin/${path}`)
      await expect(page.getByRole('navigation', { name: TEXTS[language]['admin.menu'] })).toBeVisible()
      await expectNoKeys(page)
    }
  }
  await admin.result('PATCH', '/user/me/preferences', { language: 'zh-CN' })
})

async function chooseOnLogin(page: Page, language: Language): Promise<void> {
  await page.locator(`[data-language=${language}]`).click()
}
