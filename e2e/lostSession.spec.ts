import { signIn } from '#testing/person.ts'
import { expect, test } from './journey.ts'
import { answers, ask, countedWords, echo, TEXTS } from './steps.ts'

test('whoever signs out in another browser while an answer comes is told that it goes on, and finds it', async ({
  chatPage,
  person,
  portal,
  openPageFor,
}) => {
  await ask(chatPage, echo(countedWords(120), 40))
  await expect(answers(chatPage)).toContainText('w30')
  await person.call('POST', '/auth/logout')
  await expect(chatPage.getByText(TEXTS['zh-CN']['ask.goesOn'])).not.toHaveCount(0)
  await expect(chatPage.getByText(TEXTS['zh-CN']['ask.notCharged'])).toHaveCount(0)

  const back = await openPageFor({ ...person, ...(await signIn(portal.url, person.username, person.password)) })
  await back.goto(chatPage.url())
  await expect(answers(back)).toContainText('w119')
})
