import type { Page } from '@playwright/test'
import { expect, test } from './journey.ts'
import {
  answers,
  ask,
  conversationId,
  questions,
  seeItGrow,
  signInOn,
  signOutOn,
  TEXTS,
  untilAnswered,
} from './steps.ts'

test('somebody signs in, begins a conversation, sees the answer grow, finds it again, asks on and signs out', async ({
  page,
  person,
}) => {
  await page.goto('/')
  await page.getByRole('link', { name: TEXTS['zh-CN']['home.toLogin'] }).click()
  await signInOn(page, person)

  await page.getByTestId('new-conversation').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByTestId('new-conversation-source').getByRole('radio', { name: 'API' }).check()
  await dialog.getByTestId('new-conversation-model').getByRole('radio', { name: 'GPT-4' }).check()
  await dialog.getByTestId('new-conversation-title').fill('春天的桌子')
  await dialog.getByTestId('new-conversation-confirm').click()
  await expect(dialog).toBeHidden()

  await ask(page, '请用表格比较三种木材\n/simulate pace=60')
  await seeItGrow(page)
  await untilAnswered(page)
  const answer = await answers(page).last().innerText()
  const row = page.getByTestId('conversation-list').getByTestId('conversation-row')
  await expect(row).toHaveText(/春天的桌子/)
  await expect(page.getByTestId('composer')).toBeFocused()

  await page.reload()
  await expect(answers(page)).toHaveText([answer], { useInnerText: true })
  expect(conversationId(page)).toBe(await row.getAttribute('data-conversation-id'))

  await ask(page, '哪一种最便宜？')
  await untilAnswered(page, 2)
  await expect(questions(page)).toHaveText([/三种木材/, /最便宜/])

  const calls = callsOf(page)
  await signOutOn(page)
  await expect(page.getByRole('status').getByText(TEXTS['zh-CN']['logout.success'])).toBeVisible()
  await expect(page).toHaveURL('/login')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  // The login page asks how else one may sign in, and nothing asks for what was open.
  const after = calls.slice(calls.indexOf('POST /api/auth/logout'))
  expect(after.filter(call => call !== 'GET /api/auth/provider')).toEqual(['POST /api/auth/logout'])
  await page.goto('/conversation')
  await expect(page).toHaveURL(/\/login/)
})

/** Records the calls to the server from now on. */
function callsOf(page: Page): string[] {
  const calls: string[] = []
  page.on('request', request => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) calls.push(`${request.method()} ${pathname}`)
  })
  return calls
}

test('a conversation without a title is named after its first exchange', async ({ chatPage }) => {
  await ask(chatPage, '怎样给木桌上油？')
  await untilAnswered(chatPage)
  const row = chatPage.getByTestId('conversation-row')
  await expect(row).toContainText(/木桌/)
  await chatPage.reload()
  await expect(row).toContainText(/木桌/)
})
