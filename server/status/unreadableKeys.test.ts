import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { UserRead } from '#contract/users.ts'
import type { CredentialsRead } from '#contract/configuration/credentials.ts'
import type { UnreadableKey } from '#contract/status.ts'
import type { UpstreamRead } from '#contract/upstreams.ts'
import { eachStorage, type NewStorage } from '#testing/database.ts'
import { fakeEndpoint, listOf } from '#testing/fakeEndpoint.ts'
import type { Person } from '#testing/person.ts'
import { type Portal, startPortal } from '#testing/portal.ts'
import type { Simulator } from '#simulator/simulator.ts'

type Storage = Awaited<ReturnType<NewStorage>>
const TOKEN = 'token-of-the-web'

/** A portal with every kind of key, each for an endpoint of its own, before and after what a test does to it. */
async function aPortalWithKeys(storage: Storage) {
  const main = await fakeEndpoint({ models: listOf('gpt-4') })
  const second = await fakeEndpoint({ models: listOf('gpt-4') })
  const web = await fakeEndpoint({ models: { items: [] } })
  const own = await fakeEndpoint({ models: listOf('gpt-4') })
  const endpoints = [main, second, web, own]
  const lines: Record<string, unknown>[] = []
  const open = (simulator?: Simulator) =>
    startPortal({
      storage,
      simulator,
      log: line => lines.push(JSON.parse(line) as Record<string, unknown>),
      environment: {
        OPENAI_API_KEY: '',
        OPENAI_BASE_URL: `${main.url}/v1`,
        COMMONS_OPENAI_WEB_ENABLED: 'true',
        COMMONS_OPENAI_WEB_CHATGPT_BASE_URL: `${web.url}/`,
        COMMONS_AUTH_ALLOW_PRIVATE_CUSTOM_URLS: '["127.0.0.1"]',
      },
    })
  const first = await open()
  await first.admin.result('PUT', '/system/credentials', {
    openai_api_key: 'sk-main-0123',
    openai_web_access_token: TOKEN,
  })
  const added = { source: 'openai_api', label: 'Second', base_url: `${second.url}/v1`, secret: 'sk-second-0123' }
  const { id } = await first.admin.result<UpstreamRead>('POST', '/system/upstreams', added)
  const mei = await first.person('mei')
  await first.admin.result('PATCH', `/user/${mei.id}/setting`, {
    openai_api: {
      allow_custom_openai_api: true,
      custom_openai_api_settings: { url: `${own.url}/v1`, key: 'sk-own-0123' },
    },
  })
  const reopen = async () => {
    await first.close()
    if ('data_dir' in storage) await rm(join(storage.data_dir, 'secret.key'), { force: true })
    for (const { received } of endpoints) received.length = 0
    lines.length = 0
    const again = await open()
    return { portal: again, mei: mei.at(again.url) }
  }
  const requests = () => endpoints.flatMap(({ received }) => received)
  return { first, id, mei, main, second, web, own, lines, reopen, requests }
}

const tipOf = async (person: Person, more = {}) =>
  String((await person.ask('hello', { new_title: 'x', ...more })).at(-1)?.['tip'])
const keysOf = ({ admin }: Portal) => admin.result<UnreadableKey[]>('GET', '/system/unreadable-keys')
const upstreamsOf = ({ admin }: Portal) => admin.result<UpstreamRead[]>('GET', '/system/upstreams')

eachStorage((database, storage) => {
  describe(`keys that cannot be opened, on ${database}`, () => {
    test('are named, each, and nothing is asked in their place, until they are entered again', async () => {
      const { id, lines, reopen, requests, main, own, second, web } = await aPortalWithKeys(await storage())
      const { portal, mei } = await reopen()
      const { admin } = portal

      const all: UnreadableKey[] = [
        { of: 'settings', name: 'openai_web_access_token' },
        { of: 'settings', name: 'openai_api_key' },
        { of: 'account', id, source: 'openai_api', label: 'Second' },
        { of: 'user', id: mei.id, username: 'mei', nickname: 'mei' },
      ]
      expect(await keysOf(portal)).toEqual(all)
      const said = lines.filter(({ msg }) => String(msg).includes('cannot be opened'))
      expect(said).toMatchObject(all.map(({ of, ...which }) => ({ level: 50, key_of: of, ...which })))

      for (const upstream of await upstreamsOf(portal))
        expect(upstream).toMatchObject({
          _set: { secret: { set: false, unreadable: true } },
          health: { state: 'attention', until: null, message: 'errors.keyUnreadable' },
        })
      const { _set } = await admin.result<CredentialsRead>('GET', '/system/credentials')
      expect(_set).toMatchObject({
        openai_api_key: { set: false, unreadable: true, kept_for: null, origin: 'stored' },
        openai_web_access_token: { set: false, unreadable: true },
      })
      const { setting } = await mei.result<UserRead>('GET', '/user/me')
      expect(setting.openai_api.custom_openai_api_settings).toEqual({
        url: `${own.url}/v1`,
        key: '',
        key_unreadable: true,
      })

      expect(await tipOf(mei)).toBe('errors.ownKeyUnreadable')
      expect(await tipOf(admin)).toBe('errors.keyUnreadable')
      expect(await tipOf(admin, { source: 'openai_web' })).toBe('errors.keyUnreadable')
      const [webFirst] = (await upstreamsOf(portal)).filter(({ source }) => source === 'openai_web')
      for (const [method, path, body] of [
        ['GET', '/system/check-openai-web-account'],
        ['GET', '/chat/openai-plugins?limit=10'],
        ['POST', '/system/action/read-models'],
        ['POST', `/system/upstreams/${id}/test`],
        ['POST', `/system/upstreams/${webFirst?.id}/test`],
        ['POST', `/system/upstreams/${id}/read-models`],
        ['POST', '/system/upstreams/test', { source: 'openai_api', id, base_url: `${second.url}/v1`, secret: '' }],
        ['POST', '/system/action/sync-openai-web-conv'],
      ] as const)
        await admin.call(method, path, body)
      expect(requests()).toEqual([])

      // Blank leaves what is stored as it is: neither opened nor empty.
      await admin.result('PUT', '/system/credentials', { openai_api_key: '', openai_web_access_token: '' })
      const own_api = { url: `${own.url}/v1`, key: '' }
      await mei.result('PUT', '/user/me/openai-api', own_api)
      await admin.result('PATCH', `/system/upstreams/${id}`, { secret: '', label: 'Second' })
      expect(await keysOf(portal)).toEqual(all)
      expect(requests()).toEqual([])

      await admin.result('PUT', '/system/credentials', {
        openai_api_key: 'sk-main-new',
        openai_web_access_token: TOKEN,
      })
      await admin.result('PATCH', `/system/upstreams/${id}`, { secret: 'sk-second-new' })
      await admin.result('PATCH', `/user/${mei.id}/setting`, {
        openai_api: { custom_openai_api_settings: { url: `${own.url}/v1`, key: 'sk-own-new' } },
      })
      expect(await keysOf(portal)).toEqual([])
      for (const { health } of await upstreamsOf(portal)) expect(health.message).not.toBe('errors.keyUnreadable')
      await tipOf(mei)
      await tipOf(admin)
      await admin.call('POST', `/system/upstreams/${webFirst?.id}/test`)
      const keys = [...main.received, ...second.received, ...own.received, ...web.received]
      expect(new Set(keys.map(({ headers }) => headers.authorization))).toEqual(
        new Set(['Bearer sk-main-new', 'Bearer sk-second-new', 'Bearer sk-own-new', `Bearer ${TOKEN}`]),
      )
    })

    test('of which one row alone is damaged leave the others as they are, and are asked around', async () => {
      const { first, id, main, second } = await aPortalWithKeys(await storage())
      const { database: kysely } = first.app.services.open
      await kysely.updateTable('upstreams').set({ sealed_secret: 'v1.damaged' }).where('id', '=', id).execute()
      await first.app.services.upstreams.snapshot.reload()
      expect(await keysOf(first)).toEqual([{ of: 'account', id, source: 'openai_api', label: 'Second' }])
      main.received.length = 0
      second.received.length = 0
      for (const _ of [1, 2, 3]) await tipOf(first.admin)
      expect(second.received).toEqual([])
      expect(main.received.length).toBeGreaterThanOrEqual(3)
    })
  })
})
