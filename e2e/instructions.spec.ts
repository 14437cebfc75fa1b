import { checkAccessibility } from './checkAccessibility.ts'
import { expect, test } from './journey.ts'
import { answers, ask, openDialog, TEXTS, untilAnswered } from './steps.ts'

for (const language of ['zh-CN', 'en-US'] as const) {
  const texts = TEXTS[language]

  test(`what a model is told first is written, seen and sent, in ${language}`, async ({
    page,
    person,
    chatPage,
    portal,
  }) => {
    await person.result('PATCH', '/user/me/preferences', { language })
    await chatPage.reload()
    await expect(page.getByTestId('instructions')).toHaveText(texts['instructions.none'])

    const dialog = await openDialog(page, language, 'userMenu.profile')
    await dialog.getByRole('button', { name: texts['profile.tab.instructions'] }).click()
    await dialog.getByRole('textbox', { name: texts['instructions.aboutMe'] }).fill('I teach physics.')
    await dialog.getByRole('button', { name: texts['kit.save'] }).click()
    // Until it is saved, leaving asks.
    await expect(page.getByText(texts['instructions.saved'])).toBeVisible()
    await page.keyboard.press('Escape')

    await page.getByTestId('instructions').click()
    await page.getByTestId('instructions-edit').click()
    const field = page.getByRole('textbox', { name: texts['instructions.ofConversation'] })
    await field.fill('Use SI units.')
    await checkAccessibility(page)
    await page.getByRole('button', { name: texts['kit.save'] }).click()
    await expect(field).toBeHidden()
    await page.keyboard.press('Escape')

    await ask(page, 'How heavy is a litre of water?')
    await untilAnswered(page)
    const expected = 'About the user:\nI teach physics.\n\nUse SI units.'
    /** What went before the first message of the request with this question. */
    const firstSent = (question: string) =>
      portal.simulator.journal
        .map(({ body }) => (body as { messages?: { role: string; content: string }[] } | null)?.messages ?? [])
        .findLast(messages => messages.at(-1)?.content === question)?.[0]
    expect(firstSent('How heavy is a litre of water?')).toEqual({ role: 'system', content: expected })

    await page.getByTestId('instructions').click()
    await page.getByRole('switch', { name: texts['instructions.withOwn'] }).click({ force: true })
    await expect(page.getByTestId('instructions')).toHaveText(
      language === 'zh-CN' ? '1 条说明，我的关着' : '1 instruction, mine off',
    )
    await page.keyboard.press('Escape')
    await ask(page, 'And of oil?')
    await untilAnswered(page, 2)
    await expect(answers(page)).toHaveCount(2)
    expect(firstSent('And of oil?')).toEqual({ role: 'system', content: 'Use SI units.' })
  })
}
