import type { Page } from '@playwright/test'
import { LANGUAGES } from '#contract/preferences.ts'
import { checkTexts } from './checkTexts.ts'
import { untilHandoff } from './heldBack.ts'
import { expect, test } from './journey.ts'
import { openDialog, signInOn, signOutOn, TEXTS } from './steps.ts'

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
    await expect(page.getByTestId('composer')).toHaveAttribute(
      'placeholder',
      TEXTS['en-US']['composer.placeholderFiles'],
    )
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

for (const language of LANGUAGES) {
  test(`the login page is in ${language} once that is chosen there, also after a reload`, async ({ page }) => {
    await page.goto('/login')
    await untilHandoff(page)
    await page.locator(`[data-language=${language}]`).click()
    await expect(page.getByRole('heading', { name: TEXTS[language]['login.title'] })).toBeVisible()
    await checkTexts(page)
    await page.reload()
    await expect(page.getByRole('heading', { name: TEXTS[language]['login.title'] })).toBeVisible()
  })
}
