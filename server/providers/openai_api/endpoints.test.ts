import { describe, expect, test } from 'vitest'
import type { ReadModels } from '#contract/configuration/configuration.ts'
import type { ConversationHistory } from '#contract/conversations.ts'
import { textOf } from '#contract/messages.ts'
import { fakeEndpoint } from '#testing/fakeEndpoint.ts'
import { startPortal } from '#testing/portal.ts'
import { DOCUMENTED } from './endpoints.testing.ts'

const KEY = 'key-of-the-endpoint'

describe.each(DOCUMENTED)(
  '$name',
  ({
    base,
    environment = {},
    models,
    native,
    events,
    folder,
    query = '',
    header = 'authorization',
    offered,
    asked,
  }) => {
    test('lists its models, and answers one of them, at the address and with the key that the manual names', async () => {
      const endpoint = await fakeEndpoint({ models, stream: events.join(''), native: native?.answers ?? {} })
      const { admin, person } = await startPortal({
        environment: { OPENAI_BASE_URL: `${endpoint.url}${base}`, OPENAI_API_KEY: KEY, ...environment },
      })
      const read = await admin.call('POST', '/system/action/read-models')
      expect(read.message).toBe(typeof models === 'number' ? 'errors.openai.404' : 'tips.requestSuccess')
      const portal = await admin.result<Pick<ReadModels, 'models'>>('GET', '/status/portal')
      const ours = portal.models.filter(({ source }) => source === 'openai_api')
      expect(ours.map(({ code, context_length }) => [code, context_length])).toEqual(offered)

      const lin = await person()
      const frames = await lin.ask('Hello', { model: ours[0]!.code, new_title: 'x' })
      expect(frames.at(-1)).toMatchObject({ type: 'finished', outcome: 'finished', charged: true })
      const { mapping, current_node } = await lin.result<ConversationHistory>(
        'GET',
        `/conv/${String(frames[0]?.['conversation_id'])}`,
      )
      expect(textOf(mapping[current_node ?? '']!)).toBe('Hello there.')

      const value =
        environment['OPENAI_API_KEY'] === '' ? undefined : header === 'authorization' ? `Bearer ${KEY}` : KEY
      expect(endpoint.received.map(({ method, url, headers }) => [method, url, headers[header]])).toEqual([
        ['GET', `${folder}/models${query}`, value],
        ...(native?.requests ?? []).map(request => [...request, value]),
        ['POST', `${folder}/chat/completions${query}`, value],
      ])
      if (header !== 'authorization')
        expect(endpoint.received.every(({ headers }) => headers.authorization === undefined)).toBe(true)
      expect(endpoint.received.at(-1)?.body).toMatchObject({
        model: asked,
        stream: true,
        messages: [{ role: 'user', content: 'Hello' }],
      })
    })
  },
)
