import type { Page } from '@playwright/test'
import { cuttableProxy, type CuttableProxy } from '#testing/cuttableProxy.ts'
import { expect, test as journey } from './journey.ts'
import {
  answers,
  ask,
  conversationId,
  countedWords,
  echo,
  seeItGrow,
  TEXTS,
  untilAnswered,
  untilGrowing,
} from './steps.ts'
import type { Portal } from './startPortal.ts'

const zhCN = TEXTS['zh-CN']

const test = journey.extend<{ connection: CuttableProxy }>({
  connection: async ({ portal }, provide) => {
    const connection = await cuttableProxy(portal.url)
    await provide(connection)
    await connection.close()
  },
  address: ({ connection }, provide) => provide(new URL(connection.url).origin),
})

test.use({ warm: false })

const WORDS = countedWords(250)
/** Tokens a second: however long a page takes to load, it still sees the answer grow. */
const UNENDING = 3

/** Observes the answer while it grows to this text. Returns every state that was not a prefix of it. */
async function watchGrowth(page: Page, text: string): Promise<() => Promise<string[]>> {
  const wrong = await page.evaluateHandle(whole => {
    const seen: string[] = []
    new MutationObserver(() => {
      const shown = document.querySelector('[data-testid=message][data-role=assistant]')?.textContent?.trim() ?? ''
      if (!whole.startsWith(shown)) seen.push(shown)
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
    return seen
  }, text)
  return () => wrong.jsonValue()
}

/** How often the upstream got this question. */
function timesAsked({ simulator }: Portal, words: string): number {
  return simulator.journal.filter(({ sent }) => sent.trim() === words).length
}

test('a connection that is cut in the middle of an answer is taken up again, and no word is lost or doubled', async ({
  chatPage,
  connection,
  portal,
}) => {
  const words = countedWords(120, 'c')
  const wrong = await watchGrowth(chatPage, words)
  await ask(chatPage, echo(words, 8)) // still being answered when a slow machine has made the connection again
  await seeItGrow(chatPage)
  connection.cut()
  await expect(chatPage.getByText(/连接断了/)).toBeVisible()
  connection.mend()
  await seeItGrow(chatPage)
  await expect(chatPage.getByText(/连接断了/)).toBeHidden()
  await untilAnswered(chatPage)
  await expect(answers(chatPage)).toHaveText(words)
  expect(await wrong()).toEqual([])
  expect(timesAsked(portal, words)).toBe(1)
})

test('an answer that was completed while the connection was cut is there when it is back', async ({
  chatPage,
  connection,
  portal,
}) => {
  await ask(chatPage, echo(WORDS, 200))
  await untilGrowing(chatPage)
  connection.cut()
  await portal.simulator.waitFor(({ ended, sent }) => ended === 'complete' && sent.includes('w249'))
  connection.mend()
  await untilAnswered(chatPage)
  await expect(answers(chatPage)).toHaveText(WORDS)
})

test('a question asked without a connection is sent when it is back, once', async ({
  chatPage,
  connection,
  portal,
}) => {
  await expect(chatPage.getByTestId('composer')).toBeEnabled()
  connection.cut()
  const words = countedWords(250, 'u')
  await ask(chatPage, echo(words, 0))
  await expect(chatPage.getByText(/问题还没有送到/)).toBeVisible()
  connection.mend()
  await untilAnswered(chatPage)
  await expect(answers(chatPage)).toHaveText(words)
  await expect(chatPage.getByTestId('conversation-row')).toHaveCount(1)
  expect(timesAsked(portal, words)).toBe(1)
})

test('without a network the page says so, and goes on when there is one', async ({ chatPage, context }) => {
  await ask(chatPage, echo(WORDS, 80))
  await seeItGrow(chatPage)
  await context.setOffline(true)
  await expect(chatPage.getByText(zhCN['connection.offline'])).toBeVisible()
  await context.setOffline(false)
  await expect(chatPage.getByText(zhCN['connection.offline'])).toBeHidden()
  await untilAnswered(chatPage)
  await expect(answers(chatPage)).toHaveText(WORDS)
})

test('a page that is loaded anew takes up the running answer', async ({ chatPage }) => {
  await ask(chatPage, echo(WORDS, UNENDING))
  await seeItGrow(chatPage)
  const before = await answers(chatPage).innerText()
  await chatPage.reload()
  await seeItGrow(chatPage)
  const wrong = await watchGrowth(chatPage, WORDS)
  await seeItGrow(chatPage)
  expect(await wrong()).toEqual([])
  await expect(answers(chatPage)).toContainText(before.trim())
  await chatPage.getByTestId('stop').click()
  await expect(answers(chatPage)).toContainText(zhCN['message.stopped'])
})

test('two pages on one conversation both see the answer grow, and either may stop it', async ({
  chatPage,
  context,
}) => {
  await ask(chatPage, echo(WORDS, UNENDING))
  await seeItGrow(chatPage)
  const other = await context.newPage()
  await other.goto(`/conversation?id=${conversationId(chatPage)}`)
  await seeItGrow(other)
  await seeItGrow(chatPage)
  await other.getByTestId('stop').click()
  for (const page of [chatPage, other]) {
    await expect(answers(page)).toContainText(zhCN['message.stopped'])
    await expect(page.getByTestId('stop')).toBeHidden()
  }
  expect(await answers(chatPage).innerText()).toBe(await answers(other).innerText())
})
