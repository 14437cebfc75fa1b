import type { Page } from '@playwright/test'
import { checkAccessibility } from './checkAccessibility.ts'
import { expect, test } from './journey.ts'
import type { Account, Portal } from './startPortal.ts'
import { answers, ask, questions, seeItGrow, TEXTS, untilAnswered } from './steps.ts'

test.use({
  warm: false,
  portalOptions: { environment: { COMMONS_OPENAI_API_MAX_COMPLETION_CONCURRENCY: '1' } },
})

const LONG = '/simulate tokens=3000 pace=30'
const LANGUAGES = ['zh-CN', 'en-US'] as const
const zhCN = TEXTS['zh-CN']

type Others = { openPageFor(account: Account): Promise<Page>; portal: Portal }

/** Somebody else's long answer, which the account has no second place beside. */
async function somebodyIsAnswered({ openPageFor, portal }: Others): Promise<Page> {
  const page = await openPageFor(await portal.person())
  await ask(page, LONG)
  await seeItGrow(page)
  return page
}

const panelOf = (page: Page) => page.getByTestId('quiet-panel')

async function sendWhenQuiet(page: Page, text: string): Promise<void> {
  await page.getByTestId('composer').fill(text)
  await page.getByTestId('send-ways').click()
  await page.getByTestId('send-quiet').click()
  await expect(panelOf(page)).toBeVisible()
}

for (const language of LANGUAGES) {
  const texts = TEXTS[language]

  test(`what is sent from the menu waits until it is quiet, over a restart, in ${language}`, async ({
    chatPage,
    person,
    portal,
    readIn,
    openPageFor,
  }) => {
    await readIn(language, person)
    await chatPage.reload()
    await somebodyIsAnswered({ openPageFor, portal })

    await chatPage.getByTestId('composer').fill('no hurry')
    await chatPage.getByTestId('send-ways').click()
    await expect(chatPage.getByTestId('send-quiet')).toBeVisible()
    await checkAccessibility(chatPage, 'menu')
    await chatPage.getByTestId('send-quiet').click()

    await expect(panelOf(chatPage)).toBeVisible()
    await expect(chatPage.getByTestId('composer')).toHaveValue('')
    await expect(questions(chatPage)).toHaveText('no hurry')
    const row = chatPage.getByTestId('conversation-row')
    await expect(row).toContainText(texts['conversations.quiet'])
    await checkAccessibility(chatPage, 'panel')

    await chatPage.reload()
    await expect(panelOf(chatPage)).toBeVisible()
    await expect(questions(chatPage)).toHaveText('no hurry')
    await chatPage.goto('/conversation')
    await expect(row).toContainText(texts['conversations.quiet'])
    await expect(questions(chatPage)).toHaveCount(0)

    // The other answer ends with the server, so that it is quiet afterwards.
    await portal.kill()
    await portal.startAgain()
    await expect(row).toContainText(texts['conversations.answered'])
    await row.getByRole('link').click()
    await untilAnswered(chatPage)
    await expect(questions(chatPage)).toHaveText('no hurry')
    await expect(panelOf(chatPage)).toBeHidden()
  })
}

test('whoever comes later is answered first, and then what waits until it is quiet', async ({
  chatPage,
  portal,
  openPageFor,
}) => {
  const first = await somebodyIsAnswered({ openPageFor, portal })
  await sendWhenQuiet(chatPage, '不急')
  const newcomer = await openPageFor(await portal.person())
  await ask(newcomer, LONG)
  await expect(newcomer.getByText('第 1 位').first()).toBeVisible()
  await first.getByTestId('stop').click()
  await seeItGrow(newcomer)
  await expect(panelOf(chatPage)).toBeVisible()
  await newcomer.getByTestId('stop').click()
  await untilAnswered(chatPage)
  await expect(panelOf(chatPage)).toBeHidden()
})

test('what waits until it is quiet is asked now instead, and waits for its turn', async ({
  chatPage,
  portal,
  openPageFor,
}) => {
  const other = await somebodyIsAnswered({ openPageFor, portal })
  await sendWhenQuiet(chatPage, '还是急')
  await chatPage.getByTestId('quiet-now').click()
  await expect(panelOf(chatPage)).toBeHidden()
  await expect(chatPage.getByText(zhCN['ask.queueText'])).toBeVisible()
  await expect(chatPage.getByTestId('conversation-row')).toContainText(/第 1 位|排队中/)
  await other.getByTestId('stop').click()
  await untilAnswered(chatPage)
  await expect(questions(chatPage)).toHaveText('还是急')
})

test('what waits until it is quiet is withdrawn, and the question is back in its place', async ({
  chatPage,
  portal,
  openPageFor,
}) => {
  const other = await somebodyIsAnswered({ openPageFor, portal })
  await chatPage.getByTestId('composer').fill('算了')
  await chatPage.getByTestId('composer').press('Alt+Enter')
  await expect(panelOf(chatPage)).toBeVisible()
  await chatPage.getByTestId('quiet-withdraw').click()
  await expect(panelOf(chatPage)).toBeHidden()
  await expect(chatPage.getByTestId('composer')).toHaveValue('算了')
  await expect(answers(chatPage)).toHaveCount(0)
  await expect(chatPage.getByText(zhCN['conversations.quiet'])).toBeHidden()
  await other.getByTestId('stop').click()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })

  test('a finger that stays on the button opens the menu, and sends nothing by itself', async ({
    chatPage,
    portal,
    openPageFor,
  }) => {
    const other = await somebodyIsAnswered({ openPageFor, portal })
    await expect(chatPage.getByTestId('send-ways')).toBeHidden()
    await chatPage.getByTestId('composer').fill('路上想到的')
    await pressLong(chatPage, 'send', 'send-quiet')
    await expect(chatPage.getByTestId('send-quiet')).toBeVisible()
    await expect(questions(chatPage)).toHaveCount(0)
    await checkAccessibility(chatPage, 'menu')
    await chatPage.getByTestId('send-quiet').tap()
    await expect(panelOf(chatPage)).toBeVisible()
    await checkAccessibility(chatPage, 'panel')
    await chatPage.getByRole('button', { name: zhCN['conversations.openList'] }).click()
    await expect(chatPage.getByRole('dialog').getByTestId('conversation-row')).toContainText(
      zhCN['conversations.quiet'],
    )
    await chatPage.keyboard.press('Escape')
    await other.getByTestId('stop').click()
    await untilAnswered(chatPage)
  })
})

/** A finger stays on something until something else is seen. */
async function pressLong(page: Page, testid: string, shown: string): Promise<void> {
  const box = await page.getByTestId(testid).boundingBox()
  if (box === null) throw new Error(`${testid} is not in view`)
  const touchPoints = [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }]
  const finger = await page.context().newCDPSession(page)
  await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
  await expect(page.getByTestId(shown)).toBeVisible()
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}
