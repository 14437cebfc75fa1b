import { expect, test } from './journey.ts'
import {
  answers,
  ask,
  conversationId,
  countedWords,
  echo,
  questions,
  seeItGrow,
  TEXTS,
  untilAnswered,
} from './steps.ts'

const zh = TEXTS['zh-CN']

test('a question is edited, its answer given again, both ways walked, and the one chosen is there after a reload and on another device', async ({
  desk,
  person,
  openPageFor,
}) => {
  await ask(desk, echo('第一个问题', 0))
  await untilAnswered(desk)
  await ask(desk, echo('接着问', 0))
  await untilAnswered(desk, 2)

  await questions(desk).first().hover()
  await desk.getByTestId('message-edit').first().click()
  const editor = desk.getByTestId('message-editor')
  await expect(editor).toBeFocused()
  await editor.fill(echo('换个开头', 0))
  await desk.keyboard.press('Enter')
  await expect(questions(desk)).toHaveText([/换个开头/])
  await untilAnswered(desk)

  await desk.getByTestId('message-regenerate').click()
  await expect(desk.getByRole('group', { name: zh['branches.versions'] })).toHaveText(['2 / 2', '2 / 2'])
  await untilAnswered(desk)

  await desk.getByTestId('branch-previous').first().click()
  await expect(questions(desk)).toHaveText([/第一个问题/, /接着问/])
  await expect(desk.getByTestId('branch-previous').first()).toBeFocused()
  await expect(desk.getByTestId('branch-previous').first()).toBeDisabled()
  await desk.reload()
  await expect(questions(desk)).toHaveText([/第一个问题/, /接着问/])

  const elsewhere = await openPageFor(person)
  await elsewhere.goto(`/conversation?id=${conversationId(desk)}`)
  await expect(questions(elsewhere)).toHaveText([/第一个问题/, /接着问/])
  await elsewhere.getByTestId('branch-next').first().focus()
  await elsewhere.keyboard.press('ArrowRight')
  await expect(questions(elsewhere)).toHaveText([/换个开头/])
  await elsewhere.reload()
  await expect(questions(elsewhere)).toHaveText([/换个开头/])
  await expect(answers(elsewhere)).toHaveCount(1)
})

test('a branch that is chosen without a network is the chosen one after it is back', async ({ desk }) => {
  await ask(desk, echo('第一个问题', 0))
  await untilAnswered(desk)
  const first = (await answers(desk).getAttribute('data-message-id')) ?? ''
  await desk.getByTestId('message-regenerate').click()
  await expect(desk.getByTestId('branch-next')).toBeVisible()
  await untilAnswered(desk)
  await desk.context().setOffline(true)
  await desk.getByTestId('branch-previous').click()
  await expect(answers(desk)).toHaveAttribute('data-message-id', first)
  await desk.context().setOffline(false)
  await desk.reload()
  await expect(answers(desk)).toHaveAttribute('data-message-id', first)
})

test('an answer is given again by another model', async ({ desk }) => {
  await ask(desk, '你好')
  await untilAnswered(desk)
  await desk.getByRole('button', { name: zh['branches.otherModel'] }).click()
  await desk.getByRole('menuitemradio').nth(1).click()
  const versions = desk.getByRole('group', { name: zh['branches.versions'] })
  await expect(versions).toHaveText('2 / 2')
  await untilAnswered(desk)
  const row = versions.locator('..')
  const second = await row.innerText()
  await desk.getByTestId('branch-previous').click()
  await expect(versions).toHaveText('1 / 2')
  expect(await row.innerText()).not.toBe(second.replace('2 / 2', '1 / 2'))
})

test('what is withdrawn goes back to where it was written, with its answer off the page for good', async ({ desk }) => {
  await ask(desk, echo('第一个问题', 0))
  await untilAnswered(desk)
  await ask(desk, '不该问的')
  await untilAnswered(desk, 2)
  await desk.getByTestId('composer').fill('写了一半')
  await desk.getByTestId('message-withdraw').last().click()
  await desk.getByRole('dialog').getByRole('button', { name: zh['ask.withdraw'] }).click()
  await expect(questions(desk)).toHaveText([/第一个问题/])
  await expect(desk.getByTestId('composer')).toHaveValue('不该问的\n\n写了一半')
  await desk.reload()
  await expect(questions(desk)).toHaveText([/第一个问题/])
  await expect(desk.getByTestId('composer')).toHaveValue('不该问的\n\n写了一半')
})

test('from an answer one goes on in a new conversation, and the old one stays as it was', async ({ desk }) => {
  await ask(desk, echo('第一个问题', 0))
  await untilAnswered(desk)
  await ask(desk, echo('第二个问题', 0))
  await untilAnswered(desk, 2)
  const old = conversationId(desk)
  await desk.getByTestId('message-fork').first().click()
  await expect.poll(() => conversationId(desk)).not.toBe(old)
  await expect(questions(desk)).toHaveText([/第一个问题/])
  await ask(desk, echo('另一条路', 0))
  await untilAnswered(desk, 2)
  await expect(desk.getByTestId('conversation-row')).toHaveCount(2)
  await desk.goto(`/conversation?id=${old}`)
  await expect(questions(desk)).toHaveText([/第一个问题/, /第二个问题/])
})

test('a link to a message leads along its branch', async ({ desk }) => {
  await ask(desk, echo('第一个问题', 0))
  await untilAnswered(desk)
  const first = await answers(desk).getAttribute('data-message-id')
  await desk.getByTestId('message-regenerate').click()
  await expect(desk.getByTestId('branch-next')).toBeVisible()
  await untilAnswered(desk)
  await expect(answers(desk)).not.toHaveAttribute('data-message-id', first ?? '')
  await desk.goto(`/conversation?id=${conversationId(desk)}#${first ?? ''}`)
  await expect(answers(desk)).toHaveAttribute('data-message-id', first ?? '')
})

test('a first question that failed is answered in its place, in the same conversation', async ({ desk, portal }) => {
  portal.simulator.nextFault({ kind: 'status', status: 500 })
  await ask(desk, '木头为什么会裂？')
  await expect(desk.getByText(zh['errors.openai.500'])).toBeVisible()
  const id = conversationId(desk)
  await desk.reload()
  await expect(desk.getByText(zh['errors.openai.500'])).toBeVisible()
  await desk.getByTestId('message-retry').click()
  await untilAnswered(desk)
  expect(conversationId(desk)).toBe(id)
  await desk.reload()
  await expect(questions(desk)).toHaveText(['木头为什么会裂？'])
  await expect(answers(desk)).toHaveCount(1)
  await expect(desk.getByTestId('branch-next')).toHaveCount(0)
})

test('a further answer is taken up again after a reload, and stands beside the first', async ({ desk }) => {
  await ask(desk, echo(countedWords(150), 0))
  await untilAnswered(desk)
  await desk.getByTestId('message-regenerate').click()
  await expect(desk.getByTestId('branch-next')).toBeVisible()
  await untilAnswered(desk)
  await ask(desk, echo(countedWords(400, 'x'), 0))
  await untilAnswered(desk, 2)
  await desk.getByTestId('message-edit').last().click()
  await desk.getByTestId('message-editor').fill(echo(countedWords(300, 'y'), 60))
  await desk.getByTestId('message-edit-send').click()
  await seeItGrow(desk)
  await desk.reload()
  await seeItGrow(desk)
  await expect(questions(desk).last()).toContainText('y0')
  await untilAnswered(desk, 2)
  await expect(answers(desk).last()).toContainText('y299')
  await expect(desk.getByTestId('branch-previous')).toHaveCount(2)
})

test('the switch stays under the pointer, however long the branches are', async ({ desk }) => {
  await ask(desk, echo(countedWords(900), 0))
  await untilAnswered(desk)
  await ask(desk, echo('短', 0))
  await untilAnswered(desk, 2)
  for (const text of [countedWords(1200, 'v'), countedWords(60, 'u')]) {
    await ask(desk, echo(text, 0))
    await desk.getByTestId('stop').waitFor({ state: 'hidden' })
  }
  await untilAnswered(desk, 4)
  await desk.getByTestId('message-edit').nth(1).click()
  await desk.getByTestId('message-editor').fill(echo('另一个短的', 0))
  await desk.getByTestId('message-edit-send').click()
  await untilAnswered(desk, 2)
  for (const [step, count] of [
    ['previous', 4],
    ['next', 2],
    ['previous', 4],
  ] as const) {
    const button = desk.getByTestId(`branch-${step}`)
    const before = await button.boundingBox()
    await button.click()
    await expect(answers(desk)).toHaveCount(count)
    await expect.poll(async () => Math.abs(((await button.boundingBox())?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(4)
  }
})
