import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Page } from '@playwright/test'
import { expect, test } from './journey.ts'
import { TEXTS } from './steps.ts'
import { OFFLINE_TEXTS } from '#web/i18n/offline.ts'

test.use({ warm: false })

// The service worker is registered some time after the page has loaded.
test.describe.configure({ timeout: 180_000 })

async function untilPrepared(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => null))
}

test('the page can be installed, with icons that are there', async ({ page }) => {
  await page.goto('/home')
  const address = (await page.locator('link[rel=manifest]').getAttribute('href')) ?? ''
  const manifest = await page.request.get(address)
  expect(manifest.headers()['content-type']).toContain('application/manifest+json')
  const { name, start_url, display, icons } = await manifest.json()
  expect({ name, start_url, display }).toEqual({
    name: 'Chat Commons',
    start_url: '/conversation',
    display: 'standalone',
  })
  for (const { src, type, sizes } of icons) {
    const icon = await page.request.get(src)
    expect([icon.status(), icon.headers()['content-type']], src).toEqual([200, type])
    if (type === 'image/png') {
      // In a PNG, width and height follow the signature.
      const bytes = await icon.body()
      expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, src).toBe(sizes)
    }
  }
  expect((await page.request.get('/icons/apple-touch.png')).status()).toBe(200)
})

test('nothing of the page or its answers is kept by the worker', async ({ chatPage }) => {
  await expect(chatPage.getByTestId('composer')).toBeVisible()
  await untilPrepared(chatPage)
  await chatPage.reload()
  await expect(chatPage.getByTestId('composer')).toBeVisible()
  expect(await chatPage.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
  expect(await chatPage.evaluate(() => caches.keys())).toEqual([])
  const worker = await chatPage.request.get('/worker.js')
  expect(worker.headers()).toMatchObject({
    'content-type': expect.stringContaining('javascript'),
    'cache-control': 'no-cache',
  })
})

for (const [language, texts] of [
  ['zh-CN', OFFLINE_TEXTS['zh-CN']],
  ['en-US', OFFLINE_TEXTS['en-US']],
] as const) {
  test(`without a server the page says so in ${language}, and comes back by itself`, async ({
    chatPage,
    person,
    portal,
  }) => {
    await person.result('PATCH', '/user/me/preferences', { language, theme: 'dark' })
    await chatPage.reload()
    await expect(chatPage.getByTestId('composer')).toHaveAttribute(
      'placeholder',
      TEXTS[language]['composer.placeholderFiles'],
    )
    await untilPrepared(chatPage)
    await chatPage.getByTestId('composer').fill('half a question')
    await portal.kill()
    await chatPage.reload()
    await expect(chatPage.getByRole('heading', { name: texts.away })).toBeVisible()
    await expect(chatPage.getByRole('status')).toHaveText(texts.awayText)
    await expect(chatPage.locator('html')).toHaveAttribute('lang', language)
    await expect(chatPage.locator('html')).toHaveAttribute('data-theme', 'dark')
    await portal.startAgain()
    // The page tries again after a pause, which grows each time.
    await expect(chatPage.getByTestId('composer')).toHaveValue('half a question', { timeout: 60_000 })
  })
}

test('behind a proxy that has lost the server the page says so as well', async ({ chatPage, portal }) => {
  await expect(chatPage.getByTestId('composer')).toBeVisible()
  await untilPrepared(chatPage)
  await chatPage.getByTestId('composer').fill('half a question')
  await portal.kill()
  await using proxy = await aProxyWithoutServer(portal.url)
  await chatPage.reload()
  await expect(chatPage.getByRole('heading', { name: OFFLINE_TEXTS['zh-CN'].away })).toBeVisible()
  await proxy.end()
  await portal.startAgain()
  await expect(chatPage.getByTestId('composer')).toHaveValue('half a question', { timeout: 60_000 })
})

/** Answers in place of the portal, as nginx does when the server is down. */
async function aProxyWithoutServer(url: string) {
  const server = createServer((_request, response) => {
    response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>502 Bad Gateway</h1>')
  })
  await once(server.listen(Number(new URL(url).port), '127.0.0.1'), 'listening')
  const end = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  return { end, [Symbol.asyncDispose]: end }
}
