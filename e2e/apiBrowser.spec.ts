import { bringSession, expect, test } from './journey.ts'

test('an administrator browses the API at the address that is linked', async ({ page, context, portal }) => {
  await bringSession(context, await portal.admin(), portal.url)
  await page.goto('/admin/system')
  await page.goto((await page.locator('a[href^="/api/docs"]').first().getAttribute('href')) ?? '')
  await expect(page.getByRole('heading', { level: 1, name: /^Chat Commons/ })).toBeVisible()
  await page.getByRole('link', { name: 'status', exact: true }).click()
  await expect(page.getByRole('button', { name: /GET \/status/ }).first()).toBeVisible()
})
