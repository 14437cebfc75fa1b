import type { Locator, Page } from '@playwright/test'
import type { Deletion } from '#contract/conversationAdministration.ts'
import type { UserPage } from '#contract/userAdministration.ts'
import { fill } from '#web/i18n/fill.ts'
import { bringSession, expect, test } from './journey.ts'
import { seedConversations } from './manyConversations.ts'
import type { Account } from './startPortal.ts'
import { TEXTS } from './steps.ts'

const rows = (page: Page): Locator => page.getByTestId('admin-row')
const rowOf = (page: Page, title: string): Locator => rows(page).filter({ hasText: title })
const tick = (row: Locator) => row.getByRole('checkbox').check()

async function countOf(admin: Account, query: string): Promise<number> {
  return (await admin.result<{ total: number }>('GET', `/system/conversations?${query}`)).total
}

for (const { language, mark } of [
  { language: 'zh-CN', mark: 'zh' },
  { language: 'en-US', mark: 'en' },
] as const) {
  const t = TEXTS[language]

  test(`conversations are found, assigned, hidden, restored and destroyed, in ${language}`, async ({
    page,
    context,
    portal,
  }) => {
    test.slow()
    const admin = await portal.admin()
    await seedConversations(portal, admin, mark)
    await admin.result('PATCH', '/user/me/preferences', { language })
    await bringSession(context, admin, portal.url)
    await page.goto('/admin/conversation')
    await expect(page.getByTestId('admin-table')).toBeVisible()
    const bulk = page.getByTestId('admin-bulk')

    await test.step('nobody’s are found by a chip and words, which the address keeps', async () => {
      await page.getByRole('button', { name: fill(t['conv.nobodysCount'], { count: 3 }, language) }).click()
      await expect(rows(page)).toHaveCount(3)
      await page.getByLabel(t['conv.search']).fill('two pages RESUME')
      await expect(rows(page)).toHaveCount(1)
      await page.reload()
      await expect(rowOf(page, 'Résumé')).toHaveCount(1)
      await expect(page).toHaveURL(/owner=nobody/)
      await page.getByLabel(t['conv.search']).fill('')
      await expect(rows(page)).toHaveCount(3)
    })

    await test.step('they are assigned to somebody, whose limit it says', async () => {
      await page.getByRole('checkbox', { name: t['table.selectPage'] }).check()
      await bulk.getByTestId('bulk-assign').click()
      const panel = page.getByTestId('assign-panel')
      await panel.getByLabel(t['conv.findPerson']).fill(`zhouxz${mark}`)
      await expect(panel.getByTestId('person')).toHaveCount(1)
      await expect(panel).toContainText(fill(t['conv.overLimit'], { used: 4, max: 5 }, language))
      await panel.getByLabel(t['conv.findPerson']).fill(`hexm${mark}`)
      await expect(panel).toContainText(fill(t['conv.room'], { used: 4, left: 6 }, language))
      await panel.getByTestId('person').click()
      await panel.getByRole('button', { name: fill(t['conv.assign'], { count: 3 }, language) }).click()
      await expect(bulk).toContainText(fill(t['conv.sum.assign'], { count: 3 }, language))
      await expect(rows(page)).toHaveCount(3)
      for (const row of await rows(page).all()) {
        await expect(row).toContainText(t['conv.is.assign'])
        await expect(row).toContainText('何小满')
      }
      const { rows: found } = await admin.result<UserPage>('GET', `/system/users?words=hexm${mark}`)
      expect(await countOf(admin, `owner=${found[0]?.id}`)).toBe(7)
      await bulk.getByRole('button', { name: t['table.closeSum'] }).click()
      await expect(rows(page)).toHaveCount(0)
    })

    await test.step('some are hidden, and that is undone', async () => {
      await page.goto(`/admin/conversation?words=${mark}&sort=title&order=asc`)
      await tick(rowOf(page, 'Résumé'))
      await tick(rowOf(page, '团购接龙'))
      await bulk.getByTestId('bulk-hide').click()
      await expect(bulk).toContainText(fill(t['conv.sum.hide'], { count: 2 }, language))
      await expect(rowOf(page, 'Résumé')).toContainText(t['conv.is.hide'])
      expect(await countOf(admin, `words=${mark}&state=hidden`)).toBe(2)
      await bulk.getByTestId('bulk-undo').click()
      await expect(bulk).toContainText(fill(t['conv.sum.restore'], { count: 2 }, language))
      expect(await countOf(admin, `words=${mark}&state=hidden`)).toBe(0)
      await bulk.getByRole('button', { name: t['table.closeSum'] }).click()
    })

    await test.step('some are destroyed, once the words are typed', async () => {
      await tick(rowOf(page, 'Résumé'))
      await tick(rowOf(page, '团购接龙'))
      await bulk.getByTestId('bulk-vanish').click()
      const dialog = page.getByRole('dialog')
      const verb = dialog.getByRole('button', { name: t['conv.vanishVerb'] })
      await expect(verb).toBeDisabled()
      await dialog.getByRole('textbox').fill(fill(t['conv.vanishTyped'], { count: 2 }, language))
      await verb.click()
      await expect(bulk).toContainText(fill(t['conv.sum.vanish'], { count: 2 }, language))
      await expect(rowOf(page, 'Résumé')).toContainText(t['conv.is.vanish'])
      await expect(rowOf(page, 'Résumé').getByRole('link')).toHaveCount(0)
      expect(await countOf(admin, `words=${mark}+Résumé`)).toBe(0)
      await bulk.getByRole('button', { name: t['table.closeSum'] }).click()
      await expect(rowOf(page, 'Résumé')).toHaveCount(0)
    })

    await test.step('one is read in another tab, with a reason', async () => {
      const link = rowOf(page, 'Mei Ling').first().getByRole('link')
      const path = (await link.getAttribute('href')) ?? ''
      await admin.result('POST', `${path}/oversight`, { reason: 'asked', text: 'they asked me to look' })
      const [viewer] = await Promise.all([context.waitForEvent('page'), link.click({ modifiers: ['ControlOrMeta'] })])
      await expect(viewer.getByText((await link.textContent()) ?? '').first()).toBeVisible()
      await viewer.close()
    })

    await test.step('all are hidden while nobody looks, and restored together', async () => {
      const valid = await countOf(admin, 'state=valid')
      await page.getByRole('button', { name: t['kit.more'] }).click()
      await page.getByTestId('hide-all').click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox').fill(fill(t['conv.hideAllTyped'], { count: valid }, language))
      const answered = page.waitForResponse(response => response.url().endsWith('/system/conversations/bulk'))
      await dialog.getByRole('button', { name: t['conv.hideAllVerb'] }).click()
      await answered
      await page.goto('about:blank')
      await expect.poll(() => countOf(admin, 'state=valid')).toBe(0)
      await page.goto('/admin/conversation')
      await page.getByRole('button', { name: t['kit.more'] }).click()
      await page.getByTestId('deletions').click()
      await page.getByTestId('restore-deletion').first().click()
      await expect(bulk).toContainText(fill(t['conv.sum.restore'], { count: valid }, language))
      expect(await countOf(admin, 'state=valid')).toBe(valid)
      expect((await admin.result<Deletion[]>('GET', '/system/deletions')).filter(({ of_all }) => of_all)).toEqual([])
    })
    await admin.result('PATCH', '/user/me/preferences', { language: 'zh-CN' })
  })
}
