import { describe, expect, test } from 'vitest'
import { aSimulator } from '#testing/dataFolder.ts'
import { question } from '#testing/person.ts'
import { ensureOwn } from '#server/upstreams/store.ts'
import { startPortal } from '#testing/portal.ts'

const allowed = { openai_api: { allow_custom_openai_api: true } }
const LOOPBACK = { COMMONS_AUTH_ALLOW_PRIVATE_CUSTOM_URLS: '["127.0.0.1"]' }

describe('an endpoint of one’s own', () => {
  test('answers this person alone, with their key and never the shared one', async () => {
    const own = await aSimulator()
    const { person, admin, simulator } = await startPortal({ environment: LOOPBACK })
    const [lin, mei] = [await person(), await person()]
    await admin.result('PATCH', `/user/${lin.id}/setting`, allowed)
    await lin.result('PUT', '/user/me/openai-api', { url: own.url, key: 'my-own-key' })
    await lin.ask('hello', { new_title: 'x' })
    await mei.ask('hello', { new_title: 'x' })
    expect(own.journal.map(entry => entry.authorization)).toEqual(['Bearer my-own-key'])
    expect(simulator.journal.map(entry => entry.authorization)).toEqual(['Bearer test-key'])
    await lin.result('PUT', '/user/me/openai-api', { url: own.url, key: null })
    await lin.ask('again', { new_title: 'y' })
    expect(own.journal.at(-1)?.authorization).not.toContain('test-key')
    await admin.result('PATCH', `/user/${lin.id}/setting`, { openai_api: { allow_custom_openai_api: false } })
    await lin.ask('once more', { new_title: 'z' })
    expect(own.journal).toHaveLength(2)
  })

  test('answers what is asked over a socket that was opened before it was there, or was there no longer', async () => {
    const own = await aSimulator()
    const { person, admin, simulator } = await startPortal({ environment: LOOPBACK })
    const lin = await person()
    const allow = (is: boolean) =>
      admin.result('PATCH', `/user/${lin.id}/setting`, { openai_api: { allow_custom_openai_api: is } })
    await allow(true)
    const before = await lin.silent()
    await lin.result('PUT', '/user/me/openai-api', { url: own.url, key: 'my-own-key' })
    const meanwhile = await lin.silent()
    await allow(false)
    meanwhile.send(question('of the shared one', { new_title: 'x' }))
    await meanwhile.closed
    await allow(true)
    before.send(question('of their own', { new_title: 'y' }))
    await before.closed
    expect([own.journal.length, simulator.journal.length]).toEqual([1, 1])
  })

  test('is refused to who may not have one, and its key is never sent back', async () => {
    const { person, admin } = await startPortal({ environment: LOOPBACK })
    const lin = await person()
    expect(
      await lin.call('PUT', '/user/me/openai-api', { url: 'https://api.example.org/v1/', key: 'k' }),
    ).toMatchObject({ message: 'errors.authorityDeny' })
    await admin.result('PATCH', `/user/${lin.id}/setting`, allowed)
    await lin.result('PUT', '/user/me/openai-api', { url: 'http://127.0.0.1:9/v1/', key: 'canary-key' })
    for (const answer of [await lin.call('GET', '/user/me'), await admin.call('GET', '/user')]) {
      expect(JSON.stringify(answer)).not.toContain('canary-key')
      expect(JSON.stringify(answer)).toContain('http://127.0.0.1:9/v1/')
    }
  })

  test('may not lead into the portal’s own network, when it is saved and when it is asked', async () => {
    const { app, person, admin } = await startPortal()
    const lin = await person()
    await admin.result('PATCH', `/user/${lin.id}/setting`, allowed)
    for (const url of [
      'http://127.0.0.1:8000/',
      'http://[::1]/',
      'http://10.0.0.1/',
      'http://169.254.169.254/',
      'http://0x7f000001/',
      'http://localhost./',
    ]) {
      expect(await lin.call('PUT', '/user/me/openai-api', { url, key: 'k' }), url).toMatchObject({
        message: 'errors.addressNotAllowed',
      })
    }
    // As if the name had come to mean something else after it was saved.
    await ensureOwn(app.services.open.database, lin.id, 'openai_api', 1)
    await app.services.open.database
      .updateTable('user_source_settings')
      .set({ custom_openai_api_url: 'http://127.0.0.1:9/v1/' })
      .where('user_id', '=', lin.id)
      .where('source', '=', 'openai_api')
      .execute()
    const chat = await lin.chat(question('hello', { new_title: 'x' }))
    await chat.closed
    expect(chat.frames.at(-1)).toMatchObject({ type: 'error', tip: 'errors.addressNotAllowed', charged: false })
  })
})
