import type { Page } from '@playwright/test'
import type { RateLimit } from '#contract/limits.ts'
import { expect, test } from './journey.ts'
import type { Account, Portal } from './startPortal.ts'
import { answers, ask, openDialog, questions, seeItGrow, TEXTS, untilAnswered } from './steps.ts'

const zhCN = TEXTS['zh-CN']

test.use({
  portalOptions: {
    environment: { COMMONS_OPENAI_API_MAX_COMPLETION_CONCURRENCY: '1', COMMONS_OPENAI_API_SHARED_LIMIT: '50' },
  },
})

const LONG = '/simulate tokens=3000 pace=30'

async function bound(portal: Portal, { id }: Account, openai_api: { rate_limits: RateLimit[] }): Promise<void> {
  await (await portal.admin()).result('PATCH', `/user/${id}/setting`, { openai_api })
}

type Journey = { chatPage: Page; openPageFor(account: Account): Promise<Page>; portal: Portal }

/** While a long answer to the first person grows, a second person asks and is first in the queue. */
async function secondInQueue({ chatPage, openPageFor, portal }: Journey, words: string): Promise<Page> {
  await ask(chatPage, LONG)
  await seeItGrow(chatPage)
  const second = await openPageFor(await portal.person())
  await ask(second, words)
  await expect(second.getByText('第 1 位').first()).toBeVisible()
  return second
}

const meterOf = (page: Page) => page.getByTestId('shared-meter')

test('everybody sees who is being answered, who waits, and what of the limit is used', async ({
  chatPage,
  openPageFor,
  portal,
}) => {
  const second = await openPageFor(await portal.person())
  await expect(meterOf(second)).toContainText(zhCN['meter.free'])
  await ask(chatPage, LONG)
  await seeItGrow(chatPage)
  await expect(meterOf(chatPage)).toContainText('1 人在回复，没有人在等')
  await expect(meterOf(second)).toContainText('1 人在回复，没有人在等')

  await ask(second, '轮到我了吗？')
  await expect(meterOf(second)).toContainText('1 人在回复，1 人在等')
  await second.getByTestId('meter-details').click()
  const line = second.getByTestId('meter-popover').getByRole('listitem')
  await expect(line).toHaveText([new RegExp(zhCN['meter.somebody']), /你.*第 1 位/])
  await second.keyboard.press('Escape')

  await chatPage.getByTestId('stop').click()
  await untilAnswered(second)
  await expect(meterOf(second)).toContainText(zhCN['meter.free'])
  await expect(meterOf(chatPage)).toHaveAttribute(
    'aria-valuetext',
    new RegExp(`^3小时内已用 2 / 50，\\d\\d:\\d\\d 起陆续恢复，${zhCN['meter.free']}$`),
  )
})

test('a full window says so over the composer, counts down, and lets one ask again by itself', async ({
  chatPage,
  person,
  portal,
}) => {
  await bound(portal, person, { rate_limits: [{ window_seconds: 30, max_requests: 1 }] })
  await chatPage.reload()
  await expect(chatPage.getByTestId('allowance')).toContainText('还可问 1 次')
  await ask(chatPage, '第一个问题')
  await untilAnswered(chatPage)
  const head = chatPage.getByTestId('limit-head')
  await expect(head).toContainText('30秒内的 1 次用完了')
  await expect(chatPage.getByTestId('countdown')).toHaveText(/^0:\d\d$/)
  await chatPage.getByTestId('composer').fill('第二个问题')
  await expect(chatPage.getByTestId('send')).toBeDisabled()

  await expect(head).toBeHidden({ timeout: 60_000 })
  await expect(chatPage.getByTestId('composer')).toHaveValue('第二个问题')
  await expect(questions(chatPage)).toHaveCount(1)
  await chatPage.getByTestId('send').click()
  await untilAnswered(chatPage, 2)
})

test('a limit that came meanwhile leads to the same words, with the question back in its place', async ({
  chatPage,
  person,
  portal,
}) => {
  await ask(chatPage, '第一个问题')
  await untilAnswered(chatPage)
  await bound(portal, person, { rate_limits: [{ window_seconds: 3600, max_requests: 1 }] })
  await ask(chatPage, '第二个问题')
  await expect(chatPage.getByTestId('limit-head')).toContainText('1小时内的 1 次用完了')
  await expect(chatPage.getByTestId('composer')).toHaveValue('第二个问题')
  await expect(questions(chatPage)).toHaveText(['第一个问题'])
  await expect(answers(chatPage)).toHaveCount(1)

  const profile = await openDialog(chatPage, 'zh-CN', 'userMenu.profile')
  await expect(profile.getByText('每小时', { exact: true })).toBeVisible()
  await expect(profile.getByText(zhCN['allowance.usedUp'])).toBeVisible()
})

test('with one seat the second person sees their place, and then their answer by itself', async ({
  chatPage,
  openPageFor,
  portal,
}) => {
  const second = await secondInQueue({ chatPage, openPageFor, portal }, '轮到我了吗？')
  await expect(second.getByText(zhCN['ask.queueText'])).toBeVisible()
  await expect(second.getByTestId('conversation-row')).toContainText(/第 1 位|排队中/)

  await chatPage.getByTestId('stop').click()
  await untilAnswered(second)
  await expect(second.getByText(zhCN['ask.queueText'])).toBeHidden()
  await expect(questions(second)).toHaveText('轮到我了吗？')
})

test('somebody who leaves the line makes room for whoever waits behind', async ({ chatPage, openPageFor, portal }) => {
  const second = await secondInQueue({ chatPage, openPageFor, portal }, '我先走了')
  const third = await openPageFor(await portal.person())
  await ask(third, '我再等等')
  await expect(third.getByText('第 2 位').first()).toBeVisible()

  await second.getByRole('button', { name: zhCN['ask.leaveQueue'] }).click()
  await expect(second.getByText(zhCN['ask.unanswered'])).toBeVisible()
  await expect(third.getByText('第 1 位').first()).toBeVisible()
  await chatPage.getByTestId('stop').click()
  await untilAnswered(third)
  await expect(answers(second)).toHaveCount(0)
})

test('in another conversation it is told of as well when the page is loaded anew', async ({
  chatPage,
  openPageFor,
  portal,
}) => {
  const second = await secondInQueue({ chatPage, openPageFor, portal }, '我还在排队')
  await second.goto('/conversation')
  await expect(second.getByTestId('conversation-row')).toContainText('第 1 位')
  await expect(questions(second)).toHaveCount(0)
  await chatPage.getByTestId('stop').click()
  await expect(second.getByTestId('conversation-row')).toContainText(zhCN['conversations.answered'])
})

test('a place is kept while the page is loaded anew', async ({ chatPage, openPageFor, portal }) => {
  const second = await secondInQueue({ chatPage, openPageFor, portal }, '我还在排队')
  await second.reload()
  await expect(second.getByText('第 1 位').first()).toBeVisible()
  await chatPage.getByTestId('stop').click()
  await untilAnswered(second)
})
