import { LANGUAGES } from '#contract/preferences.ts'
import { expect, test } from './journey.ts'
import { signInOn, TEXTS } from './steps.ts'

const NAMES = { 'zh-CN': '中文', 'en-US': 'English', 'ms-MY': 'Bahasa Melayu' }

for (const language of LANGUAGES) {
  test(`a wrong password is told in ${language}, and the right one is taken after it`, async ({ page, person }) => {
    await page.goto('/login')
    await page.getByRole('button', { name: NAMES[language], exact: true }).click()
    await expect(page.getByRole('heading', { name: TEXTS[language]['login.title'] })).toBeVisible()
    await signInOn(page, { username: person.username, password: 'not-my-password' })
    await expect(page.getByText(TEXTS[language]['errors.badCredentials'])).toBeVisible()
    await expect(page).toHaveURL('/login')
    await expect(page.getByTestId('username')).toHaveValue(person.username)

    await signInOn(page, person)
    await expect(page).toHaveURL('/conversation')
    await expect(page.locator('html')).toHaveAttribute('lang', language)
  })
}

test('an unknown name is refused with the same words', async ({ page }) => {
  await page.goto('/login')
  await signInOn(page, { username: 'nobody-by-this-name', password: 'not-my-password' })
  await expect(page.getByText(TEXTS['zh-CN']['errors.badCredentials'])).toBeVisible()
})

test('what is missing is said beside its field', async ({ page }) => {
  await page.goto('/login')
  await page.getByTestId('sign-in').click()
  await expect(page.getByText(TEXTS['zh-CN']['login.usernameRequired'])).toBeVisible()
  await expect(page.getByText(TEXTS['zh-CN']['login.passwordRequired'])).toBeVisible()
})
