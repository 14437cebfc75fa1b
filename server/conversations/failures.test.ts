import { describe, expect, test } from 'vitest'
import type { ConversationHistory, ConversationRecord } from '#contract/conversations.ts'
import { CONTINUE } from '#contract/asking.ts'
import type { Message } from '#contract/messages.ts'
import { eachStorage } from '#testing/database.ts'
import type { Person } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { withFailures } from './failures.ts'

const USED_UP = { kind: 'status', status: 429, retry_after_seconds: 40 } as const
const usedUp = { tip: 'errors.openai.429', values: { status: 429, retry_after_seconds: 40 }, charged: false }

const list = (person: Person) => person.result<ConversationRecord[]>('GET', '/conv')

async function read(person: Person): Promise<ConversationHistory & { question: string }> {
  const [record] = await list(person)
  const history = await person.result<ConversationHistory>('GET', `/conv/${String(record?.conversation_id)}`)
  return { ...history, question: history.current_node ?? '' }
}

const again = (person: Person, { _id, question }: { _id: string; question: string }) =>
  person.ask(CONTINUE, { new_conversation: false, conversation_id: _id, parent: question })

eachStorage((_name, storage) => {
  describe('a question whose ask failed', () => {
    test('has the reason, its values and whether it counted in the history, and a sign in the list', async () => {
      const { person, simulator } = await startPortal({ storage: await storage() })
      const lin = await person()
      simulator.nextFault(USED_UP)
      const frames = await lin.ask('hello', { new_title: 'x' })
      const { failures, question } = await read(lin)
      expect(failures).toEqual({
        [question]: {
          ask_id: frames[0]?.['ask_id'],
          model: 'gpt_4',
          time: expect.stringMatching(/Z$/),
          waited_seconds: expect.any(Number),
          ...usedUp,
        },
      })
      expect((await list(lin))[0]).toMatchObject({ unanswered: true })
    })

    test('has that of the last one when it failed once more', async () => {
      const { person, simulator } = await startPortal({ storage: await storage() })
      const lin = await person()
      simulator.nextFault(USED_UP)
      await lin.ask('hello', { new_title: 'x' })
      simulator.nextFault({ kind: 'status', status: 500 })
      await again(lin, await read(lin))
      const { failures, question } = await read(lin)
      expect(failures).toMatchObject({ [question]: { tip: 'errors.openai.500', values: { status: 500 } } })
    })

    test('has none any more when it was answered', async () => {
      const { person, simulator } = await startPortal({ storage: await storage() })
      const lin = await person()
      simulator.nextFault(USED_UP)
      await lin.ask('hello', { new_title: 'x' })
      await again(lin, await read(lin))
      expect(await read(lin)).not.toHaveProperty('failures')
      expect((await list(lin))[0]).not.toHaveProperty('unanswered')
    })

    test('keeps what people may read, and none of the upstream’s words', async () => {
      const { person, simulator, app } = await startPortal({ storage: await storage() })
      const lin = await person()
      simulator.nextFault({
        kind: 'status',
        status: 401,
        body: '{"error":{"message":"Incorrect API key provided: sk-secret"}}',
      })
      await lin.ask('hello', { new_title: 'x' })
      const [row] = await app.services.open.database.selectFrom('asks').selectAll().execute()
      expect(row).toMatchObject({ failure_key: 'openai.401', failure_values: { status: 401 } })
      expect(JSON.stringify([row, await read(lin)])).not.toContain('secret')
    })
  })

  describe('a part of an answer', () => {
    test('has a sign in the list until the next answer', async () => {
      const { person, simulator } = await startPortal({ storage: await storage() })
      const lin = await person()
      simulator.nextFault({ kind: 'cut', after_tokens: 3 })
      await lin.ask('hello', { new_title: 'x' })
      expect((await list(lin))[0]).toMatchObject({ broken_off: true })
      const { _id, current_node } = await read(lin)
      await lin.ask('and?', { new_conversation: false, conversation_id: _id, parent: current_node })
      expect((await list(lin))[0]).not.toHaveProperty('broken_off')
    })
    test('says why there is no more, and that it counted', async () => {
      const { person, simulator } = await startPortal({ storage: await storage() })
      const lin = await person()
      simulator.nextFault({ kind: 'cut', after_tokens: 3 })
      const frames = await lin.ask('hello', { new_title: 'x' })
      const { mapping, current_node, failures } = await read(lin)
      const { tip, values, charged } = frames.find(({ type }) => type === 'error') ?? {}
      expect({ tip, charged }).toEqual({ tip: expect.stringMatching(/^errors\./), charged: true })
      const failure = { tip, values, charged }
      expect(mapping[current_node ?? '']?.metadata).toMatchObject({ ending: 'failed', failure })
      expect(failures).toBe(undefined)
    })
  })
})

test('how long an ask waited counts from its turn, and is not said of one whose turn never came', async () => {
  const ask = {
    ask_id: 'a',
    question_id: 'q',
    model: 'gpt_4',
    failure_key: 'upstreamTimeout',
    failure_values: null,
    create_time: 0,
    first_token_time: null,
    end_time: 70_000,
  }
  const question = { id: 'q', role: 'user', children: [] } as unknown as Message // nothing else of it is read
  const history = { _id: 'c', mapping: { q: question } } as unknown as ConversationHistory
  const failureAfter = async (start_time: number | null) =>
    (await withFailures(history, { brokenAsks: () => Promise.resolve([{ ...ask, start_time }]) })).failures?.['q']
  expect(await failureAfter(10_000)).toMatchObject({ waited_seconds: 60 })
  expect(await failureAfter(null)).not.toHaveProperty('waited_seconds')
})
