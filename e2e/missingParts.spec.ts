import type { Page } from '@playwright/test'
import { untilHandoff } from './heldBack.ts'
import { expect, test } from './journey.ts'
import { ask, countedWords, echo, seeItGrow, TEXTS, untilGrowing } from './steps.ts'

test.use({ warm: false })

const { 'toast.missing': MISSING, 'error.crash.reload': RELOAD, 'shortcuts.title': SHORTCUTS } = TEXTS['zh-CN']

/** The lazily loaded chunks that these tests need. */
const PARTS = '**/assets/{ShortcutsDialog,NewConversation,SearchHits}-*'

/**
 * As without a network, or after an update of the server. Set before the page opens, so that no chunk is prefetched.
 */
test.beforeEach(({ page }) => page.route(PARTS, route => route.fulfill({ status: 404 })))

function bringParts(page: Page): Promise<void> {
  return page.unroute(PARTS)
}

test('a part that cannot be fetched is told of, leaves the answer and the draft alone, and opens once it can be fetched', async ({
  chatPage,
}) => {
  // The answer grows for longer than the test takes.
  await ask(chatPage, echo(countedWords(900), 15))
  await untilGrowing(chatPage)
  await chatPage.getByTestId('composer').fill('写到一半')
  for (const key of ['Control+/', 'Control+Shift+O']) {
    await chatPage.keyboard.press(key)
    await expect(chatPage.getByRole('alert').getByText(MISSING)).toBeVisible()
    await chatPage.getByRole('alert').getByRole('button', { name: TEXTS['zh-CN']['kit.close'] }).click()
    await expect(chatPage.getByRole('alert')).toBeHidden()
  }
  await seeItGrow(chatPage)
  await expect(chatPage.getByTestId('composer')).toHaveValue('写到一半')
  await bringParts(chatPage)
  await chatPage.keyboard.press('Control+/')
  const card = chatPage.getByRole('dialog', { name: SHORTCUTS })
  await expect(card).toBeVisible()
})

test('after an update of the portal the page can be loaded anew from where a part was missing', async ({
  chatPage,
}) => {
  await chatPage.getByTestId('composer').fill('写到一半')
  await chatPage.getByTestId('search').fill('词')
  await expect(chatPage.getByRole('alert').getByText(MISSING)).toBeVisible()
  await bringParts(chatPage)
  const loaded = chatPage.waitForEvent('load')
  await chatPage.getByRole('alert').getByRole('button', { name: RELOAD }).click()
  await loaded
  await untilHandoff(chatPage)
  await expect(chatPage.getByTestId('composer')).toHaveValue('写到一半')
})
