import { describe, expect, test } from 'vitest'
import { CONTINUE } from '#contract/asking.ts'
import type { ConversationHistory, ConversationRecord } from '#contract/conversations.ts'
import { type Message, MessageMetadata } from '#contract/messages.ts'
import { eachStorage } from '#testing/database.ts'
import type { Person } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { toMapping, toMessage, withFailures } from './history.ts'
import type { MessageRow } from './messageStore.ts'

function aRow(fields: Partial<MessageRow>): MessageRow {
  return {
    conversation_id: 'c',
    message_id: 'm',
    position: 1,
    parent: null,
    role: 'user',
    author_name: null,
    model: null,
    content: { content_type: 'text', text: 'hello' },
    message_metadata: null,
    create_time: 0,
    withdraw_time: null,
    ...fields,
  }
}

const inParts = (...parts: string[]) => ({ content_type: 'text', parts })

describe('the source of a message', () => {
  test.each(['openai_api', 'openai_web'] as const)(
    'of a conversation of %s stands in its metadata too, also of a question that was stored without',
    source => {
      const content = source === 'openai_api' ? { content_type: 'text', text: 'hello' } : inParts('hello')
      expect(toMessage(aRow({ content }), source)).toMatchObject({ source, content, metadata: { source } })
    },
  )
  test.each([
    ['text in parts', inParts('hello')],
    ['pictures', { content_type: 'multimodal_text', parts: ['look'] }],
    ['code', { content_type: 'code', language: 'python', text: '1' }],
    ['an output', { content_type: 'execution_output', text: '1' }],
    ['a page', { content_type: 'tether_quote', url: 'https://example.org', text: 'x' }],
  ])('is the web for %s, in whichever conversation and whatever its metadata says', (_what, content) => {
    for (const source of ['openai_api', 'openai_web'] as const) {
      for (const message_metadata of [
        null,
        { source: 'openai_web', recipient: 'all' },
        { source: 'openai_api', finish_reason: 'stop' },
      ]) {
        const message = toMessage(aRow({ content, message_metadata }), source)
        expect(message).toMatchObject({ source: 'openai_web', content, metadata: { source: 'openai_web' } })
        expect(MessageMetadata.safeParse(message.metadata).success).toBe(true)
      }
    }
  })
  test('is the web where metadata alone says so, and its text then stands in parts', () => {
    const message_metadata = { source: 'openai_web', citations: [] }
    expect(toMessage(aRow({ message_metadata }), 'openai_api')).toMatchObject({
      source: 'openai_web',
      content: inParts('hello'),
      metadata: message_metadata,
    })
    expect(
      toMessage(aRow({ content: null, message_metadata: { source: 'openai_web', fallback_content: 1 } }), 'openai_api')
        .source,
    ).toBe('openai_web')
  })
  test.each([
    [{ content_type: 'model_editable_context', model_set_context: 'Likes tea.' }, 'system', 'Likes tea.'],
    [{ content_type: 'reasoning_recap', content: 'Thought for 9s' }, 'system', 'Thought for 9s'],
    [{ content_type: 'hologram', title: 'A cup' }, 'assistant', 'A cup'],
  ])('of a kind that could not be read when it was stored is read now: %j', (fallback_content, role, text) => {
    const message_metadata = { source: 'openai_web', fallback_content }
    const row = aRow({ role: 'assistant', content: null, message_metadata })
    expect(toMessage(row, 'openai_web')).toMatchObject({ role, content: inParts(text) })
  })
  test('with thoughts, or marks in its text, that were stored as they came is read now', () => {
    const thoughts = { content_type: 'thoughts', thoughts: [{ summary: 'Tea', content: 'At nine?' }] }
    const asThoughts = { source: 'openai_web', fallback_content: thoughts }
    expect(toMessage(aRow({ content: null, message_metadata: asThoughts }), 'openai_web').content).toEqual({
      content_type: 'thoughts',
      text: 'Tea\nAt nine?',
      seconds: null,
    })
    const mark = '\uE200cite\uE202turn0search0\uE201'
    const items = [{ title: 'Hours', url: 'https://example.org/tea' }]
    const message_metadata = { source: 'openai_web', content_references: [{ matched_text: mark, items }] }
    expect(toMessage(aRow({ content: inParts(`At nine ${mark}`), message_metadata }), 'openai_web')).toMatchObject({
      content: inParts('At nine'),
      metadata: { citations: [{ start_ix: 7, metadata: { url: 'https://example.org/tea' } }] },
    })
  })
  test('keeps of the metadata what the web can have, and no more', () => {
    const kept = { source: 'openai_api', ending: 'stopped' }
    expect(toMessage(aRow({ content: inParts('a'), message_metadata: kept }), 'openai_api').metadata).toEqual({
      source: 'openai_web',
      ending: 'stopped',
    })
    const odd = { source: 'openai_api', citations: 'many' }
    expect(toMessage(aRow({ content: inParts('a'), message_metadata: odd }), 'openai_api').metadata).toEqual({
      source: 'openai_web',
    })
  })
  test('of thoughts is that of their conversation', () => {
    expect(
      toMessage(aRow({ content: { content_type: 'thoughts', text: 'hm', seconds: 1 } }), 'openai_api').source,
    ).toBe('openai_api')
  })
})

describe('an answer of the web', () => {
  const answered = (metadata: Record<string, unknown> | null, next: string | null = 'user') => {
    const rows = [
      aRow({ message_id: 'q', content: inParts('?') }),
      aRow({ message_id: 'a', parent: 'q', role: 'assistant', content: inParts('!'), message_metadata: metadata }),
      ...(next === null ? [] : [aRow({ message_id: 'n', parent: 'a', role: next, content: inParts('next') })]),
    ]
    return toMapping(rows, 'openai_api')['a']?.metadata
  }
  test('is for everybody and ends its turn, where nothing was said of that', () => {
    expect(answered(null, null)).toEqual({ source: 'openai_web', recipient: 'all', end_turn: true })
    expect(answered({ source: 'openai_web', recipient: null, end_turn: null })).toMatchObject({
      recipient: 'all',
      end_turn: true,
    })
  })
  test('does not end a turn that a tool goes on with, nor one that says so itself', () => {
    expect(answered(null, 'tool')).toMatchObject({ recipient: 'all', end_turn: null })
    expect(answered({ source: 'openai_web', end_turn: false })).toMatchObject({ end_turn: false })
    expect(answered({ source: 'openai_web', recipient: 'python' })).toMatchObject({
      recipient: 'python',
      end_turn: null,
    })
  })
})

const USED_UP = { kind: 'status', status: 429, retry_after_seconds: 40 } as const
const usedUp = {
  tip: 'errors.openai.429',
  values: { status: 429, retry_after_seconds: 40, retry_at: expect.stringMatching(/Z$/) },
  charged: false,
}

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
