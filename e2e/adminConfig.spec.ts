import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import type { Configuration, ConfigurationRead } from '#contract/configuration/configuration.ts'
import type { CredentialsRead } from '#contract/configuration/credentials.ts'
import { fill } from '#web/i18n/fill.ts'
import { bringSession, expect, test } from './journey.ts'
import type { Account } from './startPortal.ts'
import { TEXTS } from './steps.ts'

const LENGTH = 'asking.max_queue_length'
const LEASE = 'asking.lease_seconds'
const TOKEN = 'credentials.openai_web_access_token'
const SECRET = 'token-of-the-web-4711'

const setting = (page: Page, path: string): Locator => page.locator(`[data-path="${path}"]`)
const field = (page: Page, path: string): Locator => setting(page, path).locator('input').first()
const stored = (admin: Account) => admin.result<ConfigurationRead & Configuration>('GET', '/system/config')

for (const language of ['zh-CN', 'en-US'] as const) {
  const t = TEXTS[language]

  test.describe(`the settings in ${language}`, () => {
    test.use({ locale: language })

    test.beforeEach(async ({ page, context, portal }) => {
      const admin = await portal.admin()
      await admin.result('PATCH', '/user/me/preferences', { language })
      await bringSession(context, admin, portal.url)
      await page.goto('/admin/config')
      await expect(page.getByRole('heading', { level: 1, name: t['admin.config'] })).toBeVisible()
    })

    // Other files use the same portal.
    test.afterEach(async ({ portal }) => {
      const admin = await portal.admin()
      await admin.result('PATCH', '/user/me/preferences', { language: 'zh-CN' })
    })

    test('are changed, saved with who changed them, and set back to their defaults', async ({ page, portal }) => {
      const admin = await portal.admin()
      const row = setting(page, LENGTH)
      await expect(row).toContainText(t['settings.from.default'])
      await expect(page.getByTestId('save')).toHaveCount(0)

      await field(page, LENGTH).fill('0')
      await expect(row).toContainText(fill(t['settings.wrong.between'], { low: 1, high: 10_000 }, language))
      await expect(page.getByTestId('save')).toBeDisabled()
      await expect(page.getByText(fill(t['settings.mistakes'], { count: 1 }, language))).toBeVisible()
      await field(page, LENGTH).fill('9')
      await expect(row).toContainText(t['settings.undo'])
      await expect(page.getByRole('navigation', { name: t['settings.sections'] })).toContainText('1')
      await page.getByTestId('save').click()
      await expect(page.getByTestId('save')).toHaveCount(0)
      await expect(row).toBeFocused()
      expect((await stored(admin)).asking.max_queue_length).toBe(9)
      await expect(row).toContainText('admin')

      await field(page, 'portal.time_zone').fill('Mars/Olympus')
      await page.getByTestId('save').click()
      const refused = t['config.portal.time_zone.wrong']
      await expect(setting(page, 'portal.time_zone').getByRole('alert')).toHaveText(refused)
      await expect(page.getByTestId('save')).toBeDisabled()
      await setting(page, 'portal.time_zone').getByRole('button', { name: t['settings.undo'] }).click()

      await row.getByRole('button', { name: t['settings.backToDefault'] }).click()
      await field(page, LEASE).fill('20')
      await page.getByTestId('save').click()
      const dialog = page.getByRole('dialog')
      await expect(dialog).toContainText(t[`config.${LENGTH}`])
      await expect(dialog).toContainText('200')
      await expect(dialog).toContainText(t['settings.restart'])
      await dialog.getByRole('button', { name: t['settings.confirm.verb'] }).click()
      await expect(page.getByTestId('save')).toHaveCount(0)
      const after = await stored(admin)
      expect([after._origins[LENGTH], after.asking.lease_seconds]).toEqual(['default', 20])
      await admin.result('PUT', '/system/config', { _reset: [LEASE] })
    })

    test('that two change at once are told to both, and lose neither', async ({ page, portal }) => {
      const other = await portal.admin()
      await field(page, LENGTH).fill('12')
      await field(page, 'portal.name').fill('我的')
      await field(page, TOKEN).fill('token-of-mine-0815')
      await other.result('PUT', '/system/config', {
        asking: { max_queue_length: 15 },
        portal: { show_names_in_line: true },
      })
      await other.result('PUT', '/system/credentials', { openai_web_access_token: SECRET })
      await page.getByTestId('save').click()
      await page.getByRole('dialog').getByRole('button', { name: t['settings.confirm.verb'] }).click()
      const conflict = setting(page, LENGTH).getByTestId('conflict')
      await expect(conflict).toContainText('15')
      await expect(conflict).toContainText('admin')
      await expect(page.getByTestId('save')).toBeDisabled()
      expect((await stored(other)).portal.name).toBe(null)
      const secret = setting(page, TOKEN).getByTestId('conflict')
      await expect(secret).toContainText('admin')
      await secret.getByRole('button', { name: t['settings.conflict.theirs'] }).click()
      await expect(field(page, TOKEN)).toHaveValue('')
      const isMine = language === 'zh-CN'
      await conflict
        .getByRole('button', { name: t[isMine ? 'settings.conflict.mine' : 'settings.conflict.theirs'] })
        .click()
      await page.getByTestId('save').click()
      if (isMine) await page.getByRole('dialog').getByRole('button', { name: t['settings.confirm.verb'] }).click()
      await expect(page.getByTestId('save')).toHaveCount(0)
      const { asking, portal: named } = await stored(other)
      expect([asking.max_queue_length, named.name, named.show_names_in_line]).toEqual([isMine ? 12 : 15, '我的', true])
      const { _set } = await other.result<CredentialsRead>('GET', '/system/credentials')
      expect(_set['openai_web_access_token']?.last4).toBe('4711')
      await other.result('PUT', '/system/credentials', { openai_web_access_token: null })
      await other.result('PUT', '/system/config', { _reset: [LENGTH, 'portal.name', 'portal.show_names_in_line'] })
    })

    test('of the environment are locked, and those of the start say how they are changed', async ({ page }) => {
      for (const [path, words] of [
        ['openai_api.openai_base_url', 'OPENAI_BASE_URL'],
        ['credentials.openai_api_key', 'OPENAI_API_KEY'],
        ['http.trusted_proxies', 'COMMONS_HTTP_TRUSTED_PROXIES'],
      ] as const) {
        await expect(setting(page, path)).toContainText(words)
        await expect(setting(page, path).locator('input, button, select')).toHaveCount(0)
      }
    })

    test('that are secret are written, never read, and cleared', async ({ page, portal }) => {
      const admin = await portal.admin()
      await field(page, TOKEN).fill(SECRET)
      await page.getByTestId('save').click()
      const row = setting(page, TOKEN)
      await expect(row).toContainText('4711')
      await expect(row).toContainText('admin')
      await expect(field(page, TOKEN)).toHaveValue('')
      await expect(field(page, TOKEN)).toHaveAttribute('placeholder', t['settings.secret.set'])
      const read = await admin.result<CredentialsRead>('GET', '/system/credentials')
      expect(read._set['openai_web_access_token']).toMatchObject({ set: true, changed_by: 'admin' })
      expect(JSON.stringify([read, await stored(admin), portal.printed()])).not.toContain(SECRET)
      await row.getByRole('button', { name: t['settings.secret.clear'] }).click()
      await page.getByRole('dialog').getByRole('button', { name: t['settings.secret.clear.verb'] }).click()
      await expect(field(page, TOKEN)).toHaveAttribute('placeholder', t['settings.secret.notSet'])
      const cleared = await admin.result<CredentialsRead>('GET', '/system/credentials')
      expect(cleared._set['openai_web_access_token']).toMatchObject({ set: false, origin: null })
    })

    test('are found by their names and helps, kept in the address, and exported without secrets', async ({ page }) => {
      const filter = page.getByRole('textbox', { name: t['settings.search'] })
      await filter.fill(`${t[`config.${LENGTH}`]} queue_length`)
      await expect(page.getByTestId('setting')).toHaveCount(1)
      await expect(page).toHaveURL(/words=/)
      await page.reload()
      await expect(page.getByTestId('setting')).toHaveCount(1)
      await filter.fill('zebra crossing')
      await expect(page.getByText(fill(t['settings.noneFound'], { words: 'zebra crossing' }, language))).toBeVisible()
      await page.getByRole('button', { name: t['settings.showAll'] }).click()
      await expect(page.getByTestId('setting').nth(50)).toBeAttached()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: t['settings.export'] }).click(),
      ])
      expect(download.suggestedFilename()).toMatch(/^chat-commons-settings-\d{4}-\d\d-\d\d\.json$/)
      const exported = JSON.parse(await readFile(await download.path(), 'utf8'))
      expect(exported.asking.max_queue_length).toBe(200)
      expect(JSON.stringify(exported)).not.toMatch(
        /metrics_token|database_url|_password|"password"|key-of-the-journeys/,
      )
    })

    test('that are not saved keep the page from being left without a word', async ({ page }) => {
      await field(page, LENGTH).fill('8')
      await page.getByTestId('admin-nav-system').click()
      await page.getByRole('dialog').getByRole('button', { name: t['drawer.stay'] }).click()
      await expect(page).toHaveURL('/admin/config')
      await expect(field(page, LENGTH)).toHaveValue('8')
      await page.getByTestId('discard').click()
      await expect(field(page, LENGTH)).toHaveValue('200')
      await page.getByTestId('admin-nav-system').click()
      await expect(page).toHaveURL('/admin/system')
    })
  })
}
