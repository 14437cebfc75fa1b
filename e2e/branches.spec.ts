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
  chatPage,
  person,
  openPageFor,
}) => {
  await ask(chatPage, echo('第一个问题', 0))
  await untilAnswered(chatPage)
  await ask(chatPage, echo('接着问', 0))
  await untilAnswered(chatPage, 2)

  await questions(chatPage).first().hover()
  await chatPage.getByTestId('message-edit').first().click()
  const editor = chatPage.getByTestId('message-editor')
  await expect(editor).toBeFocused()
  await editor.fill(echo('换个开头', 0))
  await chatPage.keyboard.press('Enter')
  await expect(questions(chatPage)).toHaveText([/换个开头/])
  await untilAnswered(chatPage)

  await chatPage.getByTestId('message-regenerate').click()
  await expect(chatPage.getByRole('group', { name: zh['branches.versions'] })).toHaveText(['2 / 2', '2 / 2'])
  await untilAnswered(chatPage)

  await chatPage.getByTestId('branch-previous').first().click()
  await expect(questions(chatPage)).toHaveText([/第一个问题/, /接着问/])
  await expect(chatPage.getByTestId('branch-previous').first()).toBeFocused()
  await expect(chatPage.getByTestId('branch-previous').first()).toBeDisabled()
  await chatPage.reload()
  await expect(questions(chatPage)).toHaveText([/第一个问题/, /接着问/])

  const otherBrowser = await openPageFor(person)
  await otherBrowser.goto(`/conversation?id=${conversationId(chatPage)}`)
  await expect(questions(otherBrowser)).toHaveText([/第一个问题/, /接着问/])
  await otherBrowser.getByTestId('branch-next').first().focus()
  await otherBrowser.keyboard.press('ArrowRight')
  await expect(questions(otherBrowser)).toHaveText([/换个开头/])
  await otherBrowser.reload()
  await expect(questions(otherBrowser)).toHaveText([/换个开头/])
  await expect(answers(otherBrowser)).toHaveCount(1)
})

test('a branch that is chosen without a network is the chosen one after it is back', async ({ chatPage }) => {
  await ask(chatPage, echo('第一个问题', 0))
  await untilAnswered(chatPage)
  const first = (await answers(chatPage).getAttribute('data-message-id')) ?? ''
  await chatPage.getByTestId('message-regenerate').click()
  await expect(chatPage.getByTestId('branch-next')).toBeVisible()
  await untilAnswered(chatPage)
  await chatPage.context().setOffline(true)
  await chatPage.getByTestId('branch-previous').click()
  await expect(answers(chatPage)).toHaveAttribute('data-message-id', first)
  await chatPage.context().setOffline(false)
  await chatPage.reload()
  await expect(answers(chatPage)).toHaveAttribute('data-message-id', first)
})

test('an answer is given again by another model', async ({ chatPage }) => {
  await ask(chatPage, '你好')
  await untilAnswered(chatPage)
  await chatPage.getByRole('button', { name: zh['branches.otherModel'] }).click()
  await chatPage.getByRole('menuitemradio').nth(1).click()
  const versions = chatPage.getByRole('group', { name: zh['branches.versions'] })
  await expect(versions).toHaveText('2 / 2')
  await untilAnswered(chatPage)
  const row = versions.locator('..')
  const second = await row.innerText()
  await chatPage.getByTestId('branch-previous').click()
  await expect(versions).toHaveText('1 / 2')
  expect(await row.innerText()).not.toBe(second.replace('2 / 2', '1 / 2'))
})

test('what is withdrawn goes back to where it was written, with its answer off the page for good', async ({
  chatPage,
}) => {
  await ask(chatPage, echo('第一个问题', 0))
  await untilAnswered(chatPage)
  await ask(chatPage, '不该问的')
  await untilAnswered(chatPage, 2)
  await chatPage.getByTestId('composer').fill('写了一半')
  await chatPage.getByTestId('message-withdraw').last().click()
  await chatPage.getByRole('dialog').getByRole('button', { name: zh['ask.withdraw'] }).click()
  await expect(questions(chatPage)).toHaveText([/第一个问题/])
  await expect(chatPage.getByTestId('composer')).toHaveValue('不该问的\n\n写了一半')
  await chatPage.reload()
  await expect(questions(chatPage)).toHaveText([/第一个问题/])
  await expect(chatPage.getByTestId('composer')).toHaveValue('不该问的\n\n写了一半')
})

test('from an answer one goes on in a new conversation, and the old one stays as it was', async ({ chatPage }) => {
  await ask(chatPage, echo('第一个问题', 0))
  await untilAnswered(chatPage)
  await ask(chatPage, echo('第二个问题', 0))
  await untilAnswered(chatPage, 2)
  const old = conversationId(chatPage)
  await chatPage.getByTestId('message-fork').first().click()
  await expect.poll(() => conversationId(chatPage)).not.toBe(old)
  await expect(questions(chatPage)).toHaveText([/第一个问题/])
  await ask(chatPage, echo('另一条路', 0))
  await untilAnswered(chatPage, 2)
  await expect(chatPage.getByTestId('conversation-row')).toHaveCount(2)
  await chatPage.goto(`/conversation?id=${old}`)
  await expect(questions(chatPage)).toHaveText([/第一个问题/, /第二个问题/])
})

test('a link to a message leads along its branch', async ({ chatPage }) => {
  await ask(chatPage, echo('第一个问题', 0))
  await untilAnswered(chatPage)
  const first = await answers(chatPage).getAttribute('data-message-id')
  await chatPage.getByTestId('message-regenerate').click()
  await expect(chatPage.getByTestId('branch-next')).toBeVisible()
  await untilAnswered(chatPage)
  await expect(answers(chatPage)).not.toHaveAttribute('data-message-id', first ?? '')
  await chatPage.goto(`/conversation?id=${conversationId(chatPage)}#${first ?? ''}`)
  await expect(answers(chatPage)).toHaveAttribute('data-message-id', first ?? '')
})

test('a first question that failed is answered in its place, in the same conversation', async ({
  chatPage,
  portal,
}) => {
  portal.simulator.nextFault({ kind: 'status', status: 500 })
  await ask(chatPage, '木头为什么会裂？')
  await expect(chatPage.getByText(zh['errors.openai.500'])).toBeVisible()
  const id = conversationId(chatPage)
  await chatPage.reload()
  await expect(chatPage.getByText(zh['errors.openai.500'])).toBeVisible()
  await chatPage.getByTestId('message-retry').click()
  await untilAnswered(chatPage)
  expect(conversationId(chatPage)).toBe(id)
  await chatPage.reload()
  await expect(questions(chatPage)).toHaveText(['木头为什么会裂？'])
  await expect(answers(chatPage)).toHaveCount(1)
  await expect(chatPage.getByTestId('branch-next')).toHaveCount(0)
})

test('a further answer is taken up again after a reload, and stands beside the first', async ({ chatPage }) => {
  await ask(chatPage, echo(countedWords(150), 0))
  await untilAnswered(chatPage)
  await chatPage.getByTestId('message-regenerate').click()
  await expect(chatPage.getByTestId('branch-next')).toBeVisible()
  await untilAnswered(chatPage)
  await ask(chatPage, echo(countedWords(400, 'x'), 0))
  await untilAnswered(chatPage, 2)
  await chatPage.getByTestId('message-edit').last().click()
  await chatPage.getByTestId('message-editor').fill(echo(countedWords(300, 'y'), 40))
  await chatPage.getByTestId('message-edit-send').click()
  await seeItGrow(chatPage)
  await chatPage.reload()
  await seeItGrow(chatPage)
  await expect(questions(chatPage).last()).toContainText('y0')
  await untilAnswered(chatPage, 2)
  await expect(answers(chatPage).last()).toContainText('y299')
  await expect(chatPage.getByTestId('branch-previous')).toHaveCount(2)
})

test('the switch stays under the pointer, however long the branches are', async ({ chatPage }) => {
  await ask(chatPage, echo(countedWords(900), 0))
  await untilAnswered(chatPage)
  await ask(chatPage, echo('短', 0))
  await untilAnswered(chatPage, 2)
  for (const text of [countedWords(1200, 'v'), countedWords(60, 'u')]) {
    await ask(chatPage, echo(text, 0))
    await chatPage.getByTestId('stop').waitFor({ state: 'hidden' })
  }
  await untilAnswered(chatPage, 4)
  await chatPage.getByTestId('message-edit').nth(1).click()
  await chatPage.getByTestId('message-editor').fill(echo('另一个短的', 0))
  await chatPage.getByTestId('message-edit-send').click()
  await untilAnswered(chatPage, 2)
  for (const [step, count] of [
    ['previous', 4],
    ['next', 2],
    ['previous', 4],
  ] as const) {
    const button = chatPage.getByTestId(`branch-${step}`)
    const before = await button.boundingBox()
    await button.click()
    await expect(answers(chatPage)).toHaveCount(count)
    await expect.poll(async () => Math.abs(((await button.boundingBox())?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(4)
  }
})
