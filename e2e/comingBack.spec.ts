import type { Page } from '@playwright/test'
import { SESSION_COOKIE } from '#contract/users.ts'
import { expect, test } from './journey.ts'
import { signInOn, TEXTS } from './steps.ts'
import type { Account } from './startPortal.ts'

async function aConversation(person: Account): Promise<string> {
  const frames = await person.ask('什么是木纹？')
  return String(frames.find(frame => frame.type === 'accepted')?.['conversation_id'])
}

/** Opens the address signed out and signs in when asked. */
async function visit(page: Page, address: string, account: Pick<Account, 'username' | 'password'>): Promise<void> {
  await page.goto(address)
  await expect(page).toHaveURL(/\/login\?redirect=/)
  await expect(page.getByRole('alert')).toContainText(TEXTS['zh-CN']['errors.userNotLogin'])
  await signInOn(page, account)
}

test.describe('a visit to a protected page while signed out comes back to it after signing in', () => {
  test('the conversation that the address names', async ({ page, person }) => {
    const id = await aConversation(person)
    await visit(page, `/conversation?id=${id}`, person)
    await expect(page).toHaveURL(`/conversation?id=${id}`)
    await expect(page.getByTestId('message')).toHaveCount(2)
    expect(await page.getByRole('alert').count()).toBe(0)
  })
  test('the history of a conversation', async ({ page, person }) => {
    const id = await aConversation(person)
    await visit(page, `/conv/${id}`, person)
    await expect(page).toHaveURL(`/conv/${id}`)
    await expect(page.getByTestId('message')).toHaveCount(2)
    await expect(page.getByTestId('composer')).toHaveCount(0)
  })
  test('a page for administrators', async ({ page, portal }) => {
    await visit(page, '/admin/user', await portal.admin())
    await expect(page).toHaveURL('/admin/user')
  })
})

test('a session that has ended meanwhile leads to the login page and back', async ({ page, person }) => {
  await page.goto('/login')
  await signInOn(page, person)
  await expect(page).toHaveURL('/conversation')
  await page.context().clearCookies({ name: new RegExp(SESSION_COOKIE) })
  await page.goto('/conversation?id=x')
  await expect(page).toHaveURL(/\/login\?redirect=/)
  await signInOn(page, person)
  await expect(page).toHaveURL('/conversation?id=x')
})

test('a session that ends while one is at it is told in a dialog, and the draft is still there afterwards', async ({
  chatPage,
  person,
  portal,
}) => {
  const { 'expired.title': title, 'expired.go': go } = TEXTS['zh-CN']
  await chatPage.getByTestId('composer').fill('还没问完')
  await (await portal.admin()).result('PATCH', `/user/${person.id}`, { password: 'another-horse-8' })
  await chatPage.getByTestId('send').click()
  const dialog = chatPage.getByRole('dialog', { name: title })
  await dialog.getByRole('button', { name: go }).click()
  await expect(chatPage).toHaveURL(/\/login\?redirect=/)
  await signInOn(chatPage, { username: person.username, password: 'another-horse-8' })
  await expect(chatPage).toHaveURL('/conversation')
  await expect(chatPage.getByTestId('composer')).toHaveValue('还没问完')
})

const HOSTILE = [
  '//evil.example',
  '///evil.example',
  'https://evil.example',
  'https:evil.example',
  '\\\\evil.example',
  '/\\evil.example',
  '/%5Cevil.example',
  'javascript:alert(1)',
  '/\t/evil.example',
  '%2F%2Fevil.example',
  '%252F%252Fevil.example',
  '/login',
  '/no/such/page',
  '/conversation/../..//evil.example',
]

test('nobody is sent to another site after signing in', async ({ page, person, portal }) => {
  await page.goto('/login?redirect=//evil.example')
  await signInOn(page, person)
  await expect(page.getByTestId('composer')).toBeVisible()
  expect(page.url()).toBe(`${portal.url}/conversation`)
  // A person who is signed in already is redirected at once.
  for (const query of [
    ...HOSTILE.map(target => `redirect=${encodeURIComponent(target)}`),
    'redirect[]=//evil.example',
    'redirect=//evil.example&redirect=/admin',
  ]) {
    await page.goto(`/login?${query}`)
    await expect(page.getByTestId('composer'), query).toBeVisible()
    expect(page.url(), query).toBe(`${portal.url}/conversation`)
  }
})

test('the redirecting page says that there is no such page instead of leading to another site', async ({
  page,
  portal,
}) => {
  for (const target of [
    '//evil.example',
    '/evil.example',
    'https:evil.example',
    '%5Cevil.example',
    'javascript:alert(1)',
    '%252F%252Fevil.example',
  ]) {
    await page.goto(`/redirect/${target}`)
    await expect(page.getByRole('heading', { name: TEXTS['zh-CN']['error.404.title'] }), target).toBeVisible()
    expect(page.url(), target).toBe(`${portal.url}/error/404`)
  }
})

test('the redirecting page leads to a page of ours', async ({ chatPage }) => {
  await chatPage.goto('/redirect/conversation')
  await expect(chatPage).toHaveURL('/conversation')
})
