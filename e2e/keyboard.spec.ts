import type { Locator, Page } from '@playwright/test'
import { expect, test } from './journey.ts'
import { answers, countedWords, echo, seeItGrow, TEXTS, untilAnswered } from './steps.ts'

const zhCN = TEXTS['zh-CN']
/** Key presses: nothing that is needed is further away. */
const MAX_STROKES = 60

async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' | 'ArrowDown' = 'Tab'): Promise<void> {
  for (let strokes = 0; strokes < MAX_STROKES; strokes++) {
    await expect(target).toBeVisible()
    if (await target.evaluate(element => element === document.activeElement)) return
    await page.keyboard.press(key)
  }
  throw new Error(`${target} is not reached with ${MAX_STROKES} strokes`)
}

test('with the keyboard alone one signs in, begins a conversation, asks, stops and signs out', async ({
  page,
  person,
}) => {
  const { keyboard } = page
  await page.goto('/login')
  await expect(page.getByTestId('username')).toBeFocused()
  await keyboard.type(person.username)
  await keyboard.press('Tab')
  await keyboard.type(person.password)
  await keyboard.press('Enter')
  await expect(page.getByTestId('composer')).toBeFocused()

  await tabTo(page, page.getByTestId('new-conversation'), 'Shift+Tab')
  await keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await tabTo(page, dialog.getByTestId('new-conversation-model').getByRole('radio', { checked: true }))
  await keyboard.press('ArrowDown')
  await expect(dialog.getByRole('radio', { name: 'GPT-4' })).toBeChecked()
  await tabTo(page, dialog.getByTestId('new-conversation-title'))
  await keyboard.type('只用键盘')
  await keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByTestId('composer')).toBeFocused()
  await expect(page.getByTestId('conversation-row')).toContainText('只用键盘')

  await keyboard.insertText(echo(countedWords(1_000), 40))
  await keyboard.press('Enter')
  await seeItGrow(page)
  await tabTo(page, page.getByTestId('stop'))
  await keyboard.press('Enter')
  await expect(answers(page)).toContainText(zhCN['message.stopped'])
  await expect(page.getByTestId('composer')).toBeFocused()
  await keyboard.type('再问一个')
  await keyboard.press('Enter')
  await untilAnswered(page, 2)

  await tabTo(page, page.getByTestId('user-menu'), 'Shift+Tab')
  await keyboard.press('Enter')
  await tabTo(page, page.getByRole('menuitem', { name: zhCN['userMenu.logout'] }), 'ArrowDown')
  await keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByRole('button', { name: zhCN['logout.verb'] })).toBeFocused()
  await keyboard.press('Enter')
  await expect(page).toHaveURL('/login')
})

test('the first stroke of Tab offers the way past the header', async ({ page }) => {
  await page.goto('/home')
  await expect(page.getByRole('heading', { name: zhCN['home.title'] })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: zhCN['app.skip'] })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})

test('Escape closes a dialog and gives the focus back to where it was', async ({ chatPage }) => {
  await tabTo(chatPage, chatPage.getByTestId('new-conversation'), 'Shift+Tab')
  await chatPage.keyboard.press('Enter')
  await expect(chatPage.getByRole('dialog')).toBeVisible()
  await chatPage.keyboard.press('Escape')
  await expect(chatPage.getByRole('dialog')).toBeHidden()
  await expect(chatPage.getByTestId('new-conversation')).toBeFocused()

  await tabTo(chatPage, chatPage.getByTestId('user-menu'))
  await chatPage.keyboard.press('Enter')
  await tabTo(chatPage, chatPage.getByRole('menuitem', { name: zhCN['userMenu.profile'] }), 'ArrowDown')
  await chatPage.keyboard.press('Enter')
  await expect(chatPage.getByRole('dialog')).toBeVisible()
  await chatPage.keyboard.press('Escape')
  await expect(chatPage.getByTestId('user-menu')).toBeFocused()
})

test('shortcuts lead to the search, a new conversation, the others and back to the field', async ({
  chatPage,
  person,
}) => {
  const { keyboard } = chatPage
  for (const new_title of ['最早的', '中间的', '最近的']) await person.ask('你好', { new_title })
  await chatPage.reload()
  await expect(chatPage.getByTestId('conversation-row')).toHaveText([/最近的/, /中间的/, /最早的/])
  await expect(chatPage.getByTestId('composer')).toBeFocused()
  const open = chatPage.getByTestId('conversation-row').filter({ has: chatPage.locator('[aria-current]') })
  await keyboard.press('Alt+ArrowDown')
  await expect(open).toContainText('最近的')
  await expect(chatPage.getByTestId('message')).toHaveCount(2)
  await keyboard.press('Alt+ArrowDown')
  await expect(open).toContainText('中间的')
  await keyboard.press('Alt+ArrowUp')
  await expect(open).toContainText('最近的')
  await expect(chatPage.getByRole('banner').getByRole('button', { name: '最近的' })).toBeVisible()

  await keyboard.press('Control+k')
  await expect(chatPage.getByTestId('search')).toBeFocused()
  await keyboard.press('Shift+Escape')
  await expect(chatPage.getByTestId('composer')).toBeFocused()
  await keyboard.press('ArrowUp')
  await expect(chatPage.getByTestId('message-editor')).toBeFocused()
  await keyboard.press('Escape')
  await expect(chatPage.getByTestId('message-editor')).toBeHidden()

  await keyboard.press('Control+/')
  const card = chatPage.getByRole('dialog', { name: zhCN['shortcuts.title'] })
  await expect(card).toBeVisible()
  // A dialog disables the shortcuts of the page behind it.
  await keyboard.press('Alt+ArrowDown')
  await keyboard.press('Escape')
  await expect(card).toBeHidden()
  await expect(open).toContainText('最近的')
  await keyboard.press('Control+Shift+O')
  await expect(chatPage.getByTestId('new-conversation-title')).toBeVisible()
})

test('Escape stops an answer, but not for an input method that is composing', async ({ chatPage, context }) => {
  await chatPage.getByTestId('composer').fill(echo(countedWords(2_000), 40))
  await chatPage.keyboard.press('Enter')
  await seeItGrow(chatPage)
  const devtools = await context.newCDPSession(chatPage)
  await chatPage.getByTestId('composer').focus()
  await devtools.send('Input.imeSetComposition', { text: 'ni', selectionStart: 2, selectionEnd: 2 })
  await devtools.send('Input.dispatchKeyEvent', {
    type: 'rawKeyDown',
    key: 'Escape',
    code: 'Escape',
    windowsVirtualKeyCode: 229,
  })
  await devtools.send('Input.imeSetComposition', { text: '', selectionStart: 0, selectionEnd: 0 })
  await expect(chatPage.getByTestId('stop')).toBeVisible()
  await seeItGrow(chatPage)
  await chatPage.keyboard.press('Escape')
  await expect(answers(chatPage)).toContainText(zhCN['message.stopped'])
})

test('whoever deletes by keys goes on in the list, and takes it back with Ctrl+Z', async ({ chatPage, person }) => {
  const { keyboard } = chatPage
  for (const new_title of ['最早的', '中间的', '最近的']) await person.ask('你好', { new_title })
  await chatPage.reload()
  const rows = chatPage.getByTestId('conversation-row')
  await rows.filter({ hasText: '中间的' }).getByRole('link').focus()
  await keyboard.press('Tab')
  await keyboard.press('Enter')
  await tabTo(chatPage, chatPage.getByRole('menuitem', { name: zhCN['conversations.delete'] }), 'ArrowDown')
  await keyboard.press('Enter')
  await expect(rows).toHaveText([/最近的/, /最早的/])
  await expect(rows.filter({ hasText: '最早的' }).getByRole('link')).toBeFocused()
  await keyboard.press('Control+z')
  await expect(rows).toHaveText([/最近的/, /中间的/, /最早的/])
})
