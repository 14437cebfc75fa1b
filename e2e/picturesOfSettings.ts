import type { Page } from '@playwright/test'
import { asAdministrator, type PictureSession } from './pictureSession.ts'
import { TEXTS } from './steps.ts'

const field = (page: Page, path: string) => page.locator(`[data-path="${path}"]`).locator('input').first()

/**
 * The settings as they are found, with changes of every kind, with a conflict, asked for a confirmation, and searched.
 */
export async function settings(session: PictureSession): Promise<void> {
  const { page, look, take } = session
  const texts = TEXTS[look.language]
  const admin = await asAdministrator(session)
  await admin.result('PUT', '/system/config', {
    asking: { max_queue_length: 60, lease_seconds: 15 },
    openai_web: { max_completion_concurrency: 2 },
    new_users: {
      rate_limits: [{ window_seconds: 10_800, max_requests: 40 }],
      per_model_ask_count: { gpt_4: 100 },
      daily_available_time_slots: [{ start_time: '08:00:00', end_time: '23:59:59' }],
    },
  })
  await page.goto('/admin/config')
  await page.getByTestId('setting').first().waitFor()
  await take('config')
  await field(page, 'openai_web.max_completion_concurrency').fill('3')
  await field(page, 'openai_web.proxy').fill('ftp://proxy.example.org')
  await field(page, 'asking.lease_seconds').fill('20')
  await take('config-changed')
  const contents = page.getByRole('navigation', { name: texts['settings.sections'] })
  for (const section of ['openai_api', 'asking', 'new_users', 'data'] as const) {
    await contents.getByRole('link', { name: texts[`config.${section}`] }).click()
    await page.waitForTimeout(200)
    await take(`config-${section}`)
  }
  await field(page, 'openai_web.proxy').fill('http://proxy.example.org:3128')
  await page.getByTestId('save').click()
  await page.getByRole('dialog').waitFor()
  await page.waitForTimeout(300)
  await take('config-confirm')
  await page.keyboard.press('Escape')
  await admin.result('PUT', '/system/config', { openai_web: { max_completion_concurrency: 5 } })
  await page.getByTestId('save').click()
  await page.getByRole('dialog').getByRole('button', { name: texts['settings.confirm.verb'] }).click()
  await page.getByTestId('conflict').waitFor()
  await page.getByTestId('conflict').scrollIntoViewIfNeeded()
  await take('config-conflict')
  await page.getByTestId('discard').click()
  await page.getByRole('textbox', { name: texts['settings.search'] }).fill('zzz')
  await page.getByText('zzz').last().waitFor()
  await page.waitForTimeout(400)
  await take('config-none-found')
}
