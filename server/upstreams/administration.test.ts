import { describe, expect, test } from 'vitest'
import type { Portal as PortalStatus } from '#contract/status.ts'
import type { UpstreamDraftTest, UpstreamRead } from '#contract/upstreams.ts'
import { aPostgresqlAddress, eachStorage } from '#testing/database.ts'
import { fakeEndpoint, listOf, type FakeEndpoint } from '#testing/fakeEndpoint.ts'
import type { Person } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { startWithTwo } from '#testing/twoUpstreams.ts'

const SECRET_KEY = { COMMONS_SECRET_KEY: 'a-secret-of-all-processes-0123456789' }
const DONE = 'tips.requestSuccess'
const KEY = 'sk-of-the-second-1234'

const list = (admin: Person) => admin.result<UpstreamRead[]>('GET', '/system/upstreams')
const at = ({ url }: FakeEndpoint, more: object = {}) => ({
  source: 'openai_api',
  label: 'Second',
  base_url: `${url}/v1`,
  secret: KEY,
  ...more,
})
const add = (admin: Person, body: object) => admin.result<UpstreamRead>('POST', '/system/upstreams', body)
const change = (admin: Person, { id }: UpstreamRead, body: object) =>
  admin.call('PATCH', `/system/upstreams/${id}`, body)
const changed = async (admin: Person, before: UpstreamRead, body: object) => {
  const { message, result } = await change(admin, before, body)
  expect(message).toBe(DONE)
  return result as UpstreamRead // of a change that was made
}
const codes = async (person: Person) =>
  (await person.result<PortalStatus>('GET', '/status/portal')).models
    .filter(({ source }) => source === 'openai_api')
    .map(({ code }) => code)
const authorizations = ({ received }: FakeEndpoint) => received.map(({ headers }) => headers.authorization ?? null)

eachStorage((_, storage) => {
  describe('the upstreams', () => {
    test('are the first of each source, which shows what the settings say, until others are added', async () => {
      const { admin, simulator } = await startPortal({ storage: await storage() })
      expect(await list(admin)).toEqual([
        expect.objectContaining({ source: 'openai_web', removable: false, enabled: false, concurrency: 1 }),
        expect.objectContaining({
          source: 'openai_api',
          removable: false,
          credential: 'openai_api_key',
          base_url: simulator.url,
          concurrency: 256,
          secret: '',
          _set: { secret: { set: true, last4: null, changed_by: null, changed_at: null, unreadable: false } },
          health: { state: 'normal', since: null, until: null, message: null },
        }),
      ])
    })
    test('added are tested, and what they list is offered and answered by them, with their own key', async () => {
      const endpoint = await fakeEndpoint({ models: listOf('mistral', 'gpt-4') })
      const { admin, person, simulator } = await startPortal({ storage: await storage() })
      const added = await add(admin, at(endpoint))
      expect(added).toMatchObject({
        label: 'Second',
        locked: [],
        removable: true,
        secret: '',
        _set: { secret: { set: true, last4: '1234', changed_by: 'admin', changed_at: expect.any(String) } },
        last_test: { message: null, listed: 2 },
        models: [{ code: 'mistral', offered: true }, { code: 'gpt-4' }],
      })
      const lin = await person()
      expect(await codes(lin)).toEqual(['gpt_3_5', 'gpt_4', 'mistral'])
      expect(new Set(authorizations(endpoint))).toEqual(new Set([`Bearer ${KEY}`]))
      expect(simulator.journal.map(entry => entry.authorization).includes(`Bearer ${KEY}`)).toBe(false)
      expect(JSON.stringify(await list(admin))).not.toContain(KEY)
      expect((await lin.call('GET', '/system/upstreams')).message).toBe('errors.authorityDeny')
    })
    test('are there after a restart, with their secrets', async () => {
      const endpoint = await fakeEndpoint({ models: listOf('mistral') })
      const where = { storage: await storage(), environment: SECRET_KEY }
      const before = await startPortal(where)
      const { id } = await add(before.admin, at(endpoint))
      await before.close()
      const { admin } = await startPortal(where)
      endpoint.received.length = 0
      const tested = await admin.result<UpstreamRead>('POST', `/system/upstreams/${id}/test`)
      expect(tested.last_test?.message).toBe(null)
      expect(new Set(authorizations(endpoint))).toEqual(new Set([`Bearer ${KEY}`]))
      expect(await codes(admin)).toContain('mistral')
    })
    test('are changed field by field, and never by two who do not know of each other', async () => {
      const endpoint = await fakeEndpoint({ models: listOf('mistral') })
      const { admin } = await startPortal({ storage: await storage() })
      const added = await add(admin, at(endpoint, { concurrency: 3 }))
      const renamed = await changed(admin, added, { label: 'Renamed', secret: '' })
      expect(renamed).toMatchObject({ label: 'Renamed', concurrency: 3, _set: { secret: { set: true } } })
      const mine = { label: 'Mine', concurrency: 5 }
      const stale = await change(admin, added, { ...mine, expected: { label: 'Second', concurrency: 3 } })
      expect(stale).toMatchObject({ message: 'errors.changedMeanwhile', detail: [{ loc: ['body', 'label'] }] })
      expect((await list(admin)).at(-1)).toEqual(renamed)
      const [one, other] = await Promise.all(
        [6, 7].map(concurrency => change(admin, renamed, { concurrency, expected: { concurrency: 3 } })),
      )
      expect([one?.message, other?.message].toSorted()).toEqual(['errors.changedMeanwhile', DONE])
    })
    test('are changed by two at once where each changes something else: a key, the models, what one of them takes', async () => {
      const endpoint = await fakeEndpoint({ models: listOf('mistral', 'qwen') })
      const { admin } = await startPortal({ storage: await storage() })
      const added = await add(admin, at(endpoint))
      const changed_at = added._set.secret.changed_at
      const pick = { code: 'quick', name: 'qwen', label: 'Quick', context_length: null }
      const settings = added.model_settings.map(({ code, name, set, request_fields }) => ({
        code,
        name,
        set,
        request_fields,
      }))
      const mine = settings.map(({ set, ...model }) => ({ ...model, set: { ...set, takes_pictures: true } }))
      const theirs = settings.map(({ set, ...model }) => ({ ...model, set: { ...set, uses_tools: true } }))
      const changes = [
        { secret: 'sk-entered-by-lin', expected: { secret: changed_at } },
        { models: [pick], expected: { models: null } },
        { model_settings: mine, expected: { model_settings: settings } },
      ]
      for (const each of changes) expect((await change(admin, added, each)).message).toBe(DONE)
      const refused = [
        { secret: 'sk-entered-by-sue', expected: { secret: changed_at } },
        { models: [], expected: { models: null } },
        { model_settings: theirs, expected: { model_settings: settings } },
      ]
      for (const each of refused) expect((await change(admin, added, each)).message).toBe('errors.changedMeanwhile')
      // What is already so is nobody's conflict.
      for (const each of changes.slice(1)) expect((await change(admin, added, each)).message).toBe(DONE)
    })
    test('send a key only where it was entered for', async () => {
      const [one, other] = [
        await fakeEndpoint({ models: listOf('mistral') }),
        await fakeEndpoint({ models: listOf('qwen') }),
      ]
      const { admin } = await startPortal({ storage: await storage() })
      const added = await add(admin, at(one))
      const stays = await changed(admin, added, { base_url: `${one.url}/v2` })
      expect(stays._set.secret.set).toBe(true)
      const moved = await changed(admin, stays, { base_url: `${other.url}/v1` })
      expect(moved._set.secret).toEqual({
        set: false,
        last4: null,
        changed_by: null,
        changed_at: null,
        unreadable: false,
      })
      expect(new Set(authorizations(other))).toEqual(new Set([null]))
      expect(await codes(admin)).toEqual(['gpt_3_5', 'gpt_4', 'qwen'])
      const entered = await changed(admin, moved, { secret: 'sk-other' })
      expect(authorizations(other).at(-1)).toBe('Bearer sk-other')
      expect((await changed(admin, entered, { secret: null }))._set.secret.set).toBe(false)
    })
    test('take a query apart from the address, and a header of their own for the key', async () => {
      const endpoint = await fakeEndpoint({ models: listOf('deployment') })
      const { admin } = await startPortal({ storage: await storage() })
      const added = await add(
        admin,
        at(endpoint, { base_url: `${endpoint.url}/v1?api-version=1`, key_header: 'api-key' }),
      )
      expect(added).toMatchObject({ base_url: `${endpoint.url}/v1`, query: 'api-version=1', key_header: 'api-key' })
      expect(endpoint.received[0]).toMatchObject({ url: '/v1/models?api-version=1', headers: { 'api-key': KEY } })
    })
    test('offer what is picked of them, and what they list again when nothing is', async () => {
      const endpoint = await fakeEndpoint({ models: listOf('mistral', 'qwen') })
      const { admin } = await startPortal({ storage: await storage() })
      const added = await add(admin, at(endpoint))
      const pick = { code: 'quick', name: 'qwen', label: 'Quick', context_length: 4096 }
      const picked = await changed(admin, added, { models: [pick] })
      expect(picked).toMatchObject({ models_picked: true, models: [{ ...pick, offered: true }] })
      expect(await codes(admin)).toEqual(['gpt_3_5', 'gpt_4', 'quick'])
      const read = await admin.result<UpstreamRead>('POST', `/system/upstreams/${added.id}/read-models`)
      expect(read.models.map(({ code, offered }) => [code, offered])).toEqual([
        ['quick', true],
        ['mistral', false],
      ])
      const listed = await changed(admin, read, { models: null })
      expect(listed.models_picked).toBe(false)
      expect(await codes(admin)).toEqual(['gpt_3_5', 'gpt_4', 'mistral', 'qwen'])
    })
    test('are paused and resumed by name, and offer their models all the while', async () => {
      const { admin, upstreams, app } = await startWithTwo({ storage: await storage() })
      const paused = await admin.result<UpstreamRead>('POST', `/system/upstreams/${upstreams[1]}/pause`)
      expect(paused).toMatchObject({ paused_by: admin.id, paused_since: expect.any(String) })
      const serving = () => app.services.upstreams.serving('openai_api', 'gpt_4').map(({ id }) => id)
      expect([serving(), await codes(admin)]).toEqual([[upstreams[0]], ['gpt_3_5', 'gpt_4']])
      const resumed = await admin.result<UpstreamRead>('POST', `/system/upstreams/${upstreams[1]}/resume`)
      expect(resumed).toMatchObject({ paused_by: null, paused_since: null })
      expect(serving()).toEqual(upstreams)
    })
    test('are removed with what they listed; the first of a source never', async () => {
      const endpoint = await fakeEndpoint({ models: listOf('mistral') })
      const { admin } = await startPortal({ storage: await storage() })
      const { id } = await add(admin, at(endpoint))
      expect((await admin.call('DELETE', `/system/upstreams/${id}`)).code).toBe(200)
      expect(await codes(admin)).toEqual(['gpt_3_5', 'gpt_4'])
      const [first] = (await list(admin)).filter(({ source }) => source === 'openai_api')
      expect((await admin.call('DELETE', `/system/upstreams/${first?.id}`)).message).toBe('errors.upstreamIsFirst')
      expect((await change(admin, first!, { base_url: endpoint.url })).message).toBe('errors.upstreamIsFirst')
      expect(await changed(admin, first!, { label: 'Main' })).toMatchObject({ label: 'Main' })
    })
    test('that are not there are not found, whatever is asked of them', async () => {
      const { admin } = await startPortal({ storage: await storage() })
      for (const [method, path, body] of [
        ['PATCH', '', {}],
        ['DELETE', '', undefined],
        ['POST', '/pause', undefined],
        ['POST', '/resume', undefined],
        ['POST', '/test', undefined],
        ['POST', '/read-models', undefined],
      ] as const)
        expect((await admin.call(method, `/system/upstreams/9999${path}`, body)).message).toBe(
          'errors.upstreamNotFound',
        )
    })
  })
})

describe('an upstream', () => {
  test.each([
    ['a key that is not taken', 401, 'errors.openai.401'],
    ['too much to do', 429, 'errors.openai.429'],
    ['a page', '<!doctype html>', 'errors.openai.webPage'],
  ])('that answers its test with %s is kept, and says so', async (_kind, models, message) => {
    const endpoint = await fakeEndpoint({ models })
    const { admin } = await startPortal()
    const added = await add(admin, at(endpoint))
    expect(added.last_test).toMatchObject({ message, listed: null })
    expect(added.last_tested).not.toBe(null)
    endpoint.models = listOf('mistral')
    const tested = await admin.result<UpstreamRead>('POST', `/system/upstreams/${added.id}/test`)
    expect(tested).toMatchObject({ last_test: { message: null, listed: 1 }, health: { state: 'normal' } })
  })
  test('whose key is not taken needs attention until it is', async () => {
    const endpoint = await fakeEndpoint({ models: 401 })
    const { admin } = await startPortal()
    const added = await add(admin, at(endpoint))
    expect(added.health).toMatchObject({ state: 'attention', message: 'errors.openai.401' })
    endpoint.models = listOf('mistral')
    expect((await changed(admin, added, { secret: 'sk-right' })).health).toMatchObject({ state: 'normal' })
  })
  test('that never answers is given up in bounded time', async () => {
    const endpoint = await fakeEndpoint({ models: null })
    const { admin } = await startPortal()
    const { last_test, models } = await add(admin, at(endpoint))
    expect(last_test?.message).toBe('errors.upstreamTimeout')
    expect(models).toEqual([])
  })
  test('that cannot be reached says so', async () => {
    const { admin } = await startPortal()
    const added = await add(admin, { source: 'openai_api', label: 'Away', base_url: 'http://127.0.0.1:9/v1' })
    expect(added.last_test?.message).toBe('errors.httpError')
  })
  test.each([
    ['no label', { label: ' ' }],
    ['an address with a password', { base_url: 'http://a:b@127.0.0.1/v1' }],
    ['no address', { base_url: 'ftp://x' }],
    ['a header that carries something else', { key_header: 'Host' }],
    ['two queries', { base_url: 'http://127.0.0.1:9/v1?a=1', query: 'b=2' }],
    ['a key that no header can carry', { secret: 'a b' }],
    ['no concurrency', { concurrency: 0 }],
    [
      'a model named twice',
      { models: ['a', 'a'].map(code => ({ code, name: code, label: null, context_length: null })) },
    ],
  ])('with %s is refused', async (_what, wrong) => {
    const { admin } = await startPortal()
    const before = await list(admin)
    const refused = await admin.call('POST', '/system/upstreams', { source: 'openai_api', label: 'x', ...wrong })
    expect([refused.code, refused.message]).toEqual([422, 'errors.requestValidationError'])
    expect(await list(admin)).toEqual(before)
  })
  test('that is changed in one process is changed in the others', async () => {
    const storage = { database_url: await aPostgresqlAddress() }
    const where = { storage, environment: SECRET_KEY }
    const [one, other] = [await startPortal(where), await startPortal(where)]
    const endpoint = await fakeEndpoint({ models: listOf('mistral') })
    const added = await add(one.admin, at(endpoint))
    await expect.poll(async () => (await list(other.admin)).map(({ label }) => label)).toContain('Second')
    await expect.poll(() => codes(other.admin)).toContain('mistral')
    await one.admin.result('POST', `/system/upstreams/${added.id}/pause`)
    await expect.poll(async () => (await list(other.admin)).at(-1)?.paused_by).toBe(one.admin.id)
  })
})

describe('an upstream that is not stored', () => {
  const tryOut = (admin: Person, body: object) =>
    admin.call('POST', '/system/upstreams/test', { source: 'openai_api', ...body })
  const tested = async (admin: Person, body: object) => (await tryOut(admin, body)).result as UpstreamDraftTest
  const outcomes = ({ steps }: UpstreamDraftTest) => steps.map(({ outcome }) => outcome)

  test('is tested step by step, with the models that it lists, and nothing of it is kept', async () => {
    const endpoint = await fakeEndpoint({ models: 401 })
    const { admin } = await startPortal()
    const before = await list(admin)
    const refused = await tested(admin, { base_url: `${endpoint.url}/v1`, secret: 'sk-wrong' })
    expect([refused.message, outcomes(refused)]).toEqual(['errors.openai.401', ['ok', 'failed', 'untried']])
    endpoint.models = listOf('mistral', 'qwen')
    const answered = await tested(admin, { base_url: `${endpoint.url}/v1`, secret: KEY, key_header: 'api-key' })
    expect(answered).toMatchObject({ message: null, listed: 2, proxy: 'none' })
    expect(answered.models.map(({ code }) => code)).toEqual(['mistral', 'qwen'])
    expect(endpoint.received.at(-1)?.headers['api-key']).toBe(KEY)
    const away = await tested(admin, { base_url: 'http://127.0.0.1:9/v1' })
    expect([away.message, outcomes(away)]).toEqual(['errors.httpError', ['failed', 'untried', 'untried']])
    expect(await list(admin)).toEqual(before)
  })
  test('is sent the key of a stored one where that was entered for, and nowhere else', async () => {
    const [one, other] = [await fakeEndpoint({ models: listOf('a') }), await fakeEndpoint({ models: listOf('b') })]
    const { admin } = await startPortal()
    const { id } = await add(admin, at(one))
    await tested(admin, { id, base_url: `${one.url}/v2`, secret: '' })
    expect(authorizations(one).at(-1)).toBe(`Bearer ${KEY}`)
    await tested(admin, { id, base_url: `${other.url}/v1` })
    await tested(admin, { id, base_url: `${one.url}/v2`, secret: null })
    expect([authorizations(other).at(-1), authorizations(one).at(-1)]).toEqual([null, null])
  })
  test.each([
    ['an address with a password', { base_url: 'http://a:b@127.0.0.1/v1' }],
    ['a key that no header can carry', { secret: 'a b' }],
    ['an address that is too long', { base_url: `http://a/${'x'.repeat(2000)}` }],
    ['a query that is none', { query: 'a b' }],
    ['no source', { source: 'elsewhere' }],
  ])('is refused with %s', async (_what, wrong) => {
    const { admin } = await startPortal()
    expect((await tryOut(admin, wrong)).code).toBe(422)
  })
  test('is refused in words where it says that it is the first or one that is gone', async () => {
    const { admin } = await startPortal()
    const [first] = (await list(admin)).filter(({ source }) => source === 'openai_api')
    const messages = await Promise.all([tryOut(admin, { id: first?.id }), tryOut(admin, { id: 9999 })])
    expect(messages.map(({ message }) => message)).toEqual(['errors.upstreamIsFirst', 'errors.upstreamNotFound'])
  })
})
