import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { aSimulator } from '#testing/dataFolder.ts'
import { aPostgresqlAddress, eachStorage } from '#testing/database.ts'
import { newId } from '#server/foundation/ids.ts'
import { question } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { type PushedBrowser, startPushService, vapidClaims } from '#testing/pushService.ts'

const LOOPBACK = { COMMONS_AUTH_ALLOW_PRIVATE_CUSTOM_URLS: '["127.0.0.1"]' }
const DEVICES = '/user/me/notices/devices'

type Read = { public_key: string | null; devices: number; reminder: object | null }

eachStorage((_, newStorage) => {
  async function opened(environment: Record<string, string> = {}) {
    const portal = await startPortal({ storage: await newStorage(), environment: { ...LOOPBACK, ...environment } })
    const service = await startPushService()
    const lin = await portal.person()
    const add = (browser: PushedBrowser) => lin.result('POST', DEVICES, browser.subscription)
    const read = () => lin.result<Read>('GET', '/user/me/notices')
    return { portal, service, lin, add, read }
  }

  describe('a portal whose people are told', () => {
    test('sends that an answer is ready, and nothing of what was asked or answered', async () => {
      const { lin, service, add } = await opened()
      const browser = service.browser()
      await add(browser)
      await lin.result('PATCH', '/user/me/preferences', { language: 'en-US' })
      const frames = await lin.ask('外婆的药和葡萄柚', { new_title: '外婆的药' })
      const { conversation_id } = frames.find(({ type }) => type === 'accepted') ?? {}
      const [shown] = await browser.untilShown(1)
      expect(shown).toEqual({
        kind: 'answer',
        language: 'en-US',
        conversation_id,
        title: null,
        label: null,
        seconds: expect.any(Number),
        has_failed: false,
      })
      const [raw] = browser.raw()
      expect(raw?.toString('latin1')).not.toContain(Buffer.from('外婆').toString('latin1'))
    })
    test('signs with a key of its own, which pages are given', async () => {
      const { lin, service, add, read } = await opened({ COMMONS_PORTAL_PUBLIC_ORIGIN: '' })
      const { public_key } = await read()
      const browser = service.browser()
      await add(browser)
      await lin.ask('你好')
      await browser.untilShown(1)
      const { key, claims } = vapidClaims(service.pushed[0]?.headers ?? {})
      expect(key).toBe(public_key)
      expect(claims).toMatchObject({ aud: service.url, sub: expect.stringMatching(/^(mailto|https):/) })
      expect(Number(claims['exp']) * 1000 - Date.now()).toBeLessThanOrEqual(86_400_000)
      expect(service.pushed[0]?.headers).toMatchObject({ ttl: '43200', 'content-encoding': 'aes128gcm' })
    })
    test('keeps the private half out of every answer and, readable, out of the database', async () => {
      const { portal, read } = await opened()
      const { public_key } = await read()
      const row = await portal.app.services.open.database.selectFrom('push_keys').selectAll().executeTakeFirstOrThrow()
      expect(row.public_key).toBe(public_key)
      expect(row.private_key).toMatch(/^v1\./)
    })
    test('sends nothing to a browser where somebody has signed out, or whose person was deactivated', async () => {
      const { portal, lin, service, add } = await opened()
      await add(service.browser())
      const devices = () => portal.app.services.open.database.selectFrom('push_subscriptions').selectAll().execute()
      expect(await devices()).toHaveLength(1)
      await lin.result('POST', '/auth/logout')
      expect(await devices()).toEqual([])
      const wang = await portal.person()
      await wang.result('POST', DEVICES, service.browser().subscription)
      await portal.admin.result('PATCH', `/user/${wang.id}`, { is_active: false })
      expect(await devices()).toEqual([])
    })
    test('goes on telling where the password was changed, and stops telling at the other browsers', async () => {
      const { portal, lin, service, add } = await opened()
      await add(service.browser())
      await lin.result('PATCH', '/user/me', { password: 'plum-blossom-9' })
      const rows = await portal.app.services.open.database.selectFrom('push_subscriptions').selectAll().execute()
      expect(rows).toHaveLength(1)
    })
    test('is not told of what it looks at', async () => {
      const { portal, lin, service, add } = await opened()
      portal.simulator.setPace(200)
      const browser = service.browser()
      await add(browser)
      const chat = await lin.chat(question('/simulate tokens=60', { new_title: 'x' }))
      const { conversation_id } = await chat.until(({ type }) => type === 'accepted')
      await lin.result('POST', '/user/me/notices/view', { page_id: newId(), conversation_id })
      await chat.closed
      await portal.app.services.notices.deliver()
      expect(browser.shown()).toEqual([])
    })
    test('reminds of a model that may be asked already at once', async () => {
      const { lin, service, add } = await opened()
      const browser = service.browser()
      await add(browser)
      const moment = new Date().toISOString()
      await lin.result('PUT', '/user/me/notices/reminder', {
        source: 'openai_api',
        model: 'gpt_4',
        label: 'GPT-4',
        moment,
      })
      expect(await browser.untilShown(1)).toMatchObject([{ kind: 'window', label: 'GPT-4' }])
    })
  })

  describe('a portal where an administrator switched notices off', () => {
    test('gives no key, adds no browser and tells those it has nothing', async () => {
      const { portal, lin, service, add, read } = await opened()
      const browser = service.browser()
      await add(browser)
      await portal.admin.result('PUT', '/system/config', { portal: { browser_notices: false } })
      expect(await read()).toMatchObject({ public_key: null, devices: 1 })
      expect(await lin.call('POST', DEVICES, service.browser().subscription)).toMatchObject({
        message: 'errors.noticesOff',
      })
      await lin.ask('你好')
      await portal.app.services.notices.deliver()
      expect(browser.shown()).toEqual([])
    })
  })

  describe('a browser that is to be told', () => {
    test('has an address of the public internet, by https', async () => {
      const portal = await startPortal({ storage: await newStorage() })
      const { keys } = (await startPushService()).browser().subscription
      for (const endpoint of [
        'http://127.0.0.1:9/x',
        'https://127.0.0.1/x',
        'https://[::1]/x',
        'https://2130706433/x',
        'https://localhost/x',
        'https://10.0.0.1/x',
        'https://169.254.169.254/latest',
        'https://[::ffff:7f00:1]/x',
        'http://93.184.215.14/x',
        'https://user:password@93.184.215.14/x',
        'https://93.184.215.14:22/x',
      ])
        expect(await portal.admin.call('POST', DEVICES, { endpoint, keys }), endpoint).toMatchObject({
          message: 'errors.addressNotAllowed',
        })
    })
    test('has keys of a browser', async () => {
      const { lin, service } = await opened()
      const { endpoint, keys } = service.browser().subscription
      const noPoint = randomBytes(65).toString('base64url')
      for (const wrong of [
        { endpoint, keys: { ...keys, p256dh: noPoint } },
        { endpoint, keys: { ...keys, p256dh: 'x' } },
        { endpoint, keys: { ...keys, auth: `${keys.auth}x` } },
        { endpoint: 'javascript:alert(1)', keys },
        { endpoint: `${service.url}/${'x'.repeat(1_000)}`, keys },
        { endpoint: 7, keys },
        { endpoint },
      ])
        expect(await lin.call('POST', DEVICES, wrong)).toMatchObject({ code: 422 })
    })
  })

  describe('a reminder', () => {
    test('has a source that there is, a moment, and a model with a name', async () => {
      const { lin, read } = await opened()
      const reminder = { source: 'openai_api', model: 'gpt_4', label: 'GPT-4', moment: '2027-01-01T00:00:00Z' }
      for (const wrong of [
        { source: 'x' },
        { moment: 'soon' },
        { label: '' },
        { label: 'x'.repeat(101) },
        { model: 1 },
      ])
        expect(await lin.call('PUT', '/user/me/notices/reminder', { ...reminder, ...wrong })).toMatchObject({
          code: 422,
        })
      expect(await read()).toMatchObject({ reminder: null })
    })
  })
})

describe('two servers on one database', () => {
  test('have one key, and tell of an answer once, wherever the page that looks at it is', async () => {
    const storage = { database_url: await aPostgresqlAddress() }
    const simulator = await aSimulator()
    const environment = { ...LOOPBACK, COMMONS_SECRET_KEY: randomBytes(32).toString('base64') }
    const [one, two] = await Promise.all([0, 1].map(() => startPortal({ storage, simulator, environment })))
    if (one === undefined || two === undefined) throw new Error('no portals')
    const service = await startPushService()
    const lin = await one.person()
    const browser = service.browser()
    const keys = await Promise.all(
      [one, two].map(({ url }) =>
        lin
          .at(url)
          .result<Read>('GET', '/user/me/notices')
          .then(read => read.public_key),
      ),
    )
    expect(keys[0]).toBe(keys[1])
    await lin.result('POST', DEVICES, browser.subscription)
    await lin.ask('你好')
    await browser.untilShown(1)
    await Promise.all([one, two].map(({ app }) => app.services.notices.deliver()))
    expect(browser.shown()).toHaveLength(1)
  })
})
