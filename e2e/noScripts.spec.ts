import { expect } from '@playwright/test'
import { bringSession, test } from './journey.ts'
import { TEXTS } from './steps.ts'

test.describe('a browser that runs no scripts', () => {
  for (const path of ['/', '/login', '/conversation', '/admin/system'])
    test(`is told in every language that they are needed, at ${path}`, async ({ browser, address, person }) => {
      const context = await browser.newContext({ javaScriptEnabled: false })
      if (path !== '/login') await bringSession(context, person, address)
      const page = await context.newPage()
      await page.goto(new URL(path, address).href)
      await expect(page.getByRole('alert').locator('p')).toHaveText(
        Object.values(TEXTS).map(texts => texts['app.noScripts']),
      )
      await expect(page.getByRole('alert')).toBeVisible()
      // Nothing stands there as if it worked.
      await expect(page.getByRole('button')).toHaveCount(0)
      await expect(page.getByRole('textbox')).toHaveCount(0)
      await context.close()
    })
})
