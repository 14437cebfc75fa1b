import { appendFileSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Locator, Page } from '@playwright/test'
import { bringSession, expect, test } from './journey.ts'
import type { Account, Portal } from './startPortal.ts'
import { TEXTS } from './steps.ts'

const proxyLog = join(mkdtempSync(join(tmpdir(), 'commons-proxy-')), 'access.log')
writeFileSync(proxyLog, 'GET / HTTP/1.1 200\n')

test.use({
  portalOptions: {
    environment: { COMMONS_LOG_CONSOLE_LOG_LEVEL: 'DEBUG', COMMONS_LOG_PROXY_LOG_FILE: proxyLog },
  },
})

/** Pages whose rows are asked for before anything else that they show. */
const LISTS = [
  ['/admin/user', 'users'],
  ['/admin/conversation', 'conversations'],
  ['/admin/log', 'asks'],
] as const

const rows = (page: Page): Locator => page.getByTestId('admin-row')
const lines = (page: Page): Locator => page.getByTestId('log-line')

/** The id of a request that the log has a line about. */
async function requestOf(portal: Portal, { cookie }: Account, path: string): Promise<string> {
  const { headers } = await fetch(`${portal.url}/api${path}`, { headers: { cookie } })
  return headers.get('x-request-id') ?? ''
}

/** The first that a page of the admin area asks for, without its query; in a tab that has asked for nothing before. */
async function firstRequest(context: BrowserContext, path: string): Promise<string> {
  const tab = await context.newPage()
  const asked = tab.waitForRequest(/\/api\/system\//)
  await tab.goto(path)
  const { pathname } = new URL((await asked).url())
  await tab.close()
  return pathname
}

for (const language of ['zh-CN', 'en-US'] as const) {
  const texts = TEXTS[language]

  test(`somebody’s asks are found, counted, saved and opened (${language})`, async ({
    page,
    context,
    portal,
    readIn,
  }) => {
    const admin = await portal.admin()
    await readIn(language, admin)
    const [lin, mei] = [await portal.person(), await portal.person()]
    for (const new_title of ['桌子', '椅子']) await lin.ask('/simulate tokens=5', { new_title })
    await mei.ask('/simulate tokens=5', { new_title: '灯' })
    await mei.ask('/simulate fault=400', { new_title: '钟' })
    await bringSession(context, admin, portal.url)
    for (const [path, list] of LISTS) expect(await firstRequest(context, path)).toBe(`/api/system/${list}`)
    await page.goto('/admin/log')
    await expect(rows(page).first()).toContainText(texts['logs.outcome.failed'])

    const shares = page.getByRole('group', { name: texts['logs.shares'] })
    await shares.getByRole('button', { name: lin.username }).click()
    await expect(page).toHaveURL(new RegExp(`person=${lin.id}`))
    await expect(rows(page)).toHaveCount(2)
    await expect(shares.getByRole('button', { name: mei.username })).toHaveAttribute('data-dim')
    await page.reload()
    await expect(rows(page)).toHaveCount(2)

    const saved = page.waitForEvent('download')
    await page.getByRole('link', { name: texts['logs.csv'] }).click()
    const csv = await (await saved).createReadStream()
    let text = ''
    for await (const piece of csv) text += String(piece)
    expect(text.trim().split(/\r?\n/)).toHaveLength(3)

    await rows(page).filter({ hasText: '桌子' }).getByRole('button').click()
    await expect(page).toHaveURL(/\/conv\//)
    await page.goBack()
    await page.getByRole('button', { name: texts['range.30d'] }).click()
    await expect(page).toHaveURL(/range=30d/)
    await expect(rows(page)).toHaveCount(2)
  })

  test(`the portal’s log is followed, filtered and held still (${language})`, async ({
    page,
    context,
    portal,
    readIn,
  }) => {
    const admin = await portal.admin()
    await readIn(language, admin)
    const lin = await portal.person()
    await bringSession(context, admin, portal.url)
    await page.goto('/admin/log?tab=server')
    await expect(lines(page).first()).toBeVisible()

    const request = await requestOf(portal, lin, '/conv')
    const link = page.getByRole('button', { name: texts['logs.request.light'].replace('{id}', request) })
    await link.click()
    await expect(page.locator('[data-testid=log-line][data-lit]')).toHaveCount(1)
    await page.getByRole('button', { name: texts['logs.request.only'] }).click()
    await expect(lines(page)).toHaveCount(1)
    await page.getByRole('button', { name: texts['logs.request.release'] }).click()

    await expect(lines(page).filter({ hasText: 'route=/conv ' })).not.toHaveCount(0)
    const word = page.getByRole('textbox', { name: texts['logs.without.add'] })
    await word.fill('route=/conv')
    await word.press('Enter')
    await expect(lines(page).filter({ hasText: 'route=/conv ' })).toHaveCount(0)
    await page.reload()
    await expect(lines(page).first()).toBeVisible()
    await expect(lines(page).filter({ hasText: 'route=/conv ' })).toHaveCount(0)

    await Promise.all(Array.from({ length: 80 }, () => lin.call('GET', '/user/me')))
    const last = await requestOf(portal, lin, '/user/me')
    const newest = lines(page).filter({ hasText: last })
    await expect(newest).toBeInViewport()
    const log = page.getByRole('log')
    await log.hover()
    await page.mouse.wheel(0, -600)
    await expect(page.getByTestId('log-follow')).not.toBeChecked()
    await expect(newest).not.toBeInViewport()
    const missed = await requestOf(portal, lin, '/user/me')
    await page.getByTestId('log-follow').check({ force: true })
    await expect(lines(page).filter({ hasText: missed })).toBeInViewport()
  })

  test(`the reverse proxy’s log is followed, without its secrets (${language})`, async ({
    page,
    context,
    portal,
    readIn,
  }) => {
    const admin = await portal.admin()
    await readIn(language, admin)
    await bringSession(context, admin, portal.url)
    await page.goto('/admin/log')
    await page.getByTestId('logs-proxy').click()
    const log = page.getByRole('log')
    await expect(log).toContainText('GET / HTTP/1.1 200')
    appendFileSync(proxyLog, `GET /${language}?token=geheim HTTP/1.1 200\n`)
    await expect(log).toContainText(`GET /${language}?*** HTTP/1.1 200`)
    await expect(log).not.toContainText('geheim')
  })
}
