import type { Page } from '@playwright/test'
import type { KeepingPreview } from '#contract/keeping.ts'
import { fill } from '#web/i18n/fill.ts'
import { checkAccessibility } from './checkAccessibility.ts'
import { expect, test } from './journey.ts'
import { TEXTS } from './steps.ts'

const rows = (page: Page) => page.getByTestId('conversation-row')
const DAY = 86_400_000

for (const language of ['zh-CN', 'en-US'] as const) {
  const t = TEXTS[language]
  const openDeleted = async (page: Page) => {
    await page.getByRole('button', { name: t['conversations.actionsOfAll'] }).click()
    await page.getByTestId('deleted').click()
    await expect(page.getByRole('dialog', { name: t['deleted.title'] })).toBeVisible()
  }

  test.describe(`in ${language}`, () => {
    test('what was deleted is found with its end, brought back, and gone after its days', async ({
      chatPage: page,
      person,
      portal,
    }) => {
      await person.result('PATCH', '/user/me/preferences', { language })
      for (const title of ['Tea', 'Boat']) await person.ask('hello', { new_title: title })
      await page.reload()
      for (const title of ['Tea', 'Boat']) {
        await page.getByRole('button', { name: fill(t['conversations.actionsOf'], { title }, language) }).click()
        await page.getByRole('menuitem', { name: t['conversations.delete'] }).click()
        await expect(rows(page).filter({ hasText: title })).toHaveCount(0)
      }
      await page.reload()
      await openDeleted(page)
      const deleted = page.getByTestId('deleted-row')
      await expect(deleted).toHaveText([/Boat/, /Tea/])
      await expect(page.getByText(fill(t['deleted.note'], { days: 30 }, language))).toBeVisible()
      await checkAccessibility(page, `deleted ${language}`)
      await deleted.filter({ hasText: 'Tea' }).getByTestId('restore').click()
      await expect(deleted).toHaveText([/Boat/])
      await page.keyboard.press('Escape')
      await expect(rows(page)).toHaveText([/Tea/])

      await portal.deletedBefore(person, 31 * DAY)
      const admin = await portal.admin()
      expect((await admin.result<KeepingPreview>('GET', '/system/keeping')).deleted.conversations).toBeGreaterThan(0)
      await admin.result('POST', '/system/jobs/keeping/start')
      await expect
        .poll(async () => (await person.result<{ conversations: [] }>('GET', '/conv/deleted')).conversations)
        .toEqual([])
      await openDeleted(page)
      await expect(page.getByText(t['deleted.none'])).toBeVisible()
    })

    test('a conversation that is gone soon says so, and stays when it is asked in once more', async ({
      chatPage: page,
      person,
      portal,
    }) => {
      await person.result('PATCH', '/user/me/preferences', { language })
      await person.ask('hello', { new_title: 'Old tea' })
      await portal.usedBefore(person, 89 * DAY)
      const admin = await portal.admin()
      await admin.result('PUT', '/system/config', { keeping: { conversation_days: 90 } })
      await admin.result('POST', '/system/jobs/keeping/start')
      await expect
        .poll(async () => (await person.result<{ ends?: string }[]>('GET', '/conv')).map(({ ends }) => typeof ends))
        .toEqual(['string'])
      await page.reload()
      await expect(page.getByText(fill(t['ending.toast'], { count: 1 }, language))).toBeVisible()
      await rows(page).getByRole('link').click()
      const note = page.getByTestId('ending-note')
      await expect(note).toBeVisible()
      await checkAccessibility(page, `ending ${language}`)
      const download = page.waitForEvent('download')
      await note.getByRole('button', { name: t['ending.download'] }).click()
      expect((await download).suggestedFilename()).toContain('Old tea')
      await page.getByTestId('composer').fill('once more')
      await page.keyboard.press('Enter')
      await expect
        .poll(async () => (await person.result<{ ends?: string }[]>('GET', '/conv')).map(({ ends }) => typeof ends))
        .toEqual(['undefined'])
      await page.reload()
      await expect(page.getByText('once more').first()).toBeVisible()
      await expect(note).toHaveCount(0)
      await admin.result('PUT', '/system/config', { _reset: ['keeping.conversation_days'] })
    })

    test('a conversation that is gone soon is kept by an administrator whom its person asks', async ({
      chatPage: page,
      person,
      portal,
      openPageFor,
      readIn,
    }) => {
      const admin = await portal.admin()
      await readIn(language, admin, person)
      const title = `Old tea in ${language}`
      await person.ask('hello', { new_title: title })
      await portal.usedBefore(person, 89 * DAY)
      await admin.result('PUT', '/system/config', { keeping: { conversation_days: 90 } })
      await admin.result('POST', '/system/jobs/keeping/start')
      const [record] = await person.result<{ conversation_id: string }[]>('GET', '/conv')
      const keepOf = async () => (await person.result<{ ends?: string; keep?: string }[]>('GET', '/conv'))[0]
      await expect.poll(async () => typeof (await keepOf())?.ends).toBe('string')
      await page.goto(`/conversation?id=${record?.conversation_id}`)
      const note = page.getByTestId('ending-note')
      await note.getByTestId('ask-to-keep').click()
      await expect(note).toContainText(t['ending.asked'])
      await checkAccessibility(page, `asked to keep ${language}`)

      const office = await openPageFor(admin)
      await office.goto('/admin/conversation')
      const request = office.getByTestId('keep-request').filter({ hasText: title })
      await checkAccessibility(office, `keep requests ${language}`)
      await request.getByTestId('keep').click()
      await expect(request).toHaveCount(0)
      await page.reload()
      await expect(page.getByText(fill(t['ending.told.kept'], { title }, language))).toBeVisible()
      await expect(note).toHaveCount(0)
      expect((await keepOf())?.keep).toBe('kept')
      await admin.result('PUT', '/system/config', { _reset: ['keeping.conversation_days'] })
    })
  })
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })

  test('what was deleted fits, and is brought back', async ({ chatPage: page, person }) => {
    const title = '一个很长的标题，说的是电热水器换成热泵之后多久能回本以及为什么'
    await person.ask('hello', { new_title: title })
    const [conversation] = await person.result<{ conversation_id: string }[]>('GET', '/conv')
    await person.result('DELETE', `/conv/${conversation?.conversation_id}`)
    await page.reload()
    const t = TEXTS['zh-CN']
    await page.getByRole('button', { name: t['conversations.openList'] }).click()
    await page.getByRole('button', { name: t['conversations.actionsOfAll'] }).click()
    await page.getByTestId('deleted').click()
    const row = page.getByTestId('deleted-row')
    await expect(row).toContainText(title)
    const box = await row.getByTestId('restore').boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? 1000)).toBeLessThanOrEqual(390)
    await checkAccessibility(page, 'deleted on a phone')
    await row.getByTestId('restore').click()
    await expect(page.getByText(t['deleted.none'])).toBeVisible()
    await expect.poll(async () => (await person.result<unknown[]>('GET', '/conv')).length).toBe(1)
  })
})
