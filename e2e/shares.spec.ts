import type { Page } from '@playwright/test'
import type { AccountWindow } from '#contract/shares.ts'
import { shares as sharesEnUS } from '#web/i18n/en-US/shares.ts'
import { shares as sharesZhCN } from '#web/i18n/zh-CN/shares.ts'
import { checkAccessibility } from './checkAccessibility.ts'
import { expect, test } from './journey.ts'
import { shareAnAccount } from './sharedAccount.ts'
import { ask, openDialog, TEXTS, untilAnswered } from './steps.ts'

const SHARES = { 'zh-CN': sharesZhCN, 'en-US': sharesEnUS } as const
const PHONE = { width: 390, height: 844 }

// Accounts are paused here.
test.use({ portalOptions: {} })

const asksWithin = (amount: number, seconds: number): AccountWindow => ({
  ...{ unit: 'asks', amount, models: null },
  window: { kind: 'rolling', seconds },
})

const meterOf = (page: Page) => page.getByTestId('shared-meter').last()

for (const language of ['zh-CN', 'en-US'] as const) {
  const texts = SHARES[language]

  test(`one asks all night and borrows; who comes at nine has all of their share, in ${language}`, async ({
    page,
    person,
    chatPage,
    portal,
    openPageFor,
  }) => {
    const late = await portal.person()
    // Both have asked before: each has half of eight.
    await shareAnAccount(portal, [late, person], { windows: [asksWithin(8, 3600)], keep: 'share' })
    for (const each of [person, late]) await each.result('PATCH', '/user/me/preferences', { language })
    await chatPage.reload()

    await expect(page.getByTestId('share-bar')).toBeVisible()
    await expect(page.getByTestId('share-own')).toBeVisible()
    await checkAccessibility(page)
    for (let count = 1; count <= 3; count++) {
      await ask(page, `question ${count}`)
      await untilAnswered(page, count)
    }
    // One's own is used up, and what is left is kept for the other.
    const head = page.getByTestId('limit-head')
    await expect(head).toBeVisible()
    await expect(page.getByTestId('countdown')).toBeVisible()
    await expect(page.getByTestId('way-wait')).toBeVisible()
    await page.getByTestId('composer').fill('a draft that stays')
    await expect(page.getByTestId('send')).toBeDisabled()
    await checkAccessibility(page)

    const morning = await openPageFor(late)
    for (let count = 1; count <= 3; count++) {
      await ask(morning, `question ${count}`)
      await untilAnswered(morning, count)
    }
    await expect(meterOf(morning)).toContainText(texts['shares.state.full'])
    await expect(page.getByTestId('composer')).toHaveValue('a draft that stays')

    await page.getByTestId('meter-details').click()
    const panel = page.getByTestId('shares-panel')
    await expect(panel.getByTestId('share-row')).toHaveCount(2)
    await checkAccessibility(page)
    await panel.getByTestId('share-how').click()
    await expect(page.getByTestId('share-rule')).toContainText(texts['shares.rule.borrowText'])
    await checkAccessibility(page)
    await page.keyboard.press('Escape')

    const profile = await openDialog(page, language, 'userMenu.profile')
    await expect(profile.getByTestId('my-shares').getByTestId('share-window')).toHaveCount(1)
    await checkAccessibility(page)
    await page.keyboard.press('Escape')
    await expect(profile).toBeHidden()

    await page.setViewportSize(PHONE)
    await page.getByTestId('meter-pill').click()
    await expect(panel).toBeVisible()
    await checkAccessibility(page)
  })
}

test('borrowing is said before the first ask that is borrowed, and the bar moves while others ask', async ({
  chatPage,
  person,
  portal,
}) => {
  const other = await portal.person()
  await shareAnAccount(portal, [other, person], { windows: [asksWithin(6, 3600)], keep: 'nothing' })
  await chatPage.reload()
  const line = chatPage.getByTestId('share-line')
  await expect(chatPage.getByTestId('share-bar')).toBeVisible()
  await expect(line).toBeHidden()
  await ask(chatPage, 'question 1')
  await untilAnswered(chatPage)
  await ask(chatPage, 'question 2')
  await untilAnswered(chatPage, 2)
  await expect(line).toContainText(other.username)
  await expect(chatPage.getByTestId('share-cost')).toHaveText('借 1 次')
  await checkAccessibility(chatPage)
  await ask(chatPage, 'borrowed')
  await untilAnswered(chatPage, 3)
  await expect(chatPage.getByTestId('share-borrowed').first()).toBeVisible()
  await expect(line).toBeHidden()
  await expect(meterOf(chatPage)).toContainText(sharesZhCN['shares.state.borrowing'])

  await other.ask('me, too', { new_title: 'x' })
  await expect(chatPage.getByTestId('share-bar')).toHaveAttribute('aria-valuenow', '6', { timeout: 20_000 })
  await expect(meterOf(chatPage)).toContainText(sharesZhCN['shares.state.full'])
})

test('who is refused is told when, and that it is open, and sends by themselves', async ({
  chatPage,
  person,
  portal,
}) => {
  await shareAnAccount(portal, [person], { windows: [asksWithin(1, 25)], keep: 'usual' })
  await chatPage.reload()
  await expect(chatPage.getByTestId('limit-head')).toBeVisible()
  await chatPage.getByTestId('composer').fill('afterwards')
  await chatPage.getByTestId('way-wait').click()
  await expect(chatPage.getByText(TEXTS['zh-CN']['usage.way.over'])).toBeVisible({ timeout: 60_000 })
  await expect(chatPage.getByTestId('limit-head')).toBeHidden({ timeout: 20_000 })
  await expect(chatPage.getByTestId('composer')).toHaveValue('afterwards')
  await chatPage.getByTestId('send').click()
  await untilAnswered(chatPage)
})
