import type { Page } from '@playwright/test'
import type { AccountWindow } from '#contract/shares.ts'
import { gifts as texts } from '#web/i18n/zh-CN/gifts.ts'
import { checkAccessibility } from './checkAccessibility.ts'
import { expect, test } from './journey.ts'
import { type Sharing, shareAnAccount } from './sharedAccount.ts'
import { ask, untilAnswered } from './steps.ts'

// Accounts are paused here.
test.use({ portalOptions: {} })

/** Eight asks a week, of which nobody lends any. */
const EIGHT: AccountWindow = { unit: 'asks', amount: 8, window: { kind: 'week' }, models: null }
const SHARING: Sharing = { windows: [EIGHT], keep: 'share', names: 'full' }

async function openPanel(page: Page) {
  await page.getByTestId('meter-details').click()
  const panel = page.getByTestId('shares-panel')
  await expect(panel).toBeVisible()
  return panel
}

async function askTimes(page: Page, count: number, before = 0): Promise<void> {
  for (let asked = before + 1; asked <= before + count; asked++) {
    await ask(page, `question ${asked}`)
    await untilAnswered(page, asked)
  }
}

test('a part of one’s share is given, used, and what is left of it taken back', async ({
  chatPage,
  person,
  portal,
  openPageFor,
}) => {
  const other = await portal.person()
  await shareAnAccount(portal, [person, other], SHARING)
  await chatPage.reload()
  await (await openPanel(chatPage)).getByTestId('gift').click()
  const form = chatPage.getByTestId('gift-form')
  await form.getByRole('combobox').selectOption({ label: other.username })
  await form.getByLabel(texts['gifts.amount.asks'], { exact: true }).fill('2')
  await checkAccessibility(chatPage)
  await form.getByTestId('gift-send').click()
  await expect(form).toBeHidden()

  // Of four one is used; with what was given four can be asked, and none of them is borrowed.
  const receiver = await openPageFor(other)
  await askTimes(receiver, 4)
  await expect(receiver.getByTestId('share-borrowed')).toHaveCount(0)

  await (await openPanel(chatPage)).getByTestId('open-share-ledger').click()
  const ledger = chatPage.getByTestId('share-ledger')
  await checkAccessibility(chatPage)
  await ledger.getByTestId('gift-take-back').click()
  const lines = ledger.getByTestId('share-line')
  await expect(lines.and(chatPage.locator('[data-kind=taken_back]'))).toContainText('+1')
  await expect(ledger.getByTestId('gift-take-back')).toHaveCount(0)
  await chatPage.keyboard.press('Escape')
  await expect(receiver.getByTestId('limit-head')).toBeVisible({ timeout: 40_000 })
})

test('more is asked for where one’s own is used up, and given by its owner', async ({
  chatPage,
  person,
  portal,
  openPageFor,
}) => {
  const owner = await portal.person()
  await shareAnAccount(portal, [person, owner], { ...SHARING, owner_id: owner.id, reserve_percent: 50 })
  await chatPage.reload()
  await askTimes(chatPage, 1)
  await expect(chatPage.getByTestId('limit-head')).toBeVisible()
  await chatPage.getByTestId('way-more').click()
  const form = chatPage.getByTestId('ask-share-form')
  await form.getByLabel(texts['gifts.amount.asks'], { exact: true }).fill('2')
  await checkAccessibility(chatPage)
  await form.getByTestId('ask-share-send').click()
  await expect(form).toBeHidden()
  await expect(chatPage.getByTestId('ways')).toContainText(owner.username)
  await expect(chatPage.getByTestId('way-more')).toBeHidden()

  const owners = await openPageFor(owner)
  const request = (await openPanel(owners)).getByTestId('owner-request')
  await expect(request).toContainText(person.username)
  await checkAccessibility(owners)
  await request.getByTestId('owner-grant').click()
  await expect(request).toBeHidden()

  await expect(chatPage.getByTestId('limit-head')).toBeHidden({ timeout: 40_000 })
  await askTimes(chatPage, 2, 1)
  await expect(chatPage.getByTestId('limit-head')).toBeVisible()
})
