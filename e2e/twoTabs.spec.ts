import type { Page } from '@playwright/test'
import { untilTakenOver } from './heldBack.ts'
import { expect, test } from './journey.ts'
import {
  answers,
  ask,
  conversationId,
  countedWords,
  echo,
  questions,
  signInOn,
  signOutOn,
  TEXTS,
  untilAnswered,
  untilGrowing,
} from './steps.ts'

/** A further tab of the same browser. */
async function beside(desk: Page, address = '/conversation'): Promise<Page> {
  const tab = await desk.context().newPage()
  await tab.goto(address)
  await untilTakenOver(tab)
  return tab
}

test('each tab has its own draft of a new question, and leaves it to the next one', async ({ desk }) => {
  const draft = (tab: Page) => expect(tab.getByTestId('composer'))
  await desk.getByTestId('composer').fill('第一个标签的草稿')
  const second = await beside(desk)
  await draft(second).toHaveValue('')
  await second.getByTestId('composer').fill('字')
  await second.getByTestId('composer').fill('')
  await desk.reload()
  await untilTakenOver(desk)
  await draft(desk).toHaveValue('第一个标签的草稿')
  await ask(second, '第二个标签的问题')
  await untilAnswered(second)
  await second.getByTestId('composer').fill('第二个标签的草稿')
  await second.reload()
  await untilTakenOver(second)
  await draft(second).toHaveValue('第二个标签的草稿')
  await desk.reload()
  await untilTakenOver(desk)
  await draft(desk).toHaveValue('第一个标签的草稿')
  await desk.close()
  const third = await beside(second)
  await draft(third).toHaveValue('第一个标签的草稿')
  await draft(second).toHaveValue('第二个标签的草稿')
})

test('what is written at once in a new tab is not mixed with the draft of another one', async ({ desk }) => {
  await desk.getByTestId('composer').fill('第一个标签的草稿')
  await desk.reload()
  await untilTakenOver(desk)
  const second = await desk.context().newPage()
  await second.goto('/conversation', { waitUntil: 'commit' })
  await expect(second.getByTestId('composer')).toBeFocused()
  await second.keyboard.type('马上写')
  await untilTakenOver(second)
  await expect(second.getByTestId('composer')).toHaveValue('马上写')
  await expect(desk.getByTestId('composer')).toHaveValue('第一个标签的草稿')
})

test('a question that is refused because another tab is being answered stays until one decides', async ({ desk }) => {
  await ask(desk, '先问一句')
  await untilAnswered(desk)
  const second = await beside(desk, `/conversation?id=${conversationId(desk)}`)
  await expect(answers(second)).toHaveCount(1)
  await ask(desk, echo(countedWords(60), 15))
  await untilGrowing(desk)
  await ask(second, '在另一个标签里认真写的长问题')
  await expect(second.getByRole('alert')).toBeVisible()
  await expect(questions(second).last()).toHaveText('在另一个标签里认真写的长问题')
  await untilAnswered(desk, 2)
  await expect(second.getByRole('alert')).toBeVisible()
  await second.getByTestId('composer').fill('又一个问题')
  await second.getByTestId('send').click()
  await expect(questions(second).last()).toHaveText('又一个问题')
  await expect(second.getByTestId('composer')).toHaveValue('在另一个标签里认真写的长问题')
  await expect(second.getByTestId('stop')).toBeHidden()
  await second.reload()
  await untilTakenOver(second)
  await expect(second.getByTestId('composer')).toHaveValue('在另一个标签里认真写的长问题')
  await expect(questions(second).last()).toHaveText('又一个问题')
})

test('what was being written in a conversation that was deleted elsewhere can be asked in a new one', async ({
  desk,
  person,
}) => {
  await ask(desk, '先问一句')
  await untilAnswered(desk)
  const id = conversationId(desk)
  await person.result('DELETE', `/conv/${id}`)
  await ask(desk, '还想问的长问题')
  const { 'thread.notFound': gone, 'conversations.new': begin } = TEXTS['zh-CN']
  const notFound = desk.getByRole('heading', { name: gone }).locator('..')
  await notFound.getByRole('button', { name: begin }).click()
  await expect(desk.getByTestId('composer')).toHaveValue('还想问的长问题')
  await desk.reload()
  await untilTakenOver(desk)
  await expect(desk.getByTestId('composer')).toHaveValue('还想问的长问题')
})

test('a conversation that is deleted in one tab leaves the other one as well, with what was being written there kept', async ({
  desk,
}) => {
  const {
    'conversations.actions': actions,
    'conversations.delete': deletion,
    'thread.notFound': gone,
    'conversations.new': begin,
  } = TEXTS['zh-CN']
  await ask(desk, '先问一句')
  await untilAnswered(desk)
  const second = await beside(desk, `/conversation?id=${conversationId(desk)}`)
  await expect(answers(second)).toHaveCount(1)
  await second.getByTestId('composer').fill('还没问完')
  await desk.getByRole('button', { name: actions, exact: true }).click()
  await desk.getByRole('menuitem', { name: deletion }).click()
  const notFound = second.getByRole('heading', { name: gone }).locator('..')
  await notFound.getByRole('button', { name: begin }).click()
  await expect(second.getByTestId('composer')).toHaveValue('还没问完')
  await expect(second.getByTestId('conversation-row')).toHaveCount(0)
})

test('where one tab has signed out nothing is left in another, and whoever signs in next has it to themselves', async ({
  desk,
  portal,
}) => {
  await ask(desk, '只给自己看的问题')
  await untilAnswered(desk)
  const second = await beside(desk, `/conversation?id=${conversationId(desk)}`)
  await second.getByTestId('composer').fill('只给自己看的草稿')
  await signOutOn(desk)
  await expect(second).toHaveURL(/\/login\?redirect=/)
  await expect(second.getByText('只给自己看的问题')).toHaveCount(0)

  const next = await portal.person()
  await signInOn(desk, next)
  await expect(desk.getByTestId('user-menu')).toContainText(next.username)
  const third = await beside(desk)
  await third.getByTestId('composer').fill('第二个人的草稿')
  await signOutOn(desk)
  await expect(third).toHaveURL(/\/login\?redirect=/)
})
