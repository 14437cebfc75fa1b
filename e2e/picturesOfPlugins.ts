import { PLUGIN_MODEL } from '#contract/models.ts'
import { asAdministrator, type PictureSession } from './pictureSession.ts'
import { ask, untilAnswered } from './steps.ts'

/** The picker, the plugins in the header with their details, and what each was asked. */
export async function plugins({ page, take }: PictureSession): Promise<void> {
  await page.goto('/conversation')
  const dialog = page.getByRole('dialog')
  const open = page.getByTestId('new-conversation')
  if (!(await open.isVisible())) await page.getByRole('banner').getByRole('button').first().click()
  await open.click()
  await dialog.getByTestId('new-conversation-source').locator('input[value=openai_web]').check()
  await dialog.getByTestId('new-conversation-model').locator(`input[value=${PLUGIN_MODEL}]`).check()
  await dialog.getByTestId('plugin-search').click()
  await page.getByRole('option').nth(2).click()
  await page.getByRole('option').nth(0).click()
  await page.waitForTimeout(400)
  await take('plugins-choose')
  await page.getByRole('option').nth(3).click()
  await dialog.getByTestId('plugin-search').click()
  await page.getByRole('option').nth(4).click()
  await take('plugins-fourth')
  await dialog.getByTestId('new-conversation-confirm').click()
  await ask(page, '周末去哪里走走？')
  await untilAnswered(page)
  await page.locator('[data-testid=step][data-kind=plugin] summary').first().click()
  await page.waitForTimeout(400)
  await take('plugins-asked')
  await page.getByTestId('plugin-details').first().click()
  await page.waitForTimeout(400)
  await take('plugins-details')
  await page.keyboard.press('Escape')
}

/** The store below the accounts, with the details of one. */
export async function pluginStore(session: PictureSession): Promise<void> {
  const { page, take } = session
  await asAdministrator(session)
  await page.goto('/admin/openai_settings?plugins=most_popular')
  const store = page.getByTestId('plugin-store')
  await store.getByTestId('plugin-card').first().waitFor()
  await store.getByTestId('enable-plugin').first().locator('xpath=ancestor::label[1]').click()
  await store.scrollIntoViewIfNeeded()
  await page.waitForTimeout(400)
  await store.evaluate(section => section.scrollIntoView())
  await take('plugin-store')
  await store.getByTestId('plugin-details').nth(1).click()
  await page.waitForTimeout(400)
  await take('plugin-store-details')
  await page.keyboard.press('Escape')
  await store.getByTestId('enable-plugin').first().locator('xpath=ancestor::label[1]').click()
}
