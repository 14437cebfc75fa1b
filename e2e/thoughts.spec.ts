import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { checkAccessibility } from './checkAccessibility.ts'
import { expect, test } from './journey.ts'
import { answers, ask, conversationId, questions, TEXTS, untilAnswered, untilGrowing } from './steps.ts'

const zhCN = TEXTS['zh-CN']
const THOUGHTS = '先想**先后**：\n\n1. 总阀\n2. 龙头\n\n' + '再想一遍，水往低处走。'.repeat(40)
const thinks = (only = false) => ({ kind: 'thoughts', shape: 'reasoning_content', text: THOUGHTS, only }) as const
const step = (page: Page) => page.getByTestId('step')
const lineOf = (page: Page) => step(page).locator('summary')

async function fileOf(page: Page, format: 'markdown' | 'json'): Promise<string> {
  await page.getByRole('banner').getByRole('button', { name: zhCN['conversations.actions'] }).click()
  await page.getByTestId('export-menu').click()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId(`export-${format}`).click()])
  return readFile(await download.path(), 'utf8')
}

test('what a model thinks is a folded line that counts, is read as it grows, and stands before the answer', async ({
  chatPage,
  portal,
}) => {
  portal.simulator.nextFault(thinks())
  await ask(chatPage, '冬天水管怎么防冻？\n/simulate pace=25 tokens=60')
  await expect(lineOf(chatPage)).toHaveText(new RegExp(`^${zhCN['message.thinkingAloud']}\\s*1 秒$`))
  await expect(step(chatPage)).toHaveText(/^((?!先想).)*$/)

  await lineOf(chatPage).press('Enter')
  await expect(step(chatPage).locator('strong')).toHaveText('先后')
  const length = async () => (await step(chatPage).innerText()).length
  const before = await length()
  await expect.poll(length).toBeGreaterThan(before)
  await expect(answers(chatPage)).toHaveCount(0)

  const opened = await step(chatPage).locator('strong').elementHandle()
  await untilGrowing(chatPage)
  await expect(lineOf(chatPage)).toHaveText(/^思考了 \d+ 秒$/)
  // The element is not rendered again when the answer comes.
  expect(await opened?.evaluate(element => element.isConnected)).toBe(true)
  await untilAnswered(chatPage)

  await chatPage.reload()
  await expect(lineOf(chatPage)).toHaveText(/^思考了 \d+ 秒$/)
  await expect(step(chatPage)).not.toHaveAttribute('open')
  await lineOf(chatPage).click()
  await expect(step(chatPage).getByRole('listitem')).toHaveText(['总阀', '龙头'])
  // Thoughts opened at the end of a thread are shown from their beginning.
  await expect(lineOf(chatPage)).toBeInViewport()
})

test('thoughts are one version with their answer, and go into no copy, file, print or further question', async ({
  chatPage,
  portal,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  portal.simulator.nextFault(thinks())
  portal.simulator.nextAnswer('关上总阀。')
  await ask(chatPage, '冬天水管怎么防冻？')
  await untilAnswered(chatPage)
  portal.simulator.nextFault(thinks())
  portal.simulator.nextAnswer('放空水管。')
  await chatPage.getByTestId('message-regenerate').click()
  await expect(answers(chatPage)).toHaveText(/放空水管/)
  await untilAnswered(chatPage)
  await expect(chatPage.getByRole('group', { name: zhCN['branches.versions'] })).toHaveText('2 / 2')
  await chatPage.getByTestId('branch-previous').click()
  await expect(answers(chatPage)).toHaveText(/关上总阀/)
  await expect(step(chatPage)).toHaveCount(1)
  await chatPage.reload()
  await expect(answers(chatPage)).toHaveText(/关上总阀/)
  await expect(chatPage.getByRole('group', { name: zhCN['branches.versions'] })).toHaveText('1 / 2')

  await chatPage.getByTestId('message-copy').last().click()
  await expect(chatPage.getByRole('button', { name: zhCN['message.copied'] })).toBeVisible()
  expect(await chatPage.evaluate(() => navigator.clipboard.readText())).toBe('关上总阀。')
  for (const format of ['markdown', 'json'] as const) {
    const file = await fileOf(chatPage, format)
    expect(file).toContain('关上总阀。')
    expect(file).not.toContain('先想')
  }
  await chatPage.emulateMedia({ media: 'print' })
  await expect(answers(chatPage)).toBeVisible()
  await expect(step(chatPage)).toBeHidden()
  await chatPage.emulateMedia({ media: 'screen' })

  await ask(chatPage, '那龙头呢？')
  await untilAnswered(chatPage, 2)
  const { body } = portal.simulator.journal.findLast(entry => JSON.stringify(entry.body).includes('那龙头呢')) ?? {}
  expect(JSON.stringify(body)).toContain('关上总阀')
  expect(JSON.stringify(body)).not.toContain('先想')

  await chatPage.goto(`/conv/${conversationId(chatPage)}`)
  await expect(step(chatPage)).toHaveCount(1)
  await lineOf(chatPage).click()
  await expect(step(chatPage)).toContainText('再想一遍')
})

test('an answer after thoughts can be edited, copied into a conversation of its own and withdrawn', async ({
  chatPage,
  portal,
}) => {
  portal.simulator.nextFault(thinks())
  await ask(chatPage, '冬天水管怎么防冻？')
  await untilAnswered(chatPage)
  await chatPage.getByTestId('message-fork').click()
  await expect(chatPage.getByTestId('conversation-row')).toHaveCount(2)
  await expect(step(chatPage)).toHaveCount(1)
  await chatPage.getByTestId('message-edit').click()
  await chatPage.getByTestId('message-editor').fill('夏天呢？')
  portal.simulator.nextFault(thinks())
  await chatPage.getByTestId('message-editor').press('Enter')
  await expect(questions(chatPage)).toHaveText('夏天呢？')
  await untilAnswered(chatPage)
  await expect(step(chatPage)).toHaveCount(1)
  await chatPage.getByTestId('message-withdraw').click()
  await chatPage.getByRole('dialog').getByRole('button', { name: zhCN['ask.withdraw'] }).click()
  await expect(questions(chatPage)).toHaveText('冬天水管怎么防冻？')
  await expect(step(chatPage)).toHaveCount(1)
  await expect(answers(chatPage)).toHaveCount(1)
})

test('thoughts without an answer stay, folded, over the reason, and are not counted', async ({ chatPage, portal }) => {
  portal.simulator.nextFault(thinks(true))
  await ask(chatPage, '冬天水管怎么防冻？')
  const note = chatPage.getByRole('alert')
  for (const visit of ['at once', 'after a reload']) {
    if (visit !== 'at once') await chatPage.reload()
    await expect(note).toContainText(zhCN['errors.openai.thoughtsOnly'])
    await expect(note).toContainText(zhCN['ask.notCharged'])
    await expect(lineOf(chatPage)).toHaveText(/^思考了 \d+ 秒$/)
    await expect(answers(chatPage)).toHaveCount(0)
  }
  await chatPage.getByTestId('message-retry').click()
  await untilAnswered(chatPage)
  await expect(note).toHaveCount(0)
  await expect(step(chatPage)).toHaveCount(0)
  await expect(chatPage.getByRole('group', { name: zhCN['branches.versions'] })).toHaveCount(0)
})

test('thoughts that are stopped stay with the question, which can be asked again', async ({ chatPage, portal }) => {
  portal.simulator.nextFault(thinks())
  await ask(chatPage, '冬天水管怎么防冻？\n/simulate pace=10')
  await expect(lineOf(chatPage)).toHaveText(/秒$/)
  await chatPage.getByTestId('stop').click()
  await expect(chatPage.getByText(zhCN['ask.unanswered'])).toBeVisible()
  await chatPage.reload()
  await expect(chatPage.getByText(zhCN['ask.unanswered'])).toBeVisible()
  await expect(lineOf(chatPage)).toHaveCount(1)
  await chatPage.getByTestId('message-retry').click()
  await expect(chatPage.getByText(zhCN['ask.unanswered'])).toBeHidden()
  await chatPage.getByTestId('stop').click()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`nothing of thoughts stands in anybody's way, ${colorScheme}`, async ({ chatPage, portal }) => {
    await chatPage.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await chatPage.setViewportSize({ width: 390, height: 844 })
    portal.simulator.nextFault(thinks(true))
    await ask(chatPage, '冬天水管怎么防冻？')
    await lineOf(chatPage).click()
    await expect(step(chatPage)).toContainText('再想一遍')
    await checkAccessibility(chatPage)
  })
}
