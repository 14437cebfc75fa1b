import { describe, expect, test } from 'vitest'
import type { ConversationHistory, ConversationRecord } from '#contract/conversations.ts'
import { question, textOfMessage } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'

describe('an old client', () => {
  test('gets waiting, whole messages and a close with tips.finished; every frame has all five keys', async () => {
    const { person, simulator } = await startPortal()
    simulator.nextAnswer('Whole messages, each time.')
    const lin = await person()
    const chat = await lin.chat({ ...question('hello'), arkose_token: null, new_title: 'New Chat (GPT-4)' }, null)
    expect(await chat.closed).toEqual({ code: 1000, reason: 'tips.finished' })
    for (const frame of chat.frames)
      expect(Object.keys(frame).sort()).toEqual(['conversation_id', 'error_detail', 'message', 'tip', 'type'])
    expect(chat.frames[0]).toMatchObject({ type: 'waiting', tip: 'tips.waiting' })
    const messages = chat.frames.filter(frame => frame.type === 'message')
    expect(textOfMessage(messages.at(-1)?.['message'])).toBe('Whole messages, each time.')
    expect(messages.at(-1)?.['message']).toMatchObject({
      source: 'openai_api',
      role: 'assistant',
      metadata: { source: 'openai_api', finish_reason: 'stop' },
    })
  })

  test('gets at most twenty messages a second, the latest of them whole', async () => {
    const { person, simulator } = await startPortal()
    simulator.setPace(400)
    const lin = await person()
    const began = performance.now()
    const chat = await lin.chat(question('/simulate tokens=400', { new_title: 'fast' }), null)
    await chat.closed
    const seconds = (performance.now() - began) / 1000
    const messages = chat.frames.filter(frame => frame.type === 'message')
    expect(messages.length).toBeLessThanOrEqual(Math.ceil(seconds * 20) + 1)
    expect(textOfMessage(messages.at(-1)?.['message'])).toBe(simulator.journal[0]?.sent)
  })

  test('stops its ask by closing the socket', async () => {
    const { person, simulator } = await startPortal()
    simulator.setPace(50)
    const lin = await person()
    const chat = await lin.chat(question('/simulate tokens=2000', { new_title: 'long' }), null)
    const frame = await chat.until(
      candidate => candidate.type === 'message' && textOfMessage(candidate['message']) !== '',
    )
    chat.leave()
    await simulator.waitFor(entry => entry.ended === 'aborted')
    await expect
      .poll(async () => {
        const history = await lin.result<ConversationHistory>('GET', `/conv/${String(frame['conversation_id'])}`)
        return history.mapping[history.current_node ?? '']?.metadata
      })
      .toMatchObject({ ending: 'stopped' })
  })

  test('reads a refusal as an error frame with tip and values in words, and a close with the same key', async () => {
    const { person, simulator } = await startPortal()
    simulator.nextFault({ kind: 'status', status: 429, retry_after_seconds: 40 })
    const lin = await person()
    const chat = await lin.chat(question('hello', { new_title: 'x' }), null)
    expect(await chat.closed).toEqual({ code: 1001, reason: 'errors.openai.429' })
    expect(chat.frames.at(-1)).toMatchObject({
      type: 'error',
      tip: 'errors.openai.429',
      error_detail: expect.stringContaining('40'),
    })
  })

  test('has no conversation left of a first question that brought nothing, and keeps one that had an answer before', async () => {
    const { person, simulator, admin, app } = await startPortal()
    const lin = await person()
    simulator.nextFault({ kind: 'status', status: 500 })
    const chat = await lin.chat(question('hello', { new_title: 'x' }), null)
    expect((await chat.closed).reason).toBe('errors.openai.500')
    const id = String(chat.frames.find(frame => frame.type === 'waiting')?.['conversation_id'])
    expect(await lin.result('GET', '/conv')).toEqual([])
    expect(await admin.result('GET', '/conv/all')).toEqual([])
    expect(await lin.call('GET', `/conv/${id}`)).toMatchObject({ message: 'errors.conversationNotFound' })
    expect(await app.services.open.database.selectFrom('messages').selectAll().execute()).toEqual([])
    await (
      await lin.chat(question('hello', { new_title: 'y' }), null)
    ).closed
    const [kept] = await lin.result<ConversationRecord[]>('GET', '/conv')
    const { current_node } = await lin.result<ConversationHistory>('GET', `/conv/${kept?.conversation_id}`)
    simulator.nextFault({ kind: 'status', status: 500 })
    const again = question('and?', {
      new_conversation: false,
      conversation_id: kept?.conversation_id,
      parent: current_node,
    })
    expect((await (await lin.chat(again, null)).closed).reason).toBe('errors.openai.500')
    const { mapping } = await lin.result<ConversationHistory>('GET', `/conv/${kept?.conversation_id}`)
    expect(Object.values(mapping)).toHaveLength(3)
  })

  test('keeps a conversation of which a part of the answer came', async () => {
    const { person, simulator } = await startPortal()
    simulator.nextFault({ kind: 'cut', after_tokens: 3 })
    const lin = await person()
    await (
      await lin.chat(question('hello', { new_title: 'x' }), null)
    ).closed
    expect(await lin.result('GET', '/conv')).toHaveLength(1)
  })

  test('asks about Arkose before every question and is answered', async () => {
    const { person } = await startPortal()
    const lin = await person()
    expect(await lin.call('GET', '/arkose/info')).toEqual({
      code: 200,
      message: 'tips.requestSuccess',
      result: { enabled: false, url: '' },
    })
  })
})
