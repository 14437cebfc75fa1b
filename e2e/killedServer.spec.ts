import { expect, test } from './journey.ts'
import { answers, ask, countedWords, echo, TEXTS, untilAnswered } from './steps.ts'

const INTERRUPTED = TEXTS['zh-CN']['message.interrupted']

test('a server that dies in the middle of an answer leaves what had arrived, marked, and the person free to ask', async ({
  desk,
  portal,
  person,
}) => {
  await ask(desk, echo(countedWords(2_000), 40))
  // The last quarter of a second may be lost with the process, and no more.
  await expect(answers(desk)).toContainText('w30')
  await portal.kill()
  await expect(desk.getByText(/连接断了/)).toBeVisible()
  await portal.startAgain()

  const answer = answers(desk)
  await expect(answer).toContainText(INTERRUPTED)
  await expect(answer).toContainText(/^w0 w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 /)
  await expect(desk.getByText(INTERRUPTED)).toBeInViewport()
  await expect(desk.getByTestId('conversation-row')).toContainText('w1 w2')
  await expect(desk.getByRole('banner')).toContainText('w1 w2')
  await expect(desk.getByTestId('stop')).toBeHidden()
  expect(await person.result('GET', '/user/me')).toMatchObject({ setting: { openai_web_chat_status: 'idling' } })

  const kept = await answer.innerText()
  await desk.reload()
  await expect(answer).toHaveText(kept, { useInnerText: true })

  await ask(desk, '还在吗？')
  await untilAnswered(desk, 2)
  await expect(answers(desk).last()).not.toContainText(INTERRUPTED)
})

test('an answer that a dying server broke off is said to be interrupted in the list, while another conversation is read', async ({
  desk,
  portal,
}) => {
  await ask(desk, '几点了')
  await untilAnswered(desk)
  const { searchParams } = new URL(desk.url())
  await desk.goto('/conversation')
  await ask(desk, echo(countedWords(2_000), 40))
  await expect(answers(desk)).toContainText('w30')
  await desk.locator(`[data-conversation-id="${searchParams.get('id') ?? ''}"] a`).click()
  await expect(answers(desk)).not.toContainText('w30')
  await portal.kill()
  await portal.startAgain()
  await expect(
    desk.getByTestId('conversation-row').filter({ hasText: TEXTS['zh-CN']['conversations.interrupted'] }),
  ).toHaveCount(1)
  await expect(desk.getByText(TEXTS['zh-CN']['conversations.answered'])).toHaveCount(0)
})

test('nobody is signed out by a restart, and a draft is still there', async ({ desk, portal }) => {
  await desk.getByTestId('composer').fill('写到一半')
  await portal.startAgain()
  await desk.reload()
  await expect(desk.getByTestId('composer')).toHaveValue('写到一半')
  await desk.getByTestId('send').click()
  await untilAnswered(desk)
})
