import type { Page } from '@playwright/test'
import { expect, test } from './journey.ts'
import { conversationId } from './steps.ts'

const rows = (page: Page) => page.getByTestId('conversation-row')

test('a deleted conversation is brought back by its undo', async ({ desk, person }) => {
  await person.ask('hello', { new_title: '要留下的' })
  await desk.reload()
  await rows(desk).getByRole('link').click()
  await expect(desk).toHaveURL(/id=/)
  const id = conversationId(desk)
  await rows(desk).getByRole('button').click()
  await desk.getByRole('menuitem', { name: '删除' }).click()
  await expect(rows(desk)).toHaveCount(0)
  await expect(desk).toHaveURL('/conversation')
  await desk.getByRole('button', { name: '撤销' }).click()
  await expect(rows(desk)).toHaveText([/要留下的/])
  await expect(desk).toHaveURL(`/conversation?id=${id}`)
  await desk.reload()
  await expect(rows(desk)).toHaveText([/要留下的/])
})

test('a title is rewritten where it stands, in the list and in the header', async ({ desk, person }) => {
  await person.ask('hello', { new_title: '旧标题' })
  await desk.reload()
  await rows(desk).getByRole('link').focus()
  await desk.keyboard.press('F2')
  await expect(desk.getByTestId('title-input')).toBeFocused()
  await desk.keyboard.insertText('新标题')
  await desk.keyboard.press('Enter')
  await expect(rows(desk)).toHaveText([/新标题/])

  await rows(desk).getByRole('link').click()
  await desk.getByRole('banner').getByRole('button', { name: '新标题' }).click()
  await desk.getByTestId('title-input').fill('更新的标题')
  await desk.keyboard.press('Enter')
  await expect(rows(desk)).toHaveText([/更新的标题/])

  await rows(desk).getByRole('link').dblclick()
  await desk.getByTestId('title-input').fill('不要的')
  await desk.keyboard.press('Escape')
  await desk.reload()
  await expect(rows(desk)).toHaveText([/更新的标题/])
})

test('2,000 conversations are there, and one gets to the last of them by keys and by search', async ({
  desk,
  person,
}) => {
  // Each of them is written for good by itself.
  test.slow()
  const day = 86_400_000
  for (let page = 0; page < 20; page++) {
    const conversations = Array.from({ length: 100 }, (_, at) => {
      const number = page * 100 + at
      const time = new Date(Date.UTC(2026, 5, 1) - (number * day) / 4).toISOString()
      const asked = {
        id: 'm',
        parent: null,
        role: 'user',
        author_name: null,
        model: null,
        create_time: time,
        content: { content_type: 'text', text: '?' },
        metadata: null,
      }
      return {
        id: `c${number}`,
        title: `对话 ${number}`,
        create_time: time,
        update_time: time,
        current_node: null,
        current_model: null,
        messages: [asked],
      }
    })
    await person.result('POST', '/conv/import', { conversations })
  }
  await desk.reload()
  await expect(rows(desk).first()).toHaveText(/对话 0/)
  expect(await rows(desk).count()).toBeLessThan(200)

  await rows(desk).first().getByRole('link').focus()
  await expect(async () => {
    await desk.keyboard.press('End')
    await expect(rows(desk).last()).toHaveText(/对话 1999/, { timeout: 100 })
  }).toPass()

  await desk.getByTestId('search').fill('对话 1999')
  await expect(desk.getByTestId('search-result')).toHaveText(['对话 1999'])
  await desk.keyboard.press('Enter')
  await expect(desk).toHaveURL(/id=/)
  await desk.getByTestId('search').fill('')
  const open = desk.locator('[data-testid=conversation-row] [aria-current=page]')
  await expect(open).toHaveText('对话 1999')
  await expect(open).toBeInViewport()

  await desk.reload()
  await expect(open).toHaveText('对话 1999')
  await expect(open).toBeInViewport()
  for (let at = 1998; at > 1970; at--) {
    await desk.keyboard.press('Alt+ArrowUp')
    await expect(open).toHaveText(`对话 ${at}`)
  }
  await expect(open).toBeInViewport()
})

test('all are deleted only by somebody who types their own name', async ({ desk, person }) => {
  await person.ask('hello', { new_title: '一个' })
  await desk.reload()
  await expect(rows(desk)).toHaveCount(1)
  await desk.getByRole('button', { name: '全部对话的操作' }).click()
  await desk.getByRole('menuitem', { name: '删除全部对话' }).click()
  const verb = desk.getByRole('button', { name: '全部删除' })
  await expect(verb).toBeDisabled()
  await desk.getByRole('dialog').getByRole('textbox').fill(person.username)
  await verb.click()
  await expect(desk.getByText('还没有对话，从下面的输入框开始第一个')).toBeVisible()
})

test('four that are deleted one after the other are brought back by one undo', async ({ desk, person }) => {
  for (let at = 0; at < 4; at++) await person.ask('hello')
  await desk.reload()
  await expect(rows(desk)).toHaveCount(4)
  for (const left of [3, 2, 1, 0]) {
    await rows(desk).first().getByRole('button').click()
    await desk.getByRole('menuitem', { name: '删除' }).click()
    await expect(rows(desk)).toHaveCount(left)
  }
  await desk.getByText('已删除 4 个对话').hover()
  await desk.getByRole('button', { name: '撤销' }).click()
  await expect(rows(desk)).toHaveCount(4)
})
