import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import type { ConversationHistory } from '#contract/conversations.ts'
import { expect, test } from './journey.ts'
import { checkAccessibility } from './checkAccessibility.ts'
import { ask, conversationId, newConversation, TEXTS, untilAnswered } from './steps.ts'

test.use({ portalOptions: { web: 'arkose' } })

const zhCN = TEXTS['zh-CN']
const INTERPRETER = { source: 'openai_web', model: 'gpt_4_code_interpreter' } as const

const runs = (page: Page) => page.locator('[data-testid=step][data-kind=code]')
const picture = (page: Page) => page.getByTestId('pictures').locator('img')
const file = (page: Page) => page.getByRole('button', { name: '下载 汇总.csv' })

/** The picture has been read, and not from another host (journey.ts). */
async function expectPicture(page: Page): Promise<void> {
  await expect.poll(() => picture(page).evaluate(img => (img as HTMLImageElement).naturalWidth)).toBeGreaterThan(0)
}

async function download(page: Page): Promise<{ name: string; text: string }> {
  const [saved] = await Promise.all([page.waitForEvent('download'), file(page).click()])
  return { name: saved.suggestedFilename(), text: await readFile(await saved.path(), 'utf8') }
}

test('a run of code is shown with its error, its picture, its file and how long it is kept', async ({
  chatPage,
  portal,
  person,
}) => {
  test.slow()
  await newConversation(chatPage, INTERPRETER)
  await test.step('while it is answered, and once it is', async () => {
    await ask(chatPage, '把这周的数字画成图\n/simulate shape=interpreter-error pace=60')
    // Two texts, with runs of code between them.
    await untilAnswered(chatPage, 2)
    await expect(runs(chatPage)).toHaveCount(2)
    await runs(chatPage).first().locator('summary').click()
    await expect(runs(chatPage).first()).toContainText("KeyError: 'amount'")
    await expectPicture(chatPage)
    await expect(chatPage.getByTestId('interpreter-time')).toContainText('30')
  })
  const id = conversationId(chatPage)
  const saved = await download(chatPage)
  expect(saved.name).toBe('汇总.csv')
  expect(saved.text).toMatch(/^日期,数量\n周一,\d+/)

  await test.step('after a reload, and in the viewer', async () => {
    await chatPage.reload()
    await expectPicture(chatPage)
    await expect(chatPage.getByTestId('interpreter-time')).toBeVisible()
    await checkAccessibility(chatPage)
    expect(await download(chatPage)).toEqual(saved)
    await chatPage.goto(`/conv/${id}`)
    await expectPicture(chatPage)
    expect(await download(chatPage)).toEqual(saved)
  })

  await test.step('the file is gone', async () => {
    for (const account of portal.simulator.web.accounts())
      for (const conversation of account.conversations.values()) conversation.sandbox = {}
    await file(chatPage).click()
    await expect(chatPage.getByText(zhCN['errors.sandboxFileNotFound'])).toBeVisible()
    const { current_node } = await person.result<ConversationHistory>('GET', `/conv/${id}`)
    const query = new URLSearchParams({ message_id: current_node ?? '', sandbox_path: '/mnt/data/汇总.csv' })
    // What a client of the original product looks for.
    expect(await person.call('GET', `/conv/${id}/interpreter/download-url?${query}`)).toMatchObject({
      code: 404,
      message: 'errors.resourceNotFound',
    })
  })
})

const tokenOf = (asked: { body: unknown } | undefined): unknown =>
  (asked?.body as { arkose_token?: unknown } | undefined)?.arkose_token // the simulator keeps it as it came

test('a question to the web service goes with an Arkose token, and without one where none is to be had', async ({
  chatPage,
  portal,
  openPageFor,
}) => {
  test.slow()
  const { arkose, journal } = portal.simulator
  arkose.tokens.length = 0
  const asked = () => journal.filter(({ path }) => path.endsWith('/conversation')).at(-1)
  await newConversation(chatPage, { source: 'openai_web', model: 'gpt_3_5' })
  await test.step('the token is fetched in a frame without an origin', async () => {
    await ask(chatPage, '你好')
    await untilAnswered(chatPage)
    expect(arkose.tokens).toHaveLength(1)
    expect(tokenOf(asked())).toBe(arkose.tokens[0])
    await expect(chatPage.locator('iframe')).toHaveCount(0)
  })
  await test.step('an endpoint that fails keeps nobody from asking, and is told of once', async () => {
    for (const [at, fault] of (['script', 'enforcement'] as const).entries()) {
      arkose.fault = fault
      await ask(chatPage, '再来')
      await untilAnswered(chatPage, at + 2)
      expect(tokenOf(asked())).toBe(null)
      await expect(chatPage.getByText(zhCN['asking.withoutArkose'])).toHaveCount(1)
    }
    arkose.fault = null
  })
  await test.step('what the endpoint wants solved is shown, and may be left', async () => {
    arkose.fault = 'puzzle'
    const puzzle = chatPage.getByRole('dialog', { name: zhCN['asking.arkosePuzzle'] })
    await ask(chatPage, '解题')
    await expect(puzzle).toBeVisible()
    await checkAccessibility(chatPage)
    await puzzle.locator('iframe').contentFrame().getByRole('button').click()
    await untilAnswered(chatPage, 4)
    expect(tokenOf(asked())).toBe(arkose.tokens.at(-1))
    await ask(chatPage, '跳过')
    await puzzle.getByRole('button', { name: zhCN['asking.arkoseSkip'] }).click()
    await untilAnswered(chatPage, 5)
    expect(tokenOf(asked())).toBe(null)
    await expect(puzzle).toHaveCount(0)
    arkose.fault = null
  })
  await test.step('other questions need none', async () => {
    const { length } = arkose.tokens
    await newConversation(chatPage, { source: 'openai_api', model: 'gpt_4' })
    await ask(chatPage, '你好')
    await untilAnswered(chatPage)
    expect(arkose.tokens).toHaveLength(length)
  })
  await test.step('an administrator tries it', async () => {
    const page = await openPageFor(await portal.admin())
    await page.goto('/admin/config?words=arkose')
    const test = page.getByRole('button', { name: zhCN['settings.arkose.test'] })
    await test.click()
    await expect(page.getByText(/取得了令牌：.{8}…/)).toBeVisible()
    await checkAccessibility(page)
    arkose.fault = 'script'
    await test.click()
    await expect(page.getByText(zhCN['settings.arkose.script'])).toBeVisible()
    arkose.fault = null
  })
})
