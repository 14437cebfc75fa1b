import type { Page } from '@playwright/test'
import { expect, test } from './journey.ts'
import { conversationId } from './steps.ts'

const rows = (page: Page) => page.getByTestId('conversation-row')

test('a deleted conversation is brought back by its undo', async ({ chatPage, person }) => {
  await person.ask('hello', { new_title: '要留下的' })
  await chatPage.reload()
  await rows(chatPage).getByRole('link').click()
  await expect(chatPage).toHaveURL(/id=/)
  const id = conversationId(chatPage)
  await rows(chatPage).getByRole('button').click()
  await chatPage.getByRole('menuitem', { name: '删除' }).click()
  await expect(rows(chatPage)).toHaveCount(0)
  await expect(chatPage).toHaveURL('/conversation')
  await chatPage.getByRole('button', { name: '撤销' }).click()
  await expect(rows(chatPage)).toHaveText([/要留下的/])
  await expect(chatPage).toHaveURL(`/conversation?id=${id}`)
  await chatPage.reload()
  await expect(rows(chatPage)).toHaveText([/要留下的/])
})

test('a title is rewritten where it stands, in the list and in the header', async ({ chatPage, person }) => {
  await person.ask('hello', { new_title: '旧标题' })
  await chatPage.reload()
  await rows(chatPage).getByRole('link').focus()
  await chatPage.keyboard.press('F2')
  await expect(chatPage.getByTestId('title-input')).toBeFocused()
  await chatPage.keyboard.insertText('新标题')
  await chatPage.keyboard.press('Enter')
  await expect(rows(chatPage)).toHaveText([/新标题/])

  await rows(chatPage).getByRole('link').click()
  await chatPage.getByRole('banner').getByRole('button', { name: '新标题' }).click()
  await chatPage.getByTestId('title-input').fill('更新的标题')
  await chatPage.keyboard.press('Enter')
  await expect(rows(chatPage)).toHaveText([/更新的标题/])

  await rows(chatPage).getByRole('link').dblclick()
  await chatPage.getByTestId('title-input').fill('不要的')
  await chatPage.keyboard.press('Escape')
  await chatPage.reload()
  await expect(rows(chatPage)).toHaveText([/更新的标题/])
})

test('2,000 conversations are there, and one gets to the last of them by keys and by search', async ({
  chatPage,
  person,
  portal,
}) => {
  const quarterOfADay = 21_600_000
  const conversations = Array.from({ length: 2_000 }, (_, number) => {
    const time = Date.UTC(2026, 5, 1) - number * quarterOfADay
    return { title: `对话 ${number}`, create_time: time, update_time: time }
  })
  await portal.hadMany(person, conversations)
  await chatPage.reload()
  await expect(rows(chatPage).first()).toHaveText(/对话 0/)
  expect(await rows(chatPage).count()).toBeLessThan(200)

  await rows(chatPage).first().getByRole('link').focus()
  await expect(async () => {
    await chatPage.keyboard.press('End')
    await expect(rows(chatPage).last()).toHaveText(/对话 1999/, { timeout: 100 })
    // Each press brings a further page of the list, twenty in all; the usual pauses grow to a second.
  }).toPass({ intervals: [20] })

  await chatPage.getByTestId('search').fill('对话 1999')
  await expect(chatPage.getByTestId('search-result')).toHaveText(['对话 1999'])
  await chatPage.keyboard.press('Enter')
  await expect(chatPage).toHaveURL(/id=/)
  await chatPage.getByTestId('search').fill('')
  const open = chatPage.locator('[data-testid=conversation-row] [aria-current=page]')
  await expect(open).toHaveText('对话 1999')
  await expect(open).toBeInViewport()

  await chatPage.reload()
  await expect(open).toHaveText('对话 1999')
  await expect(open).toBeInViewport()
  for (let at = 1998; at > 1970; at--) {
    await chatPage.keyboard.press('Alt+ArrowUp')
    await expect(open).toHaveText(`对话 ${at}`)
  }
  await expect(open).toBeInViewport()
})

test('all are deleted only by somebody who types their own name', async ({ chatPage, person }) => {
  await person.ask('hello', { new_title: '一个' })
  await chatPage.reload()
  await expect(rows(chatPage)).toHaveCount(1)
  await chatPage.getByRole('button', { name: '全部对话的操作' }).click()
  await chatPage.getByRole('menuitem', { name: '删除全部对话' }).click()
  const verb = chatPage.getByRole('button', { name: '全部删除' })
  await expect(verb).toBeDisabled()
  await chatPage.getByRole('dialog').getByRole('textbox').fill(person.username)
  await verb.click()
  await expect(chatPage.getByText('还没有对话，从下面的输入框开始第一个')).toBeVisible()
})

test('four that are deleted one after the other are brought back by one undo', async ({ chatPage, person }) => {
  for (let at = 0; at < 4; at++) await person.ask('hello')
  await chatPage.reload()
  await expect(rows(chatPage)).toHaveCount(4)
  for (const left of [3, 2, 1, 0]) {
    await rows(chatPage).first().getByRole('button').click()
    await chatPage.getByRole('menuitem', { name: '删除' }).click()
    await expect(rows(chatPage)).toHaveCount(left)
  }
  await chatPage.getByText('已删除 4 个对话').hover()
  await chatPage.getByRole('button', { name: '撤销' }).click()
  await expect(rows(chatPage)).toHaveCount(4)
})
