import { signIn } from '#testing/person.ts'
import { expect, test } from './journey.ts'
import { answers, ask, countedWords, echo, TEXTS } from './steps.ts'

test('whoever signs out elsewhere while an answer comes is told that it goes on, and finds it', async ({
  desk,
  person,
  portal,
  openPageFor,
}) => {
  await ask(desk, echo(countedWords(120), 40))
  await expect(answers(desk)).toContainText('w30')
  await person.call('POST', '/auth/logout')
  await expect(desk.getByText(TEXTS['zh-CN']['ask.goesOn'])).not.toHaveCount(0)
  await expect(desk.getByText(TEXTS['zh-CN']['ask.notCharged'])).toHaveCount(0)

  const back = await openPageFor({ ...person, ...(await signIn(portal.url, person.username, person.password)) })
  await back.goto(desk.url())
  await expect(answers(back)).toContainText('w119')
})
