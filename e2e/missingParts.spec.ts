import type { Page } from '@playwright/test'
import { untilTakenOver } from './heldBack.ts'
import { expect, test } from './journey.ts'
import { ask, countedWords, echo, seeItGrow, TEXTS, untilGrowing } from './steps.ts'

const { 'toast.missing': MISSING, 'error.crash.reload': RELOAD, 'shortcuts.title': SHORTCUTS } = TEXTS['zh-CN']

/** What is opened here. */
const PARTS = '**/assets/{ShortcutsDialog,NewConversation,SearchHits}-*'

/** As it is without a network, or when the server has been given a newer page: before the page is opened, so that none is there ahead of its use. */
test.beforeEach(({ page }) => page.route(PARTS, route => route.fulfill({ status: 404 })))

function bringParts(page: Page): Promise<void> {
  return page.unroute(PARTS)
}

test('a part that cannot be fetched is told of, leaves the answer and the draft alone, and opens once it can be fetched', async ({
  desk,
}) => {
  // Growing for longer than all this takes.
  await ask(desk, echo(countedWords(900), 15))
  await untilGrowing(desk)
  await desk.getByTestId('composer').fill('写到一半')
  for (const key of ['Control+/', 'Control+Shift+O']) {
    await desk.keyboard.press(key)
    await expect(desk.getByRole('alert').getByText(MISSING)).toBeVisible()
    await desk.getByRole('alert').getByRole('button', { name: TEXTS['zh-CN']['kit.close'] }).click()
    await expect(desk.getByRole('alert')).toBeHidden()
  }
  await seeItGrow(desk)
  await expect(desk.getByTestId('composer')).toHaveValue('写到一半')
  await bringParts(desk)
  await desk.keyboard.press('Control+/')
  const card = desk.getByRole('dialog', { name: SHORTCUTS })
  await expect(card).toBeVisible()
  // Its own styles have come as well.
  await expect.poll(async () => (await card.boundingBox())?.width).toBeLessThan(700)
})

test('after an update of the portal the page can be loaded anew from where a part was missing', async ({ desk }) => {
  await desk.getByTestId('composer').fill('写到一半')
  await desk.getByTestId('search').fill('词')
  await expect(desk.getByRole('alert').getByText(MISSING)).toBeVisible()
  await bringParts(desk)
  const loaded = desk.waitForEvent('load')
  await desk.getByRole('alert').getByRole('button', { name: RELOAD }).click()
  await loaded
  await untilTakenOver(desk)
  await expect(desk.getByTestId('composer')).toHaveValue('写到一半')
})
