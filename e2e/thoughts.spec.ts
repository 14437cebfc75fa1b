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
  desk,
  portal,
}) => {
  portal.simulator.nextFault(thinks())
  await ask(desk, '冬天水管怎么防冻？\n/simulate pace=25 tokens=60')
  await expect(lineOf(desk)).toHaveText(new RegExp(`^${zhCN['message.thinkingAloud']}\\s*1 秒$`))
  await expect(step(desk)).toHaveText(/^((?!先想).)*$/)

  await lineOf(desk).press('Enter')
  await expect(step(desk).locator('strong')).toHaveText('先后')
  const length = async () => (await step(desk).innerText()).length
  const before = await length()
  await expect.poll(length).toBeGreaterThan(before)
  await expect(answers(desk)).toHaveCount(0)

  const opened = await step(desk).locator('strong').elementHandle()
  await untilGrowing(desk)
  await expect(lineOf(desk)).toHaveText(/^思考了 \d+ 秒$/)
  // Not drawn anew for the answer's sake.
  expect(await opened?.evaluate(element => element.isConnected)).toBe(true)
  await untilAnswered(desk)

  await desk.reload()
  await expect(lineOf(desk)).toHaveText(/^思考了 \d+ 秒$/)
  await expect(step(desk)).not.toHaveAttribute('open')
  await lineOf(desk).click()
  await expect(step(desk).getByRole('listitem')).toHaveText(['总阀', '龙头'])
  // Opened at the end of a thread it is read from its beginning.
  await expect(lineOf(desk)).toBeInViewport()
})

test('thoughts are one version with their answer, and go into no copy, file, print or further question', async ({
  desk,
  portal,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  portal.simulator.nextFault(thinks())
  portal.simulator.nextAnswer('关上总阀。')
  await ask(desk, '冬天水管怎么防冻？')
  await untilAnswered(desk)
  portal.simulator.nextFault(thinks())
  portal.simulator.nextAnswer('放空水管。')
  await desk.getByTestId('message-regenerate').click()
  await expect(answers(desk)).toHaveText(/放空水管/)
  await untilAnswered(desk)
  await expect(desk.getByRole('group', { name: zhCN['branches.versions'] })).toHaveText('2 / 2')
  await desk.getByTestId('branch-previous').click()
  await expect(answers(desk)).toHaveText(/关上总阀/)
  await expect(step(desk)).toHaveCount(1)
  await desk.reload()
  await expect(answers(desk)).toHaveText(/关上总阀/)
  await expect(desk.getByRole('group', { name: zhCN['branches.versions'] })).toHaveText('1 / 2')

  await desk.getByTestId('message-copy').last().click()
  expect(await desk.evaluate(() => navigator.clipboard.readText())).toBe('关上总阀。')
  for (const format of ['markdown', 'json'] as const) {
    const file = await fileOf(desk, format)
    expect(file).toContain('关上总阀。')
    expect(file).not.toContain('先想')
  }
  await desk.emulateMedia({ media: 'print' })
  await expect(answers(desk)).toBeVisible()
  await expect(step(desk)).toBeHidden()
  await desk.emulateMedia({ media: 'screen' })

  await ask(desk, '那龙头呢？')
  await untilAnswered(desk, 2)
  const { body } = portal.simulator.journal.findLast(entry => JSON.stringify(entry.body).includes('那龙头呢')) ?? {}
  expect(JSON.stringify(body)).toContain('关上总阀')
  expect(JSON.stringify(body)).not.toContain('先想')

  await desk.goto(`/conv/${conversationId(desk)}`)
  await expect(step(desk)).toHaveCount(1)
  await lineOf(desk).click()
  await expect(step(desk)).toContainText('再想一遍')
})

test('an answer after thoughts can be edited, copied into a conversation of its own and withdrawn', async ({
  desk,
  portal,
}) => {
  portal.simulator.nextFault(thinks())
  await ask(desk, '冬天水管怎么防冻？')
  await untilAnswered(desk)
  await desk.getByTestId('message-fork').click()
  await expect(desk.getByTestId('conversation-row')).toHaveCount(2)
  await expect(step(desk)).toHaveCount(1)
  await desk.getByTestId('message-edit').click()
  await desk.getByTestId('message-editor').fill('夏天呢？')
  portal.simulator.nextFault(thinks())
  await desk.getByTestId('message-editor').press('Enter')
  await expect(questions(desk)).toHaveText('夏天呢？')
  await untilAnswered(desk)
  await expect(step(desk)).toHaveCount(1)
  await desk.getByTestId('message-withdraw').click()
  await desk.getByRole('dialog').getByRole('button', { name: zhCN['ask.withdraw'] }).click()
  await expect(questions(desk)).toHaveText('冬天水管怎么防冻？')
  await expect(step(desk)).toHaveCount(1)
  await expect(answers(desk)).toHaveCount(1)
})

test('thoughts without an answer stay, folded, over the reason, and are not counted', async ({ desk, portal }) => {
  portal.simulator.nextFault(thinks(true))
  await ask(desk, '冬天水管怎么防冻？')
  const note = desk.getByRole('alert')
  for (const visit of ['at once', 'after a reload']) {
    if (visit !== 'at once') await desk.reload()
    await expect(note).toContainText(zhCN['errors.openai.thoughtsOnly'])
    await expect(note).toContainText(zhCN['ask.notCharged'])
    await expect(lineOf(desk)).toHaveText(/^思考了 \d+ 秒$/)
    await expect(answers(desk)).toHaveCount(0)
  }
  await desk.getByTestId('message-retry').click()
  await untilAnswered(desk)
  await expect(note).toHaveCount(0)
  await expect(step(desk)).toHaveCount(0)
  await expect(desk.getByRole('group', { name: zhCN['branches.versions'] })).toHaveCount(0)
})

test('thoughts that are stopped stay with the question, which can be asked again', async ({ desk, portal }) => {
  portal.simulator.nextFault(thinks())
  await ask(desk, '冬天水管怎么防冻？\n/simulate pace=10')
  await expect(lineOf(desk)).toHaveText(/秒$/)
  await desk.getByTestId('stop').click()
  await expect(desk.getByText(zhCN['ask.unanswered'])).toBeVisible()
  await desk.reload()
  await expect(desk.getByText(zhCN['ask.unanswered'])).toBeVisible()
  await expect(lineOf(desk)).toHaveCount(1)
  await desk.getByTestId('message-retry').click()
  await expect(desk.getByText(zhCN['ask.unanswered'])).toBeHidden()
  await desk.getByTestId('stop').click()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`nothing of thoughts stands in anybody's way, ${colorScheme}`, async ({ desk, portal }) => {
    await desk.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await desk.setViewportSize({ width: 390, height: 844 })
    portal.simulator.nextFault(thinks(true))
    await ask(desk, '冬天水管怎么防冻？')
    await lineOf(desk).click()
    await expect(step(desk)).toContainText('再想一遍')
    await checkAccessibility(desk)
  })
}
