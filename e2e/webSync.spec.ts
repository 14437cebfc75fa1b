import type { Locator, Page } from '@playwright/test'
import type { UpstreamRead } from '#contract/upstreams.ts'
import { fill } from '#web/i18n/fill.ts'
import { checkAccessibility, checkContrast } from './checkAccessibility.ts'
import { bringSession, expect, test } from './journey.ts'
import type { Account, Portal } from './startPortal.ts'
import { ADMIN_TEXTS, answers, ask, TEXTS, untilAnswered } from './steps.ts'

const t = TEXTS['zh-CN']
const TOKEN = 'token-of-the-first'
/** Of a session that ends at that time, as the web service writes it: nobody looks at its signature. */
const tokenUntil = (time: number) =>
  [{ alg: 'none' }, { exp: Math.floor(time / 1000) }, {}]
    .map(part => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
const DAY = 86_400_000

// A portal of its own: its first web account is set here.
test.use({ portalOptions: { environment: { COMMONS_OPENAI_WEB_ENABLED: 'true' } } })
test.describe.configure({ mode: 'serial' })

let admin: Account

test.beforeAll(async ({ portal }) => {
  admin = await portal.admin()
  await admin.result('PUT', '/system/config', {
    openai_web: { chatgpt_base_url: portal.simulator.webUrl, enable_team_subscription: true },
  })
  await admin.result('PUT', '/system/credentials', { openai_web_access_token: TOKEN })
})

const rows = (page: Page): Locator => page.getByTestId('admin-row')
const account = (portal: Portal) => portal.simulator.web.account(TOKEN)

async function startSync(page: Page): Promise<void> {
  await page.getByTestId('sync').click()
  await page.getByRole('dialog').getByRole('button', { name: t['conv.sync.verb'] }).click()
}

test('conversations of a web account are found, given to a person who reads and continues them, and kept when a list is cut off', async ({
  page,
  context,
  portal,
  openPageFor,
}) => {
  test.slow()
  const lin = await portal.person()
  account(portal).addConversations(200)
  await bringSession(context, admin, portal.url)
  await page.goto('/admin/conversation')

  await test.step('a sync says how far it is, and can be stopped', async () => {
    portal.simulator.web.nextFault('list', { kind: 'silence' })
    await startSync(page)
    const running = page.getByTestId('sync-running')
    await expect(running).toContainText(fill(t['conv.sync.running'], { name: t['sources.openai_web'] }, 'zh-CN'))
    await expect(running).toContainText(t['conv.sync.goesOn'])
    await expect(page.getByTestId('sync')).toBeDisabled()
    await checkAccessibility(page)
    await running.getByTestId('stop-sync').click()
    await expect(page.getByTestId('sync-result')).toContainText(t['conv.sync.stopped'])
  })

  await test.step('what it finds is nobody’s, and is there at once', async () => {
    await startSync(page)
    const result = page.getByTestId('sync-result')
    await expect(result).toContainText(t['conv.sync.done'])
    await expect(result).toContainText(fill(t['conv.sync.sum'], { seen: 200, added: 200, gone: 0 }, 'zh-CN'))
    await expect(rows(page).first()).toContainText(t['conv.found'])
    await expect(page.getByRole('heading', { level: 1 }).locator('..')).toContainText(/上次同步 \d\d:\d\d/)
    await checkAccessibility(page)
    await checkContrast(page)
    await result.getByTestId('assign-found').click()
    await expect(page).toHaveURL(/owner=nobody/)
  })

  await test.step('it is read before it is anybody’s, and leads back to where it is assigned', async () => {
    const title = rows(page).first().getByRole('link')
    const words = await title.innerText()
    await title.click()
    await expect(answers(page).first()).toHaveText(/\S/)
    await expect(page.getByRole('banner').getByText(t['history.ofNobody'])).toBeVisible()
    await checkAccessibility(page)
    await page.getByRole('link', { name: t['history.assign'] }).click()
    await expect(rows(page).first()).toContainText(words)
  })

  await test.step('it is assigned to a person', async () => {
    await rows(page).first().getByRole('checkbox').check()
    await page.getByTestId('bulk-assign').click()
    const panel = page.getByTestId('assign-panel')
    await panel.getByLabel(t['conv.findPerson']).fill(lin.username)
    await panel.getByTestId('person').filter({ hasText: lin.username }).click()
    await panel.getByRole('button', { name: fill(t['conv.assign'], { count: 1 }, 'zh-CN') }).click()
    await expect.poll(async () => (await lin.result<unknown[]>('GET', '/conv')).length).toBe(1)
  })

  await test.step('who reads it as it is upstream, and goes on', async () => {
    const [own] = await lin.result<{ conversation_id: string; title: string }[]>('GET', '/conv')
    const chat = await openPageFor(lin)
    await chat.goto(`/conversation?id=${own?.conversation_id}`)
    await expect(answers(chat).first()).toHaveText(/\S/)
    const before = await answers(chat).count()
    await ask(chat, 'And then?')
    await untilAnswered(chat, before + 1)
  })

  await test.step('a list that is cut off hides nothing', async () => {
    portal.simulator.web.nextFault('list', { kind: 'truncated', keep: 50, honest: false }, Infinity)
    await page.goto('/admin/conversation')
    await startSync(page)
    await expect(page.getByTestId('sync-result')).toContainText(t['conv.sync.why.short'])
    const { valid } = await admin.result<{ valid: number }>('GET', '/system/conversations/counts')
    expect(valid).toBe(200)
  })
})

test('the accounts of a token are checked, its team filled in, and its end told before it comes', async ({
  page,
  context,
  portal,
}) => {
  test.slow()
  const upstream = async () =>
    (await admin.result<UpstreamRead[]>('GET', '/system/upstreams')).find(({ source }) => source === 'openai_web')
  const entry = rows(page).filter({ hasText: t['upstreams.tag.openai_web'] }).first()
  await bringSession(context, admin, portal.url)

  await test.step('plans, roles and ends are shown; the only team is the team account', async () => {
    await page.goto('/admin/openai_settings')
    await entry.getByRole('button', { name: t['upstreams.edit'] }).click()
    const check = page.getByTestId('account-check')
    await check.getByTestId('check-accounts').click()
    await expect(check.getByTestId('plan')).toHaveCount(2)
    await expect(check.getByTestId('plan').first()).toContainText('Team')
    await expect(check.getByTestId('plan').first()).toContainText(t['upstreams.role.account-owner'])
    await expect(check.getByTestId('plan').first()).toContainText(t['upstreams.team.chosen'])
    expect((await upstream())?.team_account_id).toMatch(/^[0-9a-f-]{36}$/)
    await checkAccessibility(page)
    await checkContrast(page)
  })

  await test.step('a token that ends tomorrow is warned of, here and on the overview', async () => {
    await admin.result('PUT', '/system/credentials', { openai_web_access_token: tokenUntil(Date.now() + DAY) })
    await page.goto('/admin/openai_settings')
    await expect(entry).toContainText(t['upstreams.state.expiring'])
    await page.goto('/admin/system')
    await expect(page.getByText(t['system.state.expiring'])).toHaveCount(2)
  })

  await test.step('one that has ended is told plainly, and an account that refuses it signs nobody out', async () => {
    await admin.result('PUT', '/system/credentials', { openai_web_access_token: tokenUntil(Date.now() - DAY) })
    await page.goto('/admin/openai_settings')
    await expect(entry).toContainText(t['upstreams.state.expired'])
    await expect(entry.getByRole('link', { name: t['upstreams.repair.token'] })).toBeVisible()
    portal.simulator.web.nextFault('accounts', { kind: 'status', status: 401 })
    await entry.getByRole('button', { name: t['upstreams.edit'] }).click()
    await page.getByTestId('check-accounts').click()
    await expect(page.getByTestId('account-check')).toContainText(ADMIN_TEXTS['zh-CN']['errors.openai.401'])
    await checkContrast(page)
    await page.goto('/admin/system')
    await expect(page.getByText(t['system.state.expired'], { exact: true })).toHaveCount(2)
  })
})
