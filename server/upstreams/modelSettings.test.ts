import { describe, expect, test } from 'vitest'
import { UNKNOWN_CAPABILITIES } from '#contract/models.ts'
import type { UpstreamRead } from '#contract/upstreams.ts'
import { eachStorage } from '#testing/database.ts'
import { fakeEndpoint, type FakeEndpoint } from '#testing/fakeEndpoint.ts'
import type { Person } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'

const at = ({ url }: FakeEndpoint) => ({
  source: 'openai_api',
  label: 'Second',
  base_url: `${url}/v1`,
  secret: 'sk-of-the-second-1234',
})
const add = (admin: Person, body: object) => admin.result<UpstreamRead>('POST', '/system/upstreams', body)
const changed = (admin: Person, { id }: UpstreamRead, body: object) =>
  admin.result<UpstreamRead>('PATCH', `/system/upstreams/${id}`, body)

eachStorage((_, storage) => {
  describe('upstreams', () => {
    test('say what their models take and can; what an administrator sets wins, and is taken back', async () => {
      const endpoint = await fakeEndpoint({
        models: {
          data: [
            { id: 'mistral', capabilities: { vision: false, function_calling: true }, max_context_length: 32_768 },
          ],
        },
      })
      const { admin } = await startPortal({ storage: await storage() })
      const added = await add(admin, at(endpoint))
      const [listed] = added.model_settings
      expect(listed).toMatchObject({
        read: { ...UNKNOWN_CAPABILITIES, takes_pictures: false, uses_tools: true, context_length: 32_768 },
        set: UNKNOWN_CAPABILITIES,
        request_fields: null,
      })
      const set = { ...UNKNOWN_CAPABILITIES, takes_pictures: true, context_length: 4096 }
      const fields = { temperature: 0.2, provider: { order: ['x'] } }
      const mine = { code: 'mistral', name: 'mistral', set, request_fields: fields }
      const changedOnce = await changed(admin, added, { model_settings: [mine] })
      expect(changedOnce).toMatchObject({
        models_picked: false,
        models: [{ code: 'mistral', context_length: 4096 }],
        model_settings: [{ read: listed?.read, set, request_fields: fields }],
      })
      const read = await admin.result<UpstreamRead>('POST', `/system/upstreams/${added.id}/read-models`)
      expect(read.model_settings).toEqual(changedOnce.model_settings)
      const back = { ...mine, set: UNKNOWN_CAPABILITIES, request_fields: null }
      expect((await changed(admin, read, { model_settings: [back] })).model_settings).toEqual(added.model_settings)
    })
    test('are set by name in the accounts of the settings, too: of the web account what the specification says is set', async () => {
      const { admin } = await startPortal({ storage: await storage() })
      const all = await admin.result<UpstreamRead[]>('GET', '/system/upstreams')
      const web = all.find(({ source }) => source === 'openai_web')!
      expect(web.model_settings.map(({ code, set }) => [code, set.takes_files, set.takes_pictures])).toContainEqual([
        ...['gpt_4', true, true],
      ])
      const api = all.find(({ source }) => source === 'openai_api')!
      const set = { ...UNKNOWN_CAPABILITIES, thinking_levels: ['low', 'high'] }
      const after = await changed(admin, api, {
        model_settings: [{ code: 'gpt_4', name: 'gpt-4', set, request_fields: null }],
      })
      expect(after.model_settings.find(({ code }) => code === 'gpt_4')).toMatchObject({ set })
      expect(after.models).toEqual(api.models)
    })
    test.each([
      ['a field that the portal says itself', { request_fields: { model: 'other' } }],
      ['too many fields', { request_fields: { stop: 'x'.repeat(4001) } }],
      ['a level that is no word', { set: { ...UNKNOWN_CAPABILITIES, thinking_levels: ['Very hard'] } }],
    ])('refuse %s', async (_what, wrong) => {
      const { admin } = await startPortal({ storage: await storage() })
      const [one] = await admin.result<UpstreamRead[]>('GET', '/system/upstreams')
      const setting = { code: 'gpt_4', name: 'gpt-4', set: UNKNOWN_CAPABILITIES, request_fields: null, ...wrong }
      const body = { model_settings: [setting] }
      const answer = await admin.call('PATCH', `/system/upstreams/${one!.id}`, body)
      expect(answer.message).toBe('errors.requestValidationError')
    })
    test('have the further fields of a model sent with its requests, and nothing of the portal replaced', async () => {
      const endpoint = await fakeEndpoint({ models: { data: [{ id: 'mistral' }] } })
      const { admin, person } = await startPortal({ storage: await storage() })
      const added = await add(admin, at(endpoint))
      const request_fields = { temperature: 0.2, provider: { order: ['x'] } }
      const settings = [{ code: 'mistral', name: 'mistral', set: UNKNOWN_CAPABILITIES, request_fields }]
      await changed(admin, added, { model_settings: settings })
      await (await person()).ask('Hello', { model: 'mistral', new_title: 'x' })
      expect(endpoint.received.at(-1)?.body).toMatchObject({ ...request_fields, model: 'mistral', stream: true })
    })
    test('count with the context that is set where nobody lists one: what would be too long goes without what came before', async () => {
      const endpoint = await fakeEndpoint({ models: 404 })
      const { admin, person } = await startPortal({
        storage: await storage(),
        environment: { OPENAI_BASE_URL: `${endpoint.url}/v1`, OPENAI_API_KEY: 'sk-1' },
      })
      const all = await admin.result<UpstreamRead[]>('GET', '/system/upstreams')
      const set = { ...UNKNOWN_CAPABILITIES, context_length: 256 }
      const settings = [{ code: 'gpt_4', name: 'gpt-4', set, request_fields: null }]
      await changed(
        admin,
        all.find(({ source }) => source === 'openai_api')!,
        { model_settings: settings },
      )
      const lin = await person()
      const long = 'a word '.repeat(100)
      const frames = await lin.ask(long, { model: 'gpt_4', new_title: 'x' })
      const conversation_id = String(frames[0]?.['conversation_id'])
      const { current_node } = await lin.result<{ current_node: string }>('GET', `/conv/${conversation_id}`)
      await lin.ask(long, { model: 'gpt_4', new_conversation: false, conversation_id, parent: current_node })
      expect(endpoint.received.at(-1)?.body?.['messages']).toHaveLength(1)
    })
  })
})
