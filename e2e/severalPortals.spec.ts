import type { Page } from '@playwright/test'
import { SESSION_COOKIE } from '#contract/users.ts'
import { untilHandoff } from './heldBack.ts'
import { expect, test } from './journey.ts'
import { startPortal } from './startPortal.ts'
import { signInOn, signOutOn } from './steps.ts'

test.use({ warm: false })

/** Reloads the page and expects a session. */
async function expectSignedIn(page: Page): Promise<void> {
  await page.reload()
  await untilHandoff(page)
  await expect(page).toHaveURL(/\/conversation$/)
  await expect(page.getByTestId('user-menu')).toBeVisible()
}

test('two portals at one host leave each other’s people signed in', async ({ browser, portal, person }) => {
  const other = await startPortal()
  const context = await browser.newContext()
  try {
    const [here, there] = [await context.newPage(), await context.newPage()]
    for (const [page, url, account] of [
      [here, portal.url, person],
      [there, other.url, await other.person()],
    ] as const) {
      await page.goto(`${url}/login`)
      await signInOn(page, account)
      await expect(page).toHaveURL(`${url}/conversation`)
    }
    await expectSignedIn(here)
    await expectSignedIn(there)
    await signOutOn(here)
    await expect(here).toHaveURL(/\/login/)
    await expectSignedIn(there)
    await signInOn(here, { username: person.username, password: 'not-the-one-1' })
    await expect(here.getByRole('alert')).toBeVisible()
    await expectSignedIn(there)
  } finally {
    await context.close()
    await other.close()
  }
})

test('who signed in before the cookies had these names is still signed in, until they sign out', async ({
  page,
  portal,
  person,
  context,
}) => {
  const token = person.cookie.match(new RegExp(`${SESSION_COOKIE}_\\d+=([^;]+)`))?.[1] ?? ''
  await context.addCookies([{ name: SESSION_COOKIE, value: token, url: portal.url, httpOnly: true, sameSite: 'Lax' }])
  await page.goto('/conversation')
  await untilHandoff(page)
  await expectSignedIn(page)
  await signOutOn(page)
  await expect(page).toHaveURL(/\/login/)
  expect(await context.cookies()).toEqual([])
})
