import { expect, test } from './journey.ts'
import { answers, ask, conversationId, countedWords, echo, seeItGrow, TEXTS, untilAnswered } from './steps.ts'

const MARK = TEXTS['zh-CN']['message.stopped']

test('a stopped answer keeps its text and says that it was stopped, and one can ask again', async ({
  desk,
  portal,
}) => {
  await ask(desk, echo(countedWords(2_000), 40))
  await seeItGrow(desk)
  const answer = answers(desk).last()
  await expect(answer).toContainText('w2 w')
  await desk.getByTestId('stop').click()
  await expect(answer).toContainText(MARK)
  await expect(desk.getByTestId('stop')).toBeHidden()
  // The upstream is not left writing.
  await portal.simulator.waitFor(({ ended }) => ended === 'aborted')

  const kept = await answer.innerText()
  expect(kept).toMatch(/^w0 w1 w2/)
  await desk.reload()
  await expect(answer).toHaveText(kept, { useInnerText: true })
  expect(conversationId(desk)).not.toBe('')

  await ask(desk, '换个短的')
  await untilAnswered(desk, 2)
  await expect(answers(desk).last()).not.toContainText(MARK)
})

test('a question stopped before any text came can be asked again', async ({ desk, portal }) => {
  portal.simulator.nextFault({ kind: 'silence' })
  await ask(desk, '你在吗？')
  await portal.simulator.waitFor(({ ended, body }) => ended === 'open' && JSON.stringify(body).includes('你在吗'))
  await desk.getByTestId('stop').click()
  await expect(desk.getByText(TEXTS['zh-CN']['ask.unanswered'])).toBeVisible()
  await desk.getByRole('button', { name: TEXTS['zh-CN']['ask.retry'] }).click()
  await untilAnswered(desk)
  await expect(desk.getByTestId('message')).toHaveCount(2)
})
