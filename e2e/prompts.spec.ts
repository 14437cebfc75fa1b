import { checkAccessibility } from './checkAccessibility.ts'
import { expect, test } from './journey.ts'
import { questions, TEXTS, untilAnswered } from './steps.ts'

for (const language of ['zh-CN', 'en-US'] as const) {
  const texts = TEXTS[language]

  test(`a prompt is kept, found by a slash, filled in and asked, in ${language}`, async ({
    page,
    person,
    chatPage,
  }) => {
    await person.result('PATCH', '/user/me/preferences', { language })
    await chatPage.reload()
    const composer = page.getByTestId('composer')
    await composer.fill('Write to [whom] about [what].\n/')
    await page.getByRole('option', { name: texts['prompts.saveDraft'] }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByTestId('prompt-name').fill('A polite letter')
    await dialog.getByTestId('prompt-short-name').fill('letter')
    await checkAccessibility(page)
    await dialog.getByRole('button', { name: texts['prompts.keep'] }).click()
    await expect(dialog).toBeHidden()

    await composer.fill('')
    await composer.pressSequentially('/let')
    const menu = page.getByTestId('prompt-menu')
    await expect(menu.locator('mark').first()).toHaveText('let')
    await checkAccessibility(page)
    await page.keyboard.press('Enter')
    await expect(composer).toHaveValue('Write to [whom] about [what].')
    await expect(page.getByTestId('send')).toBeDisabled()
    await page.keyboard.type('the landlord')
    await page.keyboard.press('Tab')
    await page.keyboard.type('the leak')
    await page.keyboard.press('Enter')
    await expect(questions(page)).toContainText('Write to the landlord about the leak.')
    await untilAnswered(page)

    await composer.pressSequentially('/')
    await page.getByRole('option', { name: texts['prompts.manage'] }).click()
    await expect(page.getByTestId('own-prompts').getByRole('listitem')).toHaveCount(1)
    await checkAccessibility(page)
  })
}
