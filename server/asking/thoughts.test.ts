import { describe, expect, test } from 'vitest'
import type { ConversationHistory, ConversationRecord, SearchResults } from '#contract/conversations.ts'
import { pathTo } from '#contract/messageTree.ts'
import { textOf } from '#contract/messages.ts'
import { eachStorage, type NewStorage } from '#testing/database.ts'
import { type Person, question } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'

const THOUGHTS = 'Pondering 热泵 deeply'
const thinking = (only = false) => ({ kind: 'thoughts', shape: 'reasoning_content', text: THOUGHTS, only }) as const
/** Told only behind them to be thoughts. */
const unopened = { kind: 'thoughts', shape: 'think_close', text: THOUGHTS, only: false } as const

async function portalOfLin(storage: NewStorage) {
  const portal = await startPortal({ storage: await storage() })
  const lin = await portal.person()
  return { ...portal, lin }
}

const read = async (person: Person, query = '') => {
  const [record] = await person.result<ConversationRecord[]>('GET', '/conv')
  return person.result<ConversationHistory>('GET', `/conv/${String(record?.conversation_id)}${query}`)
}
const typesIn = ({ mapping, current_node }: ConversationHistory) =>
  pathTo(mapping, current_node).map(({ role, content }) => (content?.content_type === 'thoughts' ? 'thoughts' : role))

eachStorage((_name, storage) => {
  describe('thoughts before an answer', () => {
    test('are in the history on request only; its links pass them by otherwise', async () => {
      const { lin, simulator } = await portalOfLin(storage)
      simulator.nextFault(thinking())
      const frames = await lin.ask('hello', { new_title: 'x' })
      expect(frames.at(-1)).toMatchObject({ type: 'finished', charged: true })
      const plain = await read(lin)
      expect(typesIn(plain)).toEqual(['user', 'assistant'])
      const [asked, answer] = pathTo(plain.mapping, plain.current_node)
      expect([asked?.children, answer?.parent]).toEqual([[answer?.id], asked?.id])
      const whole = await read(lin, '?thoughts=true')
      expect(typesIn(whole)).toEqual(['user', 'thoughts', 'assistant'])
      expect(pathTo(whole.mapping, whole.current_node)[1]).toMatchObject({
        role: 'assistant',
        content: { text: THOUGHTS, seconds: expect.any(Number) },
      })
      expect(whole.current_node).toBe(plain.current_node)
      expect(
        JSON.stringify([
          plain,
          await lin.result('GET', `/conv/${plain._id}/cache`),
          await lin.result('GET', '/conv/export'),
        ]),
      ).not.toContain('Pondering')
      expect(await lin.result('GET', `/conv/${plain._id}/cache?thoughts=true`)).toEqual(whole)
    })

    test.each([thinking(), unopened])(
      'are neither found nor sent with the next question, nor part of a title, and go with a question that is withdrawn ($shape)',
      async fault => {
        const { lin, simulator } = await portalOfLin(storage)
        simulator.nextFault(fault)
        const frames = await lin.ask('热泵？', {})
        expect(frames.find(frame => frame.type === 'title')?.['title']).not.toContain('Pondering')
        const { _id, current_node, mapping } = await read(lin)
        await lin.ask('And more?', { new_conversation: false, conversation_id: _id, parent: current_node })
        expect(JSON.stringify(simulator.journal.map(({ body }) => body))).not.toContain('Pondering')
        expect((await lin.result<SearchResults>('GET', '/conv/search?words=Pondering')).results).toEqual([])
        const first = Object.values(mapping).find(({ parent }) => parent === null)
        expect(await lin.result('DELETE', `/conv/${_id}/question/${String(first?.id)}`)).toEqual({ current_node: null })
      },
    )

    test('reach no old client, whose answer follows the question', async () => {
      const { lin, simulator } = await portalOfLin(storage)
      simulator.nextFault(thinking())
      const chat = await lin.chat(question('hello', { new_title: 'x' }), null)
      expect(await chat.closed).toMatchObject({ code: 1000 })
      expect(JSON.stringify(chat.frames)).not.toContain('Pondering')
      const { mapping, current_node } = await read(lin)
      expect(chat.frames.at(-1)?.['message']).toMatchObject({
        id: current_node,
        parent: mapping[current_node ?? '']?.parent,
      })
    })

    test('are gone on with by whoever comes back for them', async () => {
      const { lin, simulator } = await portalOfLin(storage)
      simulator.nextFault(thinking())
      const [accepted] = await lin.ask('hello', { new_title: 'x' })
      const again = await lin.chat({ resume: accepted?.['ask_id'], after: 3 })
      await again.closed
      const messages = again.frames.filter(frame => frame.type === 'message').map(frame => frame['message'])
      expect(messages).toMatchObject([
        { content: { content_type: 'thoughts', text: THOUGHTS } },
        { content: { content_type: 'text' } },
      ])
    })
  })

  describe('thoughts without an answer', () => {
    test('are kept and shown with the reason, and the ask is given back', async () => {
      const { lin, simulator } = await portalOfLin(storage)
      simulator.nextFault(thinking(true))
      const frames = await lin.ask('hello', { new_title: 'x' })
      expect(frames.at(-1)).toMatchObject({ type: 'error', tip: 'errors.openai.thoughtsOnly', charged: false })
      for (const query of ['', '?thoughts=true']) {
        const { failures, current_node, mapping } = await read(lin, query)
        expect(mapping[current_node ?? '']?.role).toBe('user')
        expect(failures?.[current_node ?? '']).toMatchObject({ tip: 'errors.openai.thoughtsOnly', charged: false })
        expect(Object.values(mapping).map(({ content }) => content?.content_type)).toEqual(
          query === '' ? ['text'] : ['text', 'thoughts'],
        )
      }
    })

    test('of a question that is answered once more leave its answer where it was', async () => {
      const { lin, simulator } = await portalOfLin(storage)
      await lin.ask('hello', { new_title: 'x' })
      const { _id, mapping, current_node } = await read(lin)
      const asked = mapping[current_node ?? '']?.parent
      simulator.nextFault(thinking(true))
      await lin.ask(':continue', { new_conversation: false, conversation_id: _id, parent: asked })
      expect((await read(lin)).current_node).toBe(current_node)
      expect(await lin.result('PATCH', `/conv/${_id}/branch?message_id=${String(asked)}`)).toEqual({ current_node })
      const thought = Object.values((await read(lin, '?thoughts=true')).mapping).find(
        ({ content }) => content?.content_type === 'thoughts',
      )
      expect(thought?.metadata).toMatchObject({ ending: 'failed', failure: { charged: false } })
      expect(await lin.call('PATCH', `/conv/${_id}/branch?message_id=${String(thought?.id)}`)).toMatchObject({
        message: 'errors.messageNotFound',
      })
    })
  })

  describe('an answer that is not whole', () => {
    test('is charged, says why, and can be gone on with and asked for again', async () => {
      const { lin, simulator } = await portalOfLin(storage)
      simulator.nextFault({ kind: 'finish', after_tokens: 5, reason: 'network_error', done: true })
      const frames = await lin.ask('hello', { new_title: 'x' })
      expect(frames.at(-1)).toMatchObject({
        type: 'error',
        tip: 'errors.openai.cutOff',
        values: { reason: 'finish_reason' },
        charged: true,
      })
      const { _id, mapping, current_node } = await read(lin)
      const part = mapping[current_node ?? '']
      expect(textOf(part!)).toBe(simulator.journal[0]?.sent)
      expect(part?.metadata).toMatchObject({
        ending: 'failed',
        failure: { tip: 'errors.openai.cutOff', charged: true },
        finish_reason: 'network_error',
      })
      for (const parent of [current_node, part?.parent]) {
        const again = await lin.ask(':continue', { new_conversation: false, conversation_id: _id, parent })
        expect(again.at(-1)).toMatchObject({ type: 'finished', outcome: 'finished' })
      }
    })
  })
})

describe('what an upstream refuses', () => {
  test('is one line of the log, with its status and its code, and never its words', async () => {
    const lines: string[] = []
    const { person, simulator } = await startPortal({
      log: line => {
        lines.push(line)
      },
    })
    const lin = await person()
    const body = JSON.stringify({ error: { message: 'SECRET sk-abcdefghijklmnop1234', code: 'insufficient_quota' } })
    simulator.nextFault({ kind: 'status', status: 402, body })
    simulator.nextFault({
      kind: 'error',
      after_tokens: 0,
      shape: 'event',
      code: 'sk-abcdefghijklmnop1234',
      message: 'SECRET',
    })
    simulator.nextFault({ kind: 'finish', after_tokens: 3, reason: 'abort', done: true })
    for (let count = 0; count < 3; count += 1) await lin.ask('hello', { new_title: 'x' })
    const logged = lines.map(line => JSON.parse(line) as Record<string, unknown>).filter(line => 'refusal' in line)
    expect(logged).toMatchObject([
      { level: 40, refusal: 'openai.quota', status: 402, code: 'insufficient_quota' },
      { level: 40, refusal: 'openai.cutOff', status: 200 },
      { level: 40, refusal: 'openai.cutOff', status: 200, finish_reason: 'abort' },
    ])
    expect(lines.join('')).not.toMatch(/SECRET|sk-abc/)
  })
})
