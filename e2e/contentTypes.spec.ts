import type { Page } from '@playwright/test'
import { heatPump } from '#testing/webConversations/heatPump.ts'
import { odd } from '#testing/webConversations/odd.ts'
import { poster } from '#testing/webConversations/poster.ts'
import { weekend } from '#testing/webConversations/weekend.ts'
import { expect, test } from './journey.ts'
import { checkAccessibility, checkContrast } from './checkAccessibility.ts'
import { TEXTS } from './steps.ts'

const zhCN = TEXTS['zh-CN']
const step = (page: Page, title: string | RegExp) =>
  page.getByTestId('step').filter({ has: page.locator('summary', { hasText: title }) })

test('a conversation with everything the web source writes is read from history', async ({
  chatPage,
  person,
  portal,
}) => {
  await chatPage.goto(`/conversation?id=${await portal.had(person, heatPump)}`)

  await test.step('files that were sent, code that failed and was mended, a chart that is not there', async () => {
    await expect(chatPage.getByText('十月用电.csv')).toBeVisible()
    await expect(step(chatPage, zhCN['message.codeFailedRecovered'])).not.toHaveAttribute('open')
    await step(chatPage, zhCN['message.codeFailedRecovered']).locator('summary').click()
    await expect(chatPage.getByText(/KeyError: '用电'/)).toBeVisible()
    await expect(chatPage.getByText('图片 640 × 320')).toBeVisible()
  })

  await test.step('a table, a formula, sources in the text and below it', async () => {
    await expect(chatPage.getByRole('cell', { name: '电热水器' })).toBeVisible()
    await expect(chatPage.locator('.katex').first()).toBeVisible()
    await expect(chatPage.getByTestId('citation')).toHaveText(['1', '2', '1'])
    await chatPage.getByTestId('citation').nth(1).hover()
    await expect(chatPage.getByTestId('citation-card')).toContainText('lab.example.cn')
    await expect(chatPage.getByTestId('sources').getByRole('link')).toHaveCount(2)
  })

  await test.step('a file of the interpreter, which is gone', async () => {
    await chatPage.getByRole('button', { name: '下载 十月汇总.xlsx' }).click()
    await expect(chatPage.getByText(zhCN['errors.sandboxFileNotFound'])).toBeVisible()
  })
})

test('plugins, looking around, paintings and what nobody knows are read as well', async ({
  chatPage,
  person,
  portal,
}) => {
  await chatPage.goto(`/conversation?id=${await portal.had(person, weekend)}`)
  await step(chatPage, '搜索并读了 2 个网页').locator('summary').click()
  await expect(chatPage.getByRole('link', { name: 'Ferry timetable' })).toBeVisible()
  await step(chatPage, '用了 weather').locator('summary').click()
  await expect(chatPage.getByText(/"high": 21/)).toBeVisible()

  await chatPage.goto(`/conversation?id=${await portal.had(person, poster)}`)
  await expect(chatPage.getByTestId('pictures')).toHaveCount(2)
  await expect(chatPage.getByText(/按这段描述画的：清晨的梯田/)).toBeVisible()
  await expect(step(chatPage, zhCN['message.paintingFailed'])).toBeVisible()

  await chatPage.goto(`/conversation?id=${await portal.had(person, odd)}`)
  await expect(chatPage.getByText(/hologram|Model set context/)).toHaveCount(0)
  await expect(chatPage.getByText(zhCN['message.cutByLength'])).toBeVisible()
})

test('an answer is copied, shown as it was written and as its data', async ({ chatPage, person, portal, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await chatPage.goto(`/conversation?id=${await portal.had(person, weekend)}`)
  const answer = chatPage.getByTestId('message').last()
  await expect(answer.getByRole('list').first()).toBeVisible()
  await chatPage.getByTestId('message-copy').last().click()
  await expect(chatPage.getByRole('button', { name: zhCN['message.copied'] })).toBeVisible()
  expect(await chatPage.evaluate(() => navigator.clipboard.readText())).toContain(
    'from 6:15 am [1](https://www.penanghill.example/visit),',
  )
  await chatPage.getByRole('button', { name: zhCN['kit.more'] }).last().click()
  await chatPage.getByRole('menuitem', { name: zhCN['message.asWritten'] }).click()
  await expect(answer).toContainText('**Penang Hill**')
  await chatPage.getByRole('button', { name: zhCN['kit.more'] }).last().click()
  await chatPage.getByRole('menuitem', { name: zhCN['message.raw'] }).click()
  await expect(chatPage.getByTestId('message-raw')).toContainText('"invoked_plugin"')
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`nothing of it stands in anybody's way, ${colorScheme}`, async ({ chatPage, person, portal }) => {
    test.slow() // four whole conversations are checked
    const check = colorScheme === 'light' ? checkAccessibility : checkContrast
    await chatPage.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const history of [heatPump, weekend, poster, odd]) {
      await chatPage.goto(`/conversation?id=${await portal.had(person, history)}`)
      await expect(chatPage.getByTestId('step').first()).toBeVisible()
      await chatPage.getByTestId('step').evaluateAll(steps => {
        for (const step of steps) step.setAttribute('open', '')
      })
      await expect(chatPage.getByTestId('step').first().locator('pre, li').first()).toBeVisible()
      await check(chatPage)
    }
    await chatPage.goto(`/conversation?id=${await portal.had(person, heatPump)}`)
    await chatPage.getByTestId('citation').first().click()
    await expect(chatPage.getByTestId('citation-card').getByRole('link')).toBeFocused()
    await check(chatPage)
  })
}
