import type { Page } from '@playwright/test'
import { checkAccessibility } from './checkAccessibility.ts'
import { expect, test } from './journey.ts'
import { ask, conversationId, newConversation, TEXTS, untilAnswered } from './steps.ts'

test.use({ portalOptions: { web: true } })

/** Its own marks, and what is for programs. */
const UNREADABLE = /[\uE200-\uE2FF]|turn0|entity|cite|textdoc|canmore|content_type|Likes tea|Model set context/

const step = (page: Page, kind: string) => page.locator(`[data-testid=step][data-kind=${kind}]`)

async function expectReadable(page: Page): Promise<void> {
  await expect(step(page, 'thoughts')).toHaveText(/9/)
  await expect(page.getByTestId('thread').getByRole('heading', { name: 'Tea', exact: true })).toBeVisible()
  const answer = page.getByTestId('message').filter({ hasText: 'The tea house opens at nine.' })
  await expect(answer).toContainText('Tea House has its menu.')
  await expect(answer.getByRole('link', { name: 'its menu' })).toHaveAttribute('href', 'https://example.org/menu')
  await expect(answer.getByRole('link', { name: 'A short history of tea' })).toBeVisible()
  await expect(answer.getByTestId('citation')).toHaveText(['1'])
  await expect(page.getByText('Tea at nine', { exact: true }).first()).toBeVisible()
  for (const kind of ['browsing', 'canvas', 'thoughts'])
    for (const each of await step(page, kind).all()) await each.locator('summary').first().click()
  await expect(page.getByText('The opening hours are wanted.')).toBeVisible()
  await expect(step(page, 'canvas')).toContainText('ten')
  await expect(step(page, 'browsing').first()).toContainText('tea house opening hours')
  const shown = await page.getByTestId('thread').innerText()
  expect(shown.replace('/simulate shape=kinds encoding=delta', '')).not.toMatch(UNREADABLE)
}

for (const language of ['zh-CN', 'en-US'] as const) {
  test(`what a web account answers with is shown in its words, ${language}`, async ({
    chatPage,
    person,
    portal,
    openPageFor,
  }) => {
    test.slow()
    if (language === 'en-US') {
      await person.result('PATCH', '/user/me/preferences', { language })
      await chatPage.reload()
    }
    await newConversation(chatPage, { source: 'openai_web', model: 'gpt_4' })
    await test.step('while it is answered, as changes, and once it is', async () => {
      await ask(chatPage, 'When does it open?\n/simulate shape=kinds encoding=delta pace=40')
      await untilAnswered(chatPage, 4)
      await expectReadable(chatPage)
    })
    const id = conversationId(chatPage)
    await test.step('after a reload', async () => {
      await chatPage.reload()
      await expectReadable(chatPage)
      await checkAccessibility(chatPage)
    })
    await test.step('imported by somebody else', async () => {
      const [account] = portal.simulator.web.accounts()
      const exported = [...(account?.conversations.values() ?? [])].at(-1)
      const other = await openPageFor(await portal.person())
      await other.getByRole('button', { name: TEXTS['zh-CN']['conversations.actionsOfAll'] }).click()
      await other.getByTestId('import').click()
      const buffer = Buffer.from(JSON.stringify([{ ...exported, conversation_id: id }]))
      await other
        .getByTestId('import-file')
        .setInputFiles({ name: 'conversations.json', mimeType: 'application/json', buffer })
      await expect(other.getByTestId('import-report').locator('[data-outcome=new] dd')).toHaveText('1')
      await other.getByRole('dialog').getByRole('button', { name: '关闭' }).last().click()
      await other.getByTestId('conversation-row').getByRole('link').click()
      await expectReadable(other)
    })
  })
}
