import type { Browser, BrowserContext, Page } from '@playwright/test'
import { checkAccessibility } from './checkAccessibility.ts'
import { bringSession, expect, test } from './journey.ts'
import type { Account, Portal } from './startPortal.ts'
import { answers, ask, newConversation, openDialog, TEXTS, untilAnswered } from './steps.ts'

test.use({ portalOptions: { web: true } })

const zhCN = TEXTS['zh-CN']
const GPT_4 = { source: 'openai_web', model: 'gpt_4' } as const

const PLAN = { name: '计划.md', mimeType: 'text/markdown', buffer: Buffer.from('# 计划\n周一开会') }
const DOT = {
  name: 'dot.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==',
    'base64',
  ),
}

const rows = (page: Page) => page.getByTestId('file-row')
const attach = (page: Page, ...files: (typeof PLAN)[]) => page.getByTestId('attach-input').setInputFiles(files)

async function untilReady(page: Page, count: number): Promise<void> {
  await expect(page.locator('[data-testid=file-row][data-phase=ready]')).toHaveCount(count)
}

/** What the storage host was sent, with what it could learn of the portal's token. */
const sentTo = ({ simulator }: Portal) =>
  simulator.journal
    .filter(({ path, web }) => path.startsWith('/storage/') && web?.method === 'PUT')
    .map(({ path, authorization, web }) => ({
      content: Buffer.from(simulator.web.fileOf(path.slice('/storage/'.length))?.content() ?? []),
      token: authorization,
      origin: web?.headers.origin ?? null,
    }))

async function configure(portal: Portal, changed: object): Promise<void> {
  await (await portal.admin()).result('PUT', '/system/config', changed)
}

/** A page that may contact the storage host, which is to be seen here. */
async function unwatchedPage(browser: Browser, { url }: Portal, person: Account): Promise<[Page, BrowserContext]> {
  const context = await browser.newContext({ baseURL: url, locale: 'zh-CN' })
  await bringSession(context, person, url)
  const page = await context.newPage()
  await page.goto('/conversation')
  return [page, context]
}

test('files reach the web account by each way, are asked about and seen, and can be looked through and deleted', async ({
  chatPage: page,
  portal,
  person,
  browser,
}) => {
  test.slow()
  const storage = new URL(portal.simulator.storageUrl).origin

  await test.step('through the portal, while the page sends them', async () => {
    await newConversation(page, GPT_4)
    await attach(page, PLAN, DOT)
    await untilReady(page, 2)
    await checkAccessibility(page)
    await ask(page, '看看这两个文件')
    await untilAnswered(page)
    await expect(page.getByText('计划.md').first()).toBeVisible()
    // The answer names it, in place of the mark of the web service.
    await expect(page.getByTestId('sources')).toContainText('计划.md')
    await expect(answers(page).last()).not.toContainText('†')
    expect(sentTo(portal)).toEqual(
      expect.arrayContaining([PLAN, DOT].map(({ buffer }) => ({ content: buffer, token: '', origin: null }))),
    )
    const asked = portal.simulator.journal.filter(({ path }) => path.endsWith('/conversation')).at(-1)
    expect(JSON.stringify(asked?.body)).toMatch(/"attachments":\[.*计划\.md/)
    expect(JSON.stringify(asked?.body)).toContain('file-service://file-')
  })

  await test.step('through a copy on the server', async () => {
    await configure(portal, { openai_web: { file_upload_strategy: 'server_upload_only' } })
    await attach(page, { ...PLAN, name: '副本.md' })
    await untilReady(page, 1)
    await ask(page, '再看一份')
    await untilAnswered(page, 2)
    expect(sentTo(portal).at(-1)).toEqual({ content: PLAN.buffer, token: '', origin: null })
  })

  await test.step('straight from the browser, where the storage host is allowed', async () => {
    await configure(portal, {
      openai_web: { file_upload_strategy: 'browser_upload_only', upload_origins: [storage] },
    })
    const [direct, context] = await unwatchedPage(browser, portal, person)
    await newConversation(direct, GPT_4)
    await attach(direct, { ...PLAN, name: '直传.md' })
    await untilReady(direct, 1)
    expect(sentTo(portal).at(-1)).toEqual({ content: PLAN.buffer, token: '', origin: portal.url })
    await context.close()
  })

  await test.step('no more than there is space for, and none that the storage host refuses', async () => {
    await configure(portal, {
      openai_web: { file_upload_strategy: 'server_upload_only', upload_origins: [] },
      data: { max_upload_bytes_per_user: 0 },
    })
    await attach(page, PLAN)
    await expect(rows(page).getByRole('alert')).toContainText(/空间|上限|最多/)
    await rows(page).locator('[data-remove]').click()
    await configure(portal, {
      openai_web: { file_upload_strategy: 'browser_upload_only' },
      data: { max_upload_bytes_per_user: 1_000_000 },
    })
    portal.simulator.web.nextFault('storage', { kind: 'redirect', location: `${portal.url}/` })
    await attach(page, PLAN)
    await expect(page.locator('[data-testid=file-row][data-phase=failed]')).toHaveCount(1)
    await expect(rows(page).getByRole('alert')).toHaveText(zhCN['files.notStored'])
    await page.getByRole('button', { name: zhCN['files.again'].replace('{name}', PLAN.name) }).click()
    await untilReady(page, 1)
    await rows(page).locator('[data-remove]').click()
  })

  await test.step('one’s own files', async () => {
    const dialog = await openDialog(page, 'zh-CN', 'userMenu.files')
    const file = (name: string) => dialog.getByTestId('own-file').filter({ hasText: name })
    await expect(dialog.getByTestId('own-file')).toHaveCount(4)
    await expect(file('直传.md')).toContainText(zhCN['ownFiles.unused'])
    await checkAccessibility(page)
    await file('副本.md').getByRole('button').click()
    await dialog.getByRole('button', { name: zhCN['ownFiles.confirm'] }).click()
    await expect(file('副本.md')).toHaveCount(0)
    await file('计划.md').getByRole('link').last().click()
    await expect(dialog).toBeHidden()
    await expect(answers(page)).toHaveCount(2)
  })

  await test.step('a picture of an answer comes from the portal', async () => {
    await newConversation(page, { source: 'openai_web', model: 'gpt_4_dalle' })
    await ask(page, '画一座灯塔')
    await untilAnswered(page)
    const picture = page.getByTestId('pictures').locator('img').first()
    await expect(picture).toHaveAttribute('src', /^\/api\/files\/file-\w+\/content$/)
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  })
})
