import { describe, expect, test } from 'vitest'
import { eachStorage } from '#testing/database.ts'
import { until } from '#testing/until.ts'
import { portalWithTool, refusalIn } from './gateway.testing.ts'

const BODY = { model: 'gpt_4', input: ['Tea', 'Coffee'], unknown: { a: 1 } }

eachStorage((_name, storage) => {
  describe('embeddings', () => {
    test('are asked as they came, and are an ask with what they used', async () => {
      const { send, simulator, logs } = await portalWithTool(await storage(), { keeps_conversations: true })
      const answer = await (await send('/v1/embeddings', { body: BODY })).json()
      expect(answer).toMatchObject({ object: 'list', data: [{ index: 0, embedding: expect.anything() }, { index: 1 }] })
      expect(simulator.journal.at(-1)).toMatchObject({ path: '/v1/embeddings', body: { ...BODY, model: 'gpt-4' } })
      const { prompt_tokens } = (answer as { usage: { prompt_tokens: number } }).usage
      const log = { prompt_tokens, completion_tokens: 0, tokens_estimated: false, answered: true, outcome: 'finished' }
      await until(async () => expect(await logs()).toMatchObject([log]))
    })
    test('are refused as chats are, and before they are sent', async () => {
      const { send, simulator } = await portalWithTool(await storage(), { models: ['gpt_4o'] })
      expect(await refusalIn(await send('/v1/embeddings', { body: BODY }))).toMatchObject({ status: 404 })
      for (const input of [undefined, '', []])
        expect(await refusalIn(await send('/v1/embeddings', { body: { ...BODY, input } }))).toMatchObject({
          status: 400,
        })
      expect(simulator.journal.filter(({ path }) => path === '/v1/embeddings')).toEqual([])
    })
    test('that an account does not have are no model, and nothing is wrong with the account', async () => {
      const { send, simulator } = await portalWithTool(await storage())
      simulator.nextFault({ kind: 'status', status: 404 })
      const refused = await refusalIn(await send('/embeddings', { body: BODY }))
      expect(refused).toMatchObject({ status: 404, code: 'model_not_found' })
      expect((await send('/v1/embeddings', { body: { ...BODY, input: 'Tea' } })).status).toBe(200)
    })
  })
})
