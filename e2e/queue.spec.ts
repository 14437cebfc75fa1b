import { expect, test } from './journey.ts'
import { answers, ask, countedWords, echo, questions, seeItGrow, TEXTS, untilAnswered } from './steps.ts'

const zhCN = TEXTS['zh-CN']

test.use({ portalOptions: { environment: { COMMONS_OPENAI_API_MAX_COMPLETION_CONCURRENCY: '1' } } })

const LONG = echo(countedWords(3_000), 30)

test('with one seat the second person sees their place, and then their answer by itself', async ({
  chatPage,
  openPageFor,
  portal,
}) => {
  await ask(chatPage, LONG)
  await seeItGrow(chatPage)
  const second = await openPageFor(await portal.person())
  await ask(second, '轮到我了吗？')
  await expect(second.getByText('第 1 位').first()).toBeVisible()
  await expect(second.getByText(zhCN['ask.queueText'])).toBeVisible()
  await expect(second.getByTestId('conversation-row')).toContainText(/第 1 位|排队中/)

  await chatPage.getByTestId('stop').click()
  await untilAnswered(second)
  await expect(second.getByText(zhCN['ask.queueText'])).toBeHidden()
  await expect(questions(second)).toHaveText('轮到我了吗？')
})

test('somebody who leaves the line makes room for whoever waits behind', async ({ chatPage, openPageFor, portal }) => {
  await ask(chatPage, LONG)
  await seeItGrow(chatPage)
  const second = await openPageFor(await portal.person())
  await ask(second, '我先走了')
  await expect(second.getByText('第 1 位').first()).toBeVisible()
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
  await ask(chatPage, LONG)
  await seeItGrow(chatPage)
  const second = await openPageFor(await portal.person())
  await ask(second, '我还在排队')
  await expect(second.getByText('第 1 位').first()).toBeVisible()
  await second.goto('/conversation')
  await expect(second.getByTestId('conversation-row')).toContainText('第 1 位')
  await expect(questions(second)).toHaveCount(0)
  await chatPage.getByTestId('stop').click()
  await expect(second.getByTestId('conversation-row')).toContainText(zhCN['conversations.answered'])
})

test('a place is kept while the page is loaded anew', async ({ chatPage, openPageFor, portal }) => {
  await ask(chatPage, LONG)
  await seeItGrow(chatPage)
  const second = await openPageFor(await portal.person())
  await ask(second, '我还在排队')
  await expect(second.getByText('第 1 位').first()).toBeVisible()
  await second.reload()
  await expect(second.getByText('第 1 位').first()).toBeVisible()
  await chatPage.getByTestId('stop').click()
  await untilAnswered(second)
})
