import { describe, expect, test } from 'vitest'
import type { ConversationHistory } from '#contract/conversations.ts'
import { question, textOfMessage } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'

describe('an old client', () => {
  test('gets waiting, whole messages and a close with tips.finished; every frame has all five keys', async () => {
    const { person, simulator } = await startPortal()
    simulator.nextAnswer('Whole messages, each time.')
    const lin = await person()
    const chat = await lin.chat({ ...question('hello'), arkose_token: null, new_title: 'New Chat (GPT-4)' }, null)
    expect(await chat.closed).toEqual({ code: 1000, reason: 'tips.finished' })
    for (const frame of chat.frames) expect(Object.keys(frame).sort()).toEqual(['conversation_id', 'error_detail', 'message', 'tip', 'type'])
    expect(chat.frames[0]).toMatchObject({ type: 'waiting', tip: 'tips.waiting' })
    const messages = chat.frames.filter(frame => frame.type === 'message')
    expect(textOfMessage(messages.at(-1)?.['message'])).toBe('Whole messages, each time.')
    expect(messages.at(-1)?.['message']).toMatchObject({ source: 'openai_api', role: 'assistant', metadata: { source: 'openai_api', finish_reason: 'stop' } })
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
    const frame = await chat.until(candidate => candidate.type === 'message' && textOfMessage(candidate['message']) !== '')
    chat.leave()
    await simulator.waitFor(entry => entry.ended === 'aborted')
    await expect.poll(async () => {
      const history = await lin.result<ConversationHistory>('GET', `/conv/${String(frame['conversation_id'])}`)
      return history.mapping[history.current_node ?? '']?.metadata
    }).toMatchObject({ ending: 'stopped' })
  })

  test('reads a refusal as an error frame with tip and detail, and a close with the same key', async () => {
    const { person, simulator } = await startPortal()
    simulator.nextFault({ kind: 'status', status: 429, retry_after_seconds: 40 })
    const lin = await person()
    const chat = await lin.chat(question('hello', { new_title: 'x' }), null)
    expect(await chat.closed).toEqual({ code: 1001, reason: 'errors.openai.429' })
    expect(chat.frames.at(-1)).toMatchObject({ type: 'error', tip: 'errors.openai.429', error_detail: expect.stringContaining('40') })
  })

  test('asks about Arkose before every question and is answered', async () => {
    const { person } = await startPortal()
    const lin = await person()
    expect(await lin.call('GET', '/arkose/info')).toEqual({ code: 200, message: 'tips.requestSuccess', result: { enabled: false, url: '' } })
  })
})
