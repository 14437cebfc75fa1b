import { expect, test } from './journey.ts'
import { answers, ask, conversationId, countedWords, echo, seeItGrow, TEXTS, untilAnswered } from './steps.ts'

const MARK = TEXTS['zh-CN']['message.stopped']

test('a stopped answer keeps its text and says that it was stopped, and one can ask again', async ({
  chatPage,
  portal,
}) => {
  await ask(chatPage, echo(countedWords(2_000), 40))
  await seeItGrow(chatPage)
  const answer = answers(chatPage).last()
  await expect(answer).toContainText('w2 w')
  await chatPage.getByTestId('stop').click()
  await expect(answer).toContainText(MARK)
  await expect(chatPage.getByTestId('stop')).toBeHidden()
  // The request to the upstream is aborted.
  await portal.simulator.waitFor(({ ended }) => ended === 'aborted')

  const kept = await answer.innerText()
  expect(kept).toMatch(/^w0 w1 w2/)
  await chatPage.reload()
  await expect(answer).toHaveText(kept, { useInnerText: true })
  expect(conversationId(chatPage)).not.toBe('')

  await ask(chatPage, '换个短的')
  await untilAnswered(chatPage, 2)
  await expect(answers(chatPage).last()).not.toContainText(MARK)
})

test('a question stopped before any text came can be asked again', async ({ chatPage, portal }) => {
  portal.simulator.nextFault({ kind: 'silence' })
  await ask(chatPage, '你在吗？')
  await portal.simulator.waitFor(({ ended, body }) => ended === 'open' && JSON.stringify(body).includes('你在吗'))
  await chatPage.getByTestId('stop').click()
  await expect(chatPage.getByText(TEXTS['zh-CN']['ask.unanswered'])).toBeVisible()
  await chatPage.getByRole('button', { name: TEXTS['zh-CN']['ask.retry'] }).click()
  await untilAnswered(chatPage)
  await expect(chatPage.getByTestId('message')).toHaveCount(2)
})
