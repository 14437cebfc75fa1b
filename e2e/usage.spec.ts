import { checkAccessibility } from './checkAccessibility.ts'
import { expect, test } from './journey.ts'
import { ask, openDialog, TEXTS, untilAnswered } from './steps.ts'

const PHONE = { width: 390, height: 844 }

for (const language of ['zh-CN', 'en-US'] as const) {
  const texts = TEXTS[language]

  test(`somebody at a limit asks for more, is granted it and asks; both see the same numbers, in ${language}`, async ({
    page,
    person,
    chatPage,
    portal,
    openPageFor,
    readIn,
  }) => {
    const admin = await portal.admin()
    await readIn(language, admin, person)
    await admin.result('PATCH', `/user/${person.id}/setting`, { openai_api: { total_ask_count: 1 } })
    await chatPage.reload()
    await ask(page, 'What is a limit?')
    await untilAnswered(page)

    await expect(page.getByTestId('limit-head')).toBeVisible()
    await expect(page.getByTestId('ways')).toBeVisible()
    await checkAccessibility(page)
    await page.getByTestId('way-more').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(texts['usage.more.amount']).fill('3')
    await dialog.getByLabel(texts['usage.more.reason']).fill('One more question')
    await checkAccessibility(page)
    await dialog.getByRole('button', { name: texts['usage.more.send'], exact: true }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByTestId('ways')).toContainText(texts['usage.way.moreOpen'])

    const office = await openPageFor(admin)
    await office.goto('/admin/usage')
    await expect(office.getByTestId('open-requests')).toContainText('1')
    const request = office.getByTestId('usage-request')
    await expect(request).toContainText('One more question')
    await checkAccessibility(office)
    await request.getByTestId('grant').click()
    await expect(request).toBeHidden()

    // The person's page hears of it by itself.
    await expect(page.getByTestId('limit-head')).toBeHidden({ timeout: 40_000 })
    await ask(page, 'And one more?')
    await untilAnswered(page, 2)

    const profile = await openDialog(page, language, 'userMenu.profile')
    await expect(profile.getByTestId('usage-limit').first()).toContainText('2 / 4')
    await profile.getByRole('button', { name: texts['usage.ledger'], exact: true }).click()
    await expect(profile.getByTestId('usage-ledger').getByRole('listitem')).toHaveCount(3)
    await checkAccessibility(page)
    await page.setViewportSize(PHONE)
    await profile.getByTestId('my-usage').scrollIntoViewIfNeeded()
    await checkAccessibility(page)

    await office.reload()
    const table = office.getByTestId('usage-table')
    await table.getByRole('button', { name: person.username }).click()
    await expect(office.getByTestId('statement-proof')).toHaveAttribute('data-equal', 'true')
    await checkAccessibility(office)
    await office.setViewportSize(PHONE)
    await checkAccessibility(office)
    await office.goto('/admin/usage')
    await expect(table).toBeVisible()
    await checkAccessibility(office)
  })
}
