import { expect, test } from './journey.ts'
import { answers, ask, countedWords, echo, TEXTS, untilAnswered } from './steps.ts'

test.use({ warm: false })

const INTERRUPTED = TEXTS['zh-CN']['message.interrupted']

test('a server that dies in the middle of an answer leaves what had arrived, marked, and the person free to ask', async ({
  chatPage,
  portal,
  person,
}) => {
  await ask(chatPage, echo(countedWords(2_000), 40))
  // The process may lose the last quarter of a second of the answer, and no more.
  await expect(answers(chatPage)).toContainText('w30')
  await portal.kill()
  await expect(chatPage.getByText(/连接断了/)).toBeVisible()
  await portal.startAgain()

  const answer = answers(chatPage)
  await expect(answer).toContainText(INTERRUPTED)
  await expect(answer).toContainText(/^w0 w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 /)
  await expect(chatPage.getByText(INTERRUPTED)).toBeInViewport()
  await expect(chatPage.getByTestId('conversation-row')).toContainText('w1 w2')
  await expect(chatPage.getByRole('banner')).toContainText('w1 w2')
  await expect(chatPage.getByTestId('stop')).toBeHidden()
  expect(await person.result('GET', '/user/me')).toMatchObject({ setting: { openai_web_chat_status: 'idling' } })

  const kept = await answer.innerText()
  await chatPage.reload()
  await expect(answer).toHaveText(kept, { useInnerText: true })

  await ask(chatPage, '还在吗？')
  await untilAnswered(chatPage, 2)
  await expect(answers(chatPage).last()).not.toContainText(INTERRUPTED)
})

test('an answer that a dying server broke off is said to be interrupted in the list, while another conversation is read', async ({
  chatPage,
  portal,
}) => {
  await ask(chatPage, '几点了')
  await untilAnswered(chatPage)
  const { searchParams } = new URL(chatPage.url())
  await chatPage.goto('/conversation')
  await ask(chatPage, echo(countedWords(2_000), 40))
  await expect(answers(chatPage)).toContainText('w30')
  await chatPage.locator(`[data-conversation-id="${searchParams.get('id') ?? ''}"] a`).click()
  await expect(answers(chatPage)).not.toContainText('w30')
  await portal.kill()
  await portal.startAgain()
  await expect(
    chatPage.getByTestId('conversation-row').filter({ hasText: TEXTS['zh-CN']['conversations.interrupted'] }),
  ).toHaveCount(1)
  await expect(chatPage.getByText(TEXTS['zh-CN']['conversations.answered'])).toHaveCount(0)
})

test('nobody is signed out by a restart, and a draft is still there', async ({ chatPage, portal }) => {
  await chatPage.getByTestId('composer').fill('写到一半')
  await portal.startAgain()
  await chatPage.reload()
  await expect(chatPage.getByTestId('composer')).toHaveValue('写到一半')
  await chatPage.getByTestId('send').click()
  await untilAnswered(chatPage)
})
