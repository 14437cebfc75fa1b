import { describe, expect, test } from 'vitest'
import type { ReadModels } from '#contract/configuration/configuration.ts'
import type { UserRead } from '#contract/users.ts'
import type { Portal as PortalStatus } from '#contract/status.ts'
import { aRun } from '#server/foundation/jobs/jobs.testing.ts'
import { testClock } from '#testing/clock.ts'
import { aPostgresqlAddress, eachStorage } from '#testing/database.ts'
import { fakeEndpoint, listOf, type FakeEndpoint } from '#testing/fakeEndpoint.ts'
import type { Person } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'

const DAY = 86_400_000
const READING = { reads_models: true }
/** Nothing but the address is set, as by somebody who has just installed a local endpoint. */
const atAddress = ({ url }: FakeEndpoint) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: '' })

const labels = async (person: Person) =>
  (await person.result<PortalStatus>('GET', '/status/portal')).models
    .filter(({ source }) => source === 'openai_api')
    .map(({ code, label }) => label ?? code)
const readAgain = (admin: Person) => admin.result<ReadModels>('POST', '/system/action/read-models')

eachStorage((_, storage) => {
  describe('an endpoint of which nothing but the address is set', () => {
    test('offers what it lists, and not GPT-3.5 and GPT-4, to people who were there before', async () => {
      const endpoint = await fakeEndpoint({ models: listOf('local-model:8b', 'org/other-model', 'nomic-embed-text') })
      const { person } = await startPortal({ ...READING, storage: await storage(), environment: atAddress(endpoint) })
      const lin = await person()
      await expect.poll(() => labels(lin)).toEqual(['local-model:8b', 'org/other-model'])
      const { setting } = await lin.result<UserRead>('GET', '/user/me')
      expect(setting.openai_api.available_models).toEqual(['local-model:8b', 'org/other-model'])
      expect((await lin.ask('hello', { model: 'org/other-model', new_title: 'x' })).at(-1)).toMatchObject({
        outcome: 'finished',
      })
      expect(endpoint.received.at(-1)).toMatchObject({
        url: '/v1/chat/completions',
        body: { model: 'org/other-model' },
      })
      expect((await lin.ask('hello', { model: 'gpt_4', new_title: 'x' })).at(-1)).toMatchObject({
        type: 'error',
        tip: 'errors.modelNotEnabled',
      })
    })
    test('is remembered over a restart while it cannot be reached', async () => {
      const endpoint = await fakeEndpoint({ models: listOf('local-model:8b') })
      const where = await storage()
      const first = await startPortal({ ...READING, storage: where, environment: atAddress(endpoint) })
      await expect.poll(() => labels(first.admin)).toEqual(['local-model:8b'])
      await first.close()
      await endpoint.close()
      const { admin } = await startPortal({ ...READING, storage: where, environment: atAddress(endpoint) })
      expect(await labels(admin)).toEqual(['local-model:8b'])
      expect(await admin.call('POST', '/system/action/read-models')).toMatchObject({
        code: 502,
        message: 'errors.httpError',
      })
      expect(await labels(admin)).toEqual(['local-model:8b'])
    })
    test('is asked again on request, and what it no longer lists is offered no more', async () => {
      const endpoint = await fakeEndpoint({ models: listOf('a', 'b') })
      const { admin, person } = await startPortal({ storage: await storage(), environment: atAddress(endpoint) })
      const lin = await person()
      expect(await readAgain(admin)).toMatchObject({ listed: 2, models: [{ code: 'a' }, { code: 'b' }] })
      endpoint.models = listOf('b', 'c', 'whisper-1')
      expect(await readAgain(admin)).toMatchObject({ listed: 3, models: [{ code: 'b' }, { code: 'c' }] })
      expect(await labels(lin)).toEqual(['b', 'c'])
      expect((await lin.call('POST', '/system/action/read-models')).message).toBe('errors.authorityDeny')
    })
  })
})

describe('the list of models', () => {
  test('reaches the other servers on the same database', async () => {
    const storage = { database_url: await aPostgresqlAddress() }
    const endpoint = await fakeEndpoint({ models: listOf('a') })
    const [one, two] = [
      await startPortal({ storage, environment: atAddress(endpoint) }),
      await startPortal({ storage, environment: atAddress(endpoint) }),
    ]
    expect(await labels(two.admin)).toEqual(['gpt_3_5', 'gpt_4'])
    await readAgain(one.admin)
    await expect.poll(() => labels(two.admin)).toEqual(['a'])
  })
  test('never delays the start or the end', async () => {
    const endpoint = await fakeEndpoint({ models: null })
    const { admin, close } = await startPortal({ ...READING, environment: atAddress(endpoint) })
    await expect.poll(() => endpoint.received.length).toBe(1)
    expect(await labels(admin)).toEqual(['gpt_3_5', 'gpt_4'])
    await close()
  })
  test('is read when the address or the key changes, each key where it was entered for', async () => {
    const [one, two] = [await fakeEndpoint({ models: listOf('a') }), await fakeEndpoint({ models: listOf('b') })]
    const { admin } = await startPortal({ ...READING, environment: { OPENAI_BASE_URL: '', OPENAI_API_KEY: '' } })
    expect(await labels(admin)).toEqual(['gpt_3_5', 'gpt_4'])
    await admin.result('PUT', '/system/config', { openai_api: { openai_base_url: one.url, key_header: 'api-key' } })
    await admin.result('PUT', '/system/credentials', { openai_api_key: 'key-of-one' })
    await expect.poll(() => one.received.at(-1)?.headers['api-key']).toBe('key-of-one')
    await expect.poll(() => labels(admin)).toEqual(['a'])
    await admin.result('PUT', '/system/config', { openai_api: { openai_base_url: `${two.url}/v1/` } })
    await expect.poll(() => labels(admin)).toEqual(['b'])
    expect(two.received.map(({ url, headers }) => [url, headers['api-key'], headers.authorization])).toEqual([
      ['/v1/models', undefined, undefined],
    ])
    await admin.result('PUT', '/system/config', { openai_api: { openai_base_url: one.url } })
    await expect.poll(() => labels(admin)).toEqual(['a'])
  })
  test('is read once more when the key changes while it is read', async () => {
    const endpoint = await fakeEndpoint({ models: listOf('a') })
    const answered = Promise.withResolvers<void>()
    endpoint.held = answered.promise
    const { admin } = await startPortal({ ...READING, environment: atAddress(endpoint) })
    await expect.poll(() => endpoint.received.length).toBe(1)
    await admin.result('PUT', '/system/credentials', { openai_api_key: 'key-of-later' })
    answered.resolve()
    await expect.poll(() => endpoint.received.at(-1)?.headers.authorization).toBe('Bearer key-of-later')
    await expect.poll(() => labels(admin)).toEqual(['a'])
  })
  test.each([
    ['a page', '<!doctype html>'],
    ['no list', { data: 'x' }],
    ['a status', 404],
    ['a cut list', '{"data":[{"id":"a"}'],
  ])('leaves the models as they are configured where the endpoint answers with %s', async (_kind, models) => {
    const endpoint = await fakeEndpoint({ models })
    const { admin } = await startPortal({ environment: atAddress(endpoint) })
    expect((await admin.call('POST', '/system/action/read-models')).code).toBe(502)
    expect(await labels(admin)).toEqual(['gpt_3_5', 'gpt_4'])
  })
  test('is bounded, however much comes', async () => {
    const endless = `{"data":[${'{"id":"a"},'.repeat(2_000_000)}{"id":"b"}]}`
    const endpoint = await fakeEndpoint({ models: endless })
    const { admin } = await startPortal({ environment: atAddress(endpoint) })
    expect(await admin.call('POST', '/system/action/read-models')).toMatchObject({
      code: 502,
      message: 'errors.openai.unknown',
    })
    endpoint.models = {
      data: Array.from({ length: 100_000 }, (_, at) => ({ id: at % 2 === 0 ? `model-${at}` : `embed-${at}` })),
    }
    const { listed, models } = await readAgain(admin)
    expect([listed, models.length, models[49]?.code]).toEqual([100_000, 50, 'model-98'])
  })
  test('gives way to what an administrator picks', async () => {
    const endpoint = await fakeEndpoint({ models: listOf('a', 'b', 'c') })
    const { admin } = await startPortal({ environment: atAddress(endpoint) })
    await readAgain(admin)
    await admin.result('PUT', '/system/config', { openai_api: { enabled_models: ['c', 'gpt_4'] } })
    expect(await labels(admin)).toEqual(['c', 'gpt_4'])
  })
  test('is not given up by a form that sends back what it has read, and is by GPT-3.5 and GPT-4 alone', async () => {
    const endpoint = await fakeEndpoint({ models: listOf('a') })
    const { admin } = await startPortal({ environment: atAddress(endpoint) })
    await readAgain(admin)
    // Port 0 is for programs that read the printed address, and for no form.
    const { http: _, ...read } = await admin.result<Record<string, unknown>>('GET', '/system/config')
    expect(read['openai_api']).toMatchObject({ enabled_models: ['gpt_3_5', 'gpt_4'], further_models: [] })
    await admin.result('PUT', '/system/config', read)
    expect(await labels(admin)).toEqual(['a'])
    await admin.result('PUT', '/system/config', { openai_api: { enabled_models: ['gpt_3_5', 'gpt_4'] } })
    expect(await labels(admin)).toEqual(['gpt_3_5', 'gpt_4'])
  })
  test('is not asked for with a key alone, nor by the demonstration', async () => {
    for (const OPENAI_API_KEY of ['', 'sk-alone']) {
      const { admin } = await startPortal({ environment: { OPENAI_BASE_URL: '', OPENAI_API_KEY } })
      expect(await readAgain(admin)).toMatchObject({ listed: null, models: [{ code: 'gpt_3_5' }, { code: 'gpt_4' }] })
    }
  })
  test('is read again when a day has passed, and after a failure', async () => {
    const endpoint = await fakeEndpoint({ models: 503 })
    const clock = testClock()
    const { app, admin } = await startPortal({ environment: atAddress(endpoint), clock })
    const run = () => app.services.models.job.run(aRun())
    await expect(run()).rejects.toThrow('errors.openai.500')
    endpoint.models = listOf('a')
    expect(await run()).toEqual({ read: 1 })
    expect(await labels(admin)).toEqual(['a'])
    clock.pass(DAY / 2)
    endpoint.models = listOf('b')
    expect(await run()).toEqual({ read: 0 })
    clock.pass(DAY / 2)
    expect(await run()).toEqual({ read: 1 })
    expect(await labels(admin)).toEqual(['b'])
  })
})
