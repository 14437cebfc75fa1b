import { describe, expect, onTestFinished, test } from 'vitest'
import { question, type Person } from '#testing/person.ts'
import { ensureOwn } from '#server/upstreams/store.ts'
import { startPortal, type Portal } from '#testing/portal.ts'
import { startSimulator } from '#simulator/simulator.ts'

/**
 * Loopback counts as private, so a second simulator stands for an endpoint that only the start configuration can let
 * people use.
 */
const LISTED = { COMMONS_AUTH_ALLOW_PRIVATE_CUSTOM_URLS: '["127.0.0.1"]' }

async function aSimulator() {
  const simulator = await startSimulator({ tokens_per_second: 0 })
  onTestFinished(() => simulator.close())
  return simulator
}

const settings = (url: string | null, key: string | null, allow = true) => ({
  openai_api: { allow_custom_openai_api: allow, custom_openai_api_settings: { url, key } },
})

async function refusedAsk(person: Person): Promise<string> {
  const chat = await person.chat(question('hello', { new_title: 'x' }))
  await chat.closed
  return String(chat.frames.at(-1)?.['tip'])
}

/** As if the address had been public when it was stored, and means something else now. */
async function storeAddress({ app }: Portal, user_id: number, url: string): Promise<void> {
  await ensureOwn(app.services.open.database, user_id, 'openai_api', 1)
  await app.services.open.database
    .updateTable('user_source_settings')
    .set({ custom_openai_api_url: url, allow_custom_openai_api: true })
    .where('user_id', '=', user_id)
    .where('source', '=', 'openai_api')
    .execute()
}

describe('a person’s own endpoint', () => {
  test('is asked with their own key, for answers and for titles; the shared upstream hears nothing', async () => {
    const { person, admin, simulator } = await startPortal({ environment: LISTED })
    const own = await aSimulator()
    const lin = await person()
    await admin.result('PATCH', `/user/${lin.id}/setting`, settings(own.url, 'own-key'))
    expect((await lin.ask('hello')).map(frame => frame.type)).toContain('finished')
    expect(own.journal.map(entry => entry.authorization)).toEqual(['Bearer own-key', 'Bearer own-key'])
    expect(simulator.journal).toEqual([])
  })

  test('without a key never sees the shared one', async () => {
    const { person, admin, simulator } = await startPortal({ environment: LISTED })
    const own = await aSimulator()
    const lin = await person()
    await admin.result('PATCH', `/user/${lin.id}/setting`, settings(own.url, null))
    await lin.ask('hello')
    expect(own.journal.map(entry => entry.authorization)).toEqual(['', ''])
    expect(simulator.journal).toEqual([])
  })

  test('is left alone once it is not allowed any more', async () => {
    const { person, admin, simulator } = await startPortal({ environment: LISTED })
    const own = await aSimulator()
    const lin = await person()
    await admin.result('PATCH', `/user/${lin.id}/setting`, settings(own.url, 'own-key'))
    await admin.result('PATCH', `/user/${lin.id}/setting`, { openai_api: { allow_custom_openai_api: false } })
    await lin.ask('hello', { new_title: 'x' })
    expect(own.journal).toEqual([])
    expect(simulator.journal.map(entry => entry.authorization)).toEqual(['Bearer test-key'])
  })

  test('inside the portal’s own network is refused when it is entered, however it is spelt', async () => {
    const { person, admin } = await startPortal()
    const lin = await person()
    const hosts = [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '0.0.0.0',
      '10.1.2.3',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '100.64.0.1',
      '169.254.169.254',
      '[::]',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[64:ff9b::7f00:1]',
      '[fd00::1]',
      '[fe80::1]',
      'localhost',
      'localhost.',
      'a.localhost',
      '224.0.0.1',
      '255.255.255.255',
    ]
    for (const host of hosts) {
      for (const scheme of ['http', 'https']) {
        const { message } = await admin.call(
          'PATCH',
          `/user/${lin.id}/setting`,
          settings(`${scheme}://${host}/v1/`, 'k'),
        )
        expect(message, `${scheme}://${host}`).toBe('errors.addressNotAllowed')
      }
    }
    for (const url of [
      'ftp://example.org/',
      'https://me:secret@example.org/v1/',
      'example.org',
      'file:///etc/passwd',
      'https://',
    ]) {
      expect((await admin.call('PATCH', `/user/${lin.id}/setting`, settings(url, 'k'))).message, url).toBe(
        'errors.requestValidationError',
      )
    }
    expect(await lin.result('GET', '/user/me')).toMatchObject({
      setting: { openai_api: { custom_openai_api_settings: { url: null } } },
    })
  })

  test('that has come to mean an internal address is refused when it is asked, and nobody is connected to', async () => {
    const portal = await startPortal()
    const canary = await aSimulator()
    const lin = await portal.person()
    for (const url of [
      canary.url,
      canary.url.replace('127.0.0.1', 'localhost'),
      canary.url.replace('http:', 'https:'),
    ]) {
      await storeAddress(portal, lin.id, url)
      expect(await refusedAsk(lin), url).toBe('errors.addressNotAllowed')
    }
    expect(canary.journal).toEqual([])
    expect(portal.simulator.journal).toEqual([])
  })
})

describe('the shared upstream', () => {
  test('gets the key that was entered for it, and at another origin none until one is entered', async () => {
    const { person, admin, simulator } = await startPortal({ environment: { OPENAI_BASE_URL: '', OPENAI_API_KEY: '' } })
    const other = await aSimulator()
    const lin = await person()
    await admin.result('PUT', '/system/config', { openai_api: { openai_base_url: simulator.url } })
    await admin.result('PUT', '/system/credentials', { openai_api_key: 'sk-entered' })
    await lin.ask('one', { new_title: 'x' })
    expect(simulator.journal.at(-1)?.authorization).toBe('Bearer sk-entered')
    await admin.result('PUT', '/system/config', { openai_api: { openai_base_url: other.url } })
    await lin.ask('two', { new_title: 'x' })
    expect(other.journal.map(entry => entry.authorization)).toEqual([''])
  })

  test('with a key and no address is not the simulator, which never sees a real key', async () => {
    const { app } = await startPortal({ environment: { OPENAI_BASE_URL: '', OPENAI_API_KEY: 'sk-real' } })
    const { upstreams } = app.services
    const upstream = upstreams.endpoint(upstreams.ofSettings('openai_api'), 'gpt_4', null)
    expect(upstream).toMatchObject({ base_url: 'https://api.openai.com/v1/', key: 'sk-real' })
  })
})
