import { describe, expect, test } from 'vitest'
import type { KeyTrial, TrialOutcome } from '#contract/keyTrials.ts'
import type { NewKey } from '#contract/keys.ts'
import { LONG, type MadeKey } from '#server/keys/keys.testing.ts'
import { newSecret } from '#server/keys/secret.ts'
import { eachStorage } from '#testing/database.ts'
import type { DatabaseStorage } from '#server/foundation/database/open.ts'
import { until } from '#testing/until.ts'
import { A_CHAT, portalWithTool } from './gateway.testing.ts'

const CHAT = '/v1/chat/completions'
const CURL = { 'user-agent': 'curl/8.5.0' }

type Portal = Awaited<ReturnType<typeof portalWithTool>>
type Request = (made: MadeKey) => { path?: string; method?: string; key?: string; model?: string }

/** Somebody who waits for the first request by their key; `knows`: their page knows the whole of it. */
async function waiting(
  storage: DatabaseStorage,
  { knows = true, ...fields }: Partial<NewKey> & { knows?: boolean } = {},
) {
  const portal = await portalWithTool(storage, fields)
  const { lin, made } = portal
  const path = `/user/me/keys/${made.id}/trial`
  await lin.result('POST', path, { key: knows ? made.key : null })
  const read = () => lin.result<KeyTrial | null>('GET', path)
  const outcome = (expected: Partial<TrialOutcome>) =>
    until(async () => expect((await read())?.outcome).toMatchObject(expected))
  return { ...portal, path, read, outcome }
}

async function come({ send, made }: Pick<Portal, 'send' | 'made'>, request: Request): Promise<void> {
  const { path = CHAT, method = 'POST', key = made.key, model = 'gpt_4' } = request(made)
  const headers = { ...CURL, authorization: key === '' ? '' : `Bearer ${key}` }
  await (await send(path, { method, headers, ...(method === 'POST' && { body: { ...A_CHAT, model } }) })).text()
}

eachStorage((_name, storage) => {
  describe('whoever waits for the first request', () => {
    test.each<[string, Request, TrialOutcome | Partial<TrialOutcome>]>([
      ['of its answer', () => ({}), { as: 'answered', model: 'gpt_4', tokens: expect.any(Number), charged: true }],
      ['of an unknown model', () => ({ model: 'gpt-9' }), { as: 'refused', key: 'modelNotEnabled' }],
      [
        'of a wrong path',
        () => ({ path: '/v1/v1/chat/completions' }),
        { as: 'wrongPath', path: '/v1/v1/chat/completions' },
      ],
      ['of a path beside the gateway', () => ({ path: '/openai/chat' }), { as: 'wrongPath', path: '/openai/chat' }],
      ['of what a redirect made of it', () => ({ method: 'GET' }), { as: 'notPosted' }],
      ['of a redirect that lost the key', () => ({ method: 'GET', key: '' }), { as: 'notPosted' }],
      ['of a key that was cut', ({ key }) => ({ key: key.slice(0, -1) }), { as: 'mistyped', missing: 1 }],
      ['of a key without its beginning', ({ key }) => ({ key: key.slice(3) }), { as: 'mistyped', missing: 3 }],
      ['of no key', () => ({ key: '' }), { as: 'withoutKey' }],
      ['of a key of nobody', () => ({ key: newSecret() }), { as: 'unknownKey' }],
    ])('hears %s', async (_of, request, expected) => {
      const portal = await waiting(await storage())
      expect(await portal.read()).toBe(null)
      await come(portal, request)
      await portal.outcome(expected)
    })
    test('hears which program it was, and by which other key of theirs', async () => {
      const portal = await waiting(await storage())
      const other = await portal.make({ name: 'Other' })
      await portal.lin.result('POST', portal.path, { key: null })
      await come(portal, () => ({ key: other.key }))
      await portal.outcome({ as: 'answered' })
      expect(await portal.read()).toMatchObject({ key_id: other.id, tool: 'curl' })
    })
    test('hears of a full limit, also of one that is remembered', async () => {
      const asks = { source: 'openai_api', unit: 'asks', window: { kind: 'day' }, models: null, amount: 0 } as const
      const portal = await waiting(await storage(), { limits: [asks] })
      for (let tries = 0; tries < 2; tries += 1) {
        await portal.lin.result('POST', portal.path, { key: null })
        await come(portal, () => ({}))
        await portal.outcome({ as: 'refused', key: 'limitReached' })
      }
    })
    test('hears that it waits in the queue', async () => {
      const portal = await waiting(await storage())
      await portal.admin.result('PUT', '/system/config', { openai_api: { max_completion_concurrency: 1 } })
      const wu = await portal.person('wu')
      const first = await portal.begin((await portal.make({}, wu)).key, { text: LONG })
      await until(() => expect(first.phase.at).toBe('replying'))
      const gone = new AbortController()
      const sent = portal.send(CHAT, { body: { ...A_CHAT, stream: true }, signal: gone.signal })
      await portal.outcome({ as: 'queued', position: 1 })
      gone.abort()
      await sent.then(response => response.text()).catch(() => null)
      await portal.outcome({ as: 'refused', key: 'interrupted' })
    })
    test('hears nothing after ten minutes, and nothing of a key that is not theirs', async () => {
      const portal = await waiting(await storage())
      const wu = await portal.person('wu')
      expect(await wu.call('POST', portal.path, { key: null })).toMatchObject({ message: 'errors.keyNotFound' })
      const strange = await portal.make({}, wu)
      await come(portal, () => ({ key: strange.key }))
      await come(portal, () => ({ key: strange.key, path: '/v1/no/such' }))
      expect(await portal.read()).toBe(null)
      expect(await wu.result('GET', portal.path)).toBe(null)
      portal.clock.pass(600_000)
      await come(portal, () => ({}))
      expect(await portal.read()).toBe(null)
    })
  })
})
