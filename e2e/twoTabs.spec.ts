import type { Page } from '@playwright/test'
import { untilHandoff } from './heldBack.ts'
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

/** Opens another tab in the same browser. */
async function beside(chatPage: Page, address = '/conversation'): Promise<Page> {
  const tab = await chatPage.context().newPage()
  await tab.goto(address)
  await untilHandoff(tab)
  return tab
}

test('each tab has its own draft of a new question, and leaves it to the next one', async ({ chatPage }) => {
  const draft = (tab: Page) => expect(tab.getByTestId('composer'))
  await chatPage.getByTestId('composer').fill('第一个标签的草稿')
  const second = await beside(chatPage)
  await draft(second).toHaveValue('')
  await second.getByTestId('composer').fill('字')
  await second.getByTestId('composer').fill('')
  await chatPage.reload()
  await untilHandoff(chatPage)
  await draft(chatPage).toHaveValue('第一个标签的草稿')
  await ask(second, '第二个标签的问题')
  await untilAnswered(second)
  await second.getByTestId('composer').fill('第二个标签的草稿')
  await second.reload()
  await untilHandoff(second)
  await draft(second).toHaveValue('第二个标签的草稿')
  await chatPage.reload()
  await untilHandoff(chatPage)
  await draft(chatPage).toHaveValue('第一个标签的草稿')
  await chatPage.close()
  const third = await beside(second)
  await draft(third).toHaveValue('第一个标签的草稿')
  await draft(second).toHaveValue('第二个标签的草稿')
})

test('what is written at once in a new tab is not mixed with the draft of another one', async ({ chatPage }) => {
  await chatPage.getByTestId('composer').fill('第一个标签的草稿')
  await chatPage.reload()
  await untilHandoff(chatPage)
  const second = await chatPage.context().newPage()
  await second.goto('/conversation', { waitUntil: 'commit' })
  await expect(second.getByTestId('composer')).toBeFocused()
  await second.keyboard.type('马上写')
  await untilHandoff(second)
  await expect(second.getByTestId('composer')).toHaveValue('马上写')
  await expect(chatPage.getByTestId('composer')).toHaveValue('第一个标签的草稿')
})

test('a question that is refused because another tab is being answered stays until one decides', async ({
  chatPage,
}) => {
  await ask(chatPage, '先问一句')
  await untilAnswered(chatPage)
  const second = await beside(chatPage, `/conversation?id=${conversationId(chatPage)}`)
  await expect(answers(second)).toHaveCount(1)
  await ask(chatPage, echo(countedWords(60), 10))
  await untilGrowing(chatPage)
  await ask(second, '在另一个标签里认真写的长问题')
  await expect(second.getByRole('alert')).toBeVisible()
  await expect(questions(second).last()).toHaveText('在另一个标签里认真写的长问题')
  await untilAnswered(chatPage, 2)
  await expect(second.getByRole('alert')).toBeVisible()
  await second.getByTestId('composer').fill('又一个问题')
  await second.getByTestId('send').click()
  await expect(questions(second).last()).toHaveText('又一个问题')
  await expect(second.getByTestId('composer')).toHaveValue('在另一个标签里认真写的长问题')
  await expect(second.getByTestId('stop')).toBeHidden()
  await second.reload()
  await untilHandoff(second)
  await expect(second.getByTestId('composer')).toHaveValue('在另一个标签里认真写的长问题')
  await expect(questions(second).last()).toHaveText('又一个问题')
})

test('a draft in a conversation that another page has deleted can be asked in a new one', async ({
  chatPage,
  person,
}) => {
  await ask(chatPage, '先问一句')
  await untilAnswered(chatPage)
  const id = conversationId(chatPage)
  await person.result('DELETE', `/conv/${id}`)
  await ask(chatPage, '还想问的长问题')
  const { 'thread.notFound': gone, 'conversations.new': begin } = TEXTS['zh-CN']
  const notFound = chatPage.getByRole('heading', { name: gone }).locator('..')
  await notFound.getByRole('button', { name: begin }).click()
  await expect(chatPage.getByTestId('composer')).toHaveValue('还想问的长问题')
  await chatPage.reload()
  await untilHandoff(chatPage)
  await expect(chatPage.getByTestId('composer')).toHaveValue('还想问的长问题')
})

test('a conversation that is deleted in one tab leaves the other one as well, with what was being written there kept', async ({
  chatPage,
}) => {
  const {
    'conversations.actions': actions,
    'conversations.delete': deletion,
    'thread.notFound': gone,
    'conversations.new': begin,
  } = TEXTS['zh-CN']
  await ask(chatPage, '先问一句')
  await untilAnswered(chatPage)
  const second = await beside(chatPage, `/conversation?id=${conversationId(chatPage)}`)
  await expect(answers(second)).toHaveCount(1)
  await second.getByTestId('composer').fill('还没问完')
  await chatPage.getByRole('button', { name: actions, exact: true }).click()
  await chatPage.getByRole('menuitem', { name: deletion }).click()
  const notFound = second.getByRole('heading', { name: gone }).locator('..')
  await notFound.getByRole('button', { name: begin }).click()
  await expect(second.getByTestId('composer')).toHaveValue('还没问完')
  await expect(second.getByTestId('conversation-row')).toHaveCount(0)
})

test('where one tab has signed out nothing is left in another, and whoever signs in next has it to themselves', async ({
  chatPage,
  portal,
}) => {
  await ask(chatPage, '只给自己看的问题')
  await untilAnswered(chatPage)
  const second = await beside(chatPage, `/conversation?id=${conversationId(chatPage)}`)
  await second.getByTestId('composer').fill('只给自己看的草稿')
  await signOutOn(chatPage)
  await expect(second).toHaveURL(/\/login\?redirect=/)
  await expect(second.getByText('只给自己看的问题')).toHaveCount(0)

  const next = await portal.person()
  await signInOn(chatPage, next)
  await expect(chatPage.getByTestId('user-menu')).toContainText(next.username)
  const third = await beside(chatPage)
  await third.getByTestId('composer').fill('第二个人的草稿')
  await expect(chatPage.getByRole('menuitem')).toHaveCount(0)
  await signOutOn(chatPage)
  await expect(third).toHaveURL(/\/login\?redirect=/)
})
