import type { Page } from '@playwright/test'
import type { UpstreamRead } from '#contract/upstreams.ts'
import type { ConversationRow } from '#contract/conversationAdministration.ts'
import { WEB_TOKEN } from '#simulator/openaiWeb/state/web.ts'
import { asAdministrator, type PictureSession } from './pictureSession.ts'
import { TEXTS } from './steps.ts'

/** Milliseconds, in which what opens or scrolls has come to rest. */
const AT_REST = 400
const DAY = 86_400_000

/**
 * The sync of conversations in each of its states, and what it has found: opened before it is anybody's, and assigned.
 */
export async function sync(session: PictureSession): Promise<void> {
  const { page, look, portal, take } = session
  const { language } = look
  const t = TEXTS[language]
  const { web } = portal.simulator
  const admin = await asAdministrator(session)
  await page.goto('/admin/conversation')
  await page.getByTestId('admin-row').first().waitFor()
  await page.waitForTimeout(AT_REST)
  await take('sync-before')
  const start = async () => {
    const button = page.getByTestId('sync')
    if (await button.isVisible()) await button.click()
    else {
      await page.getByRole('button', { name: t['kit.more'] }).first().click()
      await page.getByRole('menuitem', { name: t['conv.sync'] }).click()
    }
    await page.getByRole('dialog').waitFor()
    await page.waitForTimeout(AT_REST)
  }
  const go = () => page.getByRole('dialog').getByRole('button', { name: t['conv.sync.verb'] }).click()
  const result = page.getByTestId('sync-result')
  web.account(WEB_TOKEN).addConversations(320)
  web.nextFault('list', { kind: 'slow_first_byte', delay_ms: 0 }, 2) // the first page, and the look beyond the end
  web.nextFault('list', { kind: 'silence' })
  await start()
  await take('sync-ask')
  await go()
  await page.getByTestId('sync-running').waitFor()
  await page.waitForTimeout(4_000)
  await take('sync-running')
  await page.goto('/admin/system')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForTimeout(1_500)
  await take('sync-elsewhere')
  await page.goto('/admin/conversation')
  await page.getByTestId('stop-sync').click()
  await result.waitFor()
  await take('sync-stopped')
  web.nextFault('list', { kind: 'page', status: 403 }, Infinity)
  await start()
  await go()
  await page.getByText(t['conv.sync.broke']).waitFor()
  await page.waitForTimeout(AT_REST)
  await take('sync-failed')
  web.clearFaults()
  web.nextFault('list', { kind: 'truncated', keep: 50, honest: false }, Infinity)
  await start()
  await go()
  await page.getByText(t['conv.sync.done']).waitFor()
  await page.waitForTimeout(AT_REST)
  await take('sync-short')
  web.clearFaults()
  await start()
  await go()
  await page.waitForTimeout(2_500)
  await take('sync-done')
  await page.goto('/admin/conversation?owner=nobody')
  await page.getByTestId('admin-row').first().waitFor()
  await take('sync-nobodys')
  const { rows } = await admin.result<{ rows: ConversationRow[] }>('GET', '/system/conversations?owner=nobody&limit=50')
  const found = rows.find(({ source }) => source === 'openai_web')
  await page.goto(`/conv/${found?.conversation_id ?? ''}`)
  await page.waitForTimeout(2_000)
  await take('unowned-viewer')
}

/** Plans of a token, and its end: a day before, and afterwards. */
export async function webAccount(session: PictureSession): Promise<void> {
  const { page, look, portal, take } = session
  const t = TEXTS[look.language]
  const { web } = portal.simulator
  const admin = await asAdministrator(session)
  const entry = page.getByTestId('admin-row').filter({ hasText: t['upstreams.tag.openai_web'] }).first()
  const check = page.getByTestId('account-check')
  const upstreams = await admin.result<UpstreamRead[]>('GET', '/system/upstreams')
  const first = upstreams.find(({ source }) => source === 'openai_web')
  const open = async () => {
    await page.goto(`/admin/openai_settings?open=${first?.id ?? ''}`)
    await check.scrollIntoViewIfNeeded()
    await page.waitForTimeout(AT_REST)
  }
  await open()
  await take('check-unknown')
  await check.getByTestId('check-accounts').click()
  await check.getByTestId('plan').first().waitFor()
  await page.waitForTimeout(AT_REST)
  await check.scrollIntoViewIfNeeded()
  await take('check-plans')
  web.nextFault('accounts', { kind: 'status', status: 401 })
  await check.getByTestId('check-accounts').click()
  await check.getByRole('listitem').first().waitFor()
  await page.waitForTimeout(1_000)
  await take('check-refused')
  for (const [name, end] of [
    ['later', 20 * DAY],
    ['soon', DAY],
    ['over', -DAY],
  ] as const) {
    await endToken(page, new Date(Date.now() + end))
    await page.goto('/admin/openai_settings')
    await entry.waitFor()
    await page.waitForTimeout(AT_REST)
    await take(`token-${name}`)
    await open()
    await take(`token-${name}-open`)
    await page.goto('/admin/system')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByText(t['system.upstreams']).last().scrollIntoViewIfNeeded()
    await page.waitForTimeout(800)
    await take(`token-${name}-overview`)
    await page.unroute('**/api/system/upstreams')
  }
}

/** Lets the token of each web account end then: that of the portal says nothing of it. */
const endToken = (page: Page, end: Date) =>
  page.route('**/api/system/upstreams', async route => {
    const response = await route.fetch()
    const body: { result: { source: string }[] } = await response.json()
    const result = body.result.map(each =>
      each.source === 'openai_web' ? { ...each, token_expire_time: end.toISOString() } : each,
    )
    await route.fulfill({ response, json: { ...body, result } })
  })

/** All shelves of the store, a search, one that finds nothing, and what cannot be read. */
export async function shelves(session: PictureSession): Promise<void> {
  const { page, look, portal, take } = session
  const t = TEXTS[look.language]
  await asAdministrator(session)
  const store = page.getByTestId('plugin-store')
  const show = async (name: string) => {
    await page.waitForTimeout(AT_REST)
    await store.evaluate(section => section.scrollIntoView())
    await take(`store-${name}`)
  }
  for (const shelf of ['installed', 'all', 'most_popular', 'newly_added']) {
    await page.goto(`/admin/openai_settings?plugins=${shelf}`)
    await store.getByTestId('plugin-card').first().waitFor()
    await show(shelf)
  }
  await store.getByPlaceholder(t['upstreams.plugins.search']).fill('map')
  await page.waitForTimeout(800)
  await show('search')
  await store.getByPlaceholder(t['upstreams.plugins.search']).fill('zzz')
  await page.waitForTimeout(800)
  await show('nothing')
  portal.simulator.web.nextFault('install', { kind: 'status', status: 500 })
  await page.goto('/admin/openai_settings?plugins=newly_added')
  await store.getByTestId('install-plugin').first().click()
  await page.waitForTimeout(800)
  await show('install-failed')
}

/** The test of the Arkose endpoint, which answers and then does not. */
export async function arkose(session: PictureSession): Promise<void> {
  const { page, look, portal, take } = session
  const t = TEXTS[look.language]
  const admin = await asAdministrator(session)
  const set = (isOn: boolean) =>
    admin.result('PUT', '/system/config', {
      openai_web: {
        enable_arkose_endpoint: isOn,
        arkose_endpoint_base: isOn ? portal.simulator.arkoseUrl : null,
      },
    })
  await set(true)
  await page.goto('/admin/config?words=arkose')
  const test = page.getByRole('button', { name: t['settings.arkose.test'] })
  await test.click()
  await page.waitForTimeout(2_500)
  await take('arkose-token')
  portal.simulator.arkose.fault = 'script'
  await test.click()
  await page.getByText(t['settings.arkose.script']).waitFor()
  await take('arkose-failed')
  portal.simulator.arkose.fault = null
  await set(false)
}
