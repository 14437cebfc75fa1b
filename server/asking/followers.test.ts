import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Message } from '#contract/messages.ts'
import { aMessage, words } from '#testing/messages.ts'
import { textOfFrames, textOfMessage, type Frame } from '#testing/person.ts'
import { followAsEvents, followAsMessages } from './followers.ts'
import { LiveReply, type Phase } from './liveReply.ts'

const MEGABYTE = 1_048_576

const message = (id: string, text = '') => aMessage({ id, model: 'gpt_4', content: words(text) })

/** Somebody who takes what is sent, unless `unread` bytes of it lie there; `wake` is called with each frame. */
function aReader({
  unread = 0,
  drains = true,
  wake = () => {},
}: { unread?: number; drains?: boolean; wake?(frame: Frame): void } = {}) {
  const frames: Frame[] = []
  const leaving = new AbortController()
  return {
    frames,
    leave: () => leaving.abort(),
    buffered: () => unread,
    closed: leaving.signal,
    send(text: string) {
      const frame = JSON.parse(text) as Frame // what was sent is JSON
      frames.push(frame)
      wake(frame)
    },
    drained: async () => drains,
  }
}

const startedReply = () => {
  const reply = new LiveReply({ ask_id: 'a', source: 'openai_api', conversation_id: 'c', question: null })
  reply.reach({ at: 'replying' })
  return reply
}
const FINISHED: Phase = { at: 'ended', outcome: 'finished', charged: true, failure: null, stored: null }

/** Lets whoever follows have a turn. */
const turn = () =>
  new Promise<void>(resolve => {
    setImmediate(resolve)
  })

describe('events', () => {
  test('say everything once, in their order, and end with the end', async () => {
    const reply = startedReply()
    const reader = aReader()
    const following = followAsEvents(reader, reply, 0)
    reply.take({ type: 'message', message: message('m') })
    for (const text of ['one ', 'two ', '三']) reply.take({ type: 'text', text })
    reply.take({ type: 'message', message: message('m', 'one two 三') })
    reply.reach({ ...FINISHED, stored: { messages: [message('m', 'one two 三')], conversation: null } })
    expect(await following).toEqual({ code: 1000, reason: 'tips.finished' })
    expect(reader.frames[0]).toMatchObject({ type: 'waiting' })
    expect(textOfFrames(reader.frames)).toBe('one two 三')
    expect(reader.frames.filter(({ type }) => type === 'message')).toHaveLength(1)
    expect(reader.frames.at(-1)).toMatchObject({
      type: 'finished',
      outcome: 'finished',
      charged: true,
      messages: [{ id: 'm', content: { content_type: 'text', text: 'one two 三' } }],
      conversation: null,
    })
  })

  test('are encoded once, however many follow', async () => {
    const reply = startedReply()
    const readers = Array.from({ length: 20 }, () => aReader())
    const following = readers.map(reader => followAsEvents(reader, reply, 0))
    const stringify = vi.spyOn(JSON, 'stringify')
    onTestFinished(() => stringify.mockRestore())
    reply.take({ type: 'message', message: message('m') })
    reply.take({ type: 'text', text: 'one' })
    await turn()
    reply.reach({ ...FINISHED })
    await Promise.all(following)
    expect(stringify).toHaveBeenCalledTimes(2)
    for (const { frames } of readers) {
      expect(frames.slice(1)).toEqual([
        {
          n: 4,
          type: 'message',
          message: expect.objectContaining({ id: 'm', content: { content_type: 'text', text: 'one' } }),
        },
        { type: 'finished', outcome: 'finished', charged: true },
      ])
    }
  })

  test('gather text that comes soon after other text', async () => {
    const reply = startedReply()
    const reader = aReader()
    const following = followAsEvents(reader, reply, 0)
    reply.take({ type: 'message', message: message('m') })
    await turn()
    for (let count = 0; count < 200; count++) {
      reply.take({ type: 'text', text: 'x' })
      await turn()
    }
    reply.reach(FINISHED)
    await following
    expect(textOfFrames(reader.frames)).toBe('x'.repeat(200))
    expect(reader.frames.length).toBeLessThan(150)
  })

  test('begin behind what the reader has', async () => {
    const reply = startedReply()
    reply.take({ type: 'message', message: message('m') })
    reply.take({ type: 'text', text: 'hello' })
    reply.reach(FINISHED)
    const reader = aReader()
    await followAsEvents(reader, reply, 4)
    expect(reader.frames.filter(frame => 'n' in frame)).toEqual([{ n: 6, t: 'lo' }])
  })

  test('tell the title that is still being made when the answer ends', async () => {
    const reply = startedReply()
    const title = Promise.withResolvers<string | null>()
    reply.title = title.promise
    const reader = aReader({
      wake: frame => {
        if (frame.type === 'finished') title.resolve('Heat pumps')
      },
    })
    reply.reach(FINISHED)
    await followAsEvents(reader, reply, 0)
    expect(reader.frames.map(frame => frame.type)).toEqual(['finished', 'title'])
  })

  test('of a failure are its key and values, and the close says the same', async () => {
    const reply = startedReply()
    reply.reach({
      at: 'ended',
      outcome: 'failed',
      charged: false,
      failure: { key: 'openai.429', values: { retry_after_seconds: 9 } },
      stored: null,
    })
    const reader = aReader()
    expect(await followAsEvents(reader, reply, 0)).toEqual({ code: 1001, reason: 'errors.openai.429' })
    expect(reader.frames).toEqual([
      { type: 'error', tip: 'errors.openai.429', values: { retry_after_seconds: 9 }, charged: false },
    ])
  })

  test('end without a word for a reader who has left', async () => {
    const reply = startedReply()
    const reader = aReader()
    const following = followAsEvents(reader, reply, 0)
    reader.leave()
    expect(await following).toBe(null)
    reply.reach(FINISHED)
    expect(reader.frames).toEqual([{ type: 'waiting', tip: 'tips.waiting' }])
  })

  test('are held back from a reader who does not read, who is cut off when they never do', async () => {
    const reply = startedReply()
    reply.take({ type: 'message', message: message('m') })
    expect(await followAsEvents(aReader({ unread: MEGABYTE + 1, drains: false }), reply, 0)).toEqual({
      code: 1013,
      reason: 'tips.terminated',
    })
    expect(await followAsMessages(aReader({ unread: MEGABYTE + 1, drains: false }), reply)).toEqual({
      code: 1013,
      reason: 'tips.terminated',
    })
  })

  test('go on for a reader who catches up', async () => {
    const reply = startedReply()
    const reader = aReader({ unread: MEGABYTE + 1 })
    const following = followAsEvents(reader, reply, 0)
    reply.take({ type: 'message', message: message('m', 'all of it') })
    await turn()
    reply.reach(FINISHED)
    expect(await following).toMatchObject({ code: 1000 })
    expect(textOfFrames(reader.frames)).toBe('all of it')
  })
})

describe('whole messages', () => {
  test('leave out what is replaced before it was sent; the last state of each is sent, with its metadata', async () => {
    const reply = startedReply()
    const reader = aReader()
    const following = followAsMessages(reader, reply)
    reply.take({ type: 'message', message: message('first') })
    for (let count = 0; count < 200; count++) {
      reply.take({ type: 'text', text: 'x' })
      await turn()
    }
    reply.take({ type: 'message', message: message('second', 'two') })
    const metadata = { source: 'openai_api', finish_reason: 'stop' } as const
    reply.take({ type: 'message', message: { ...message('second', 'two'), metadata } })
    reply.reach(FINISHED)
    expect(await following).toEqual({ code: 1000, reason: 'tips.finished' })
    expect(reader.frames.at(-1)?.['message']).toMatchObject({ id: 'second', metadata })
    // as it was sent
    const sent = reader.frames.filter(frame => frame.type === 'message').map(frame => frame['message'] as Message)
    expect(sent.length).toBeLessThan(100)
    expect(textOfMessage(sent.findLast(({ id }) => id === 'first'))).toBe('x'.repeat(200))
    expect(textOfMessage(sent.findLast(({ id }) => id === 'second'))).toBe('two')
  })

  test('are told again only where something has changed', async () => {
    const reply = startedReply()
    reply.take({ type: 'message', message: message('first', 'one') })
    const seen = Promise.withResolvers<void>()
    const reader = aReader({
      wake: frame => {
        if (frame.type === 'message') seen.resolve()
      },
    })
    const following = followAsMessages(reader, reply)
    await seen.promise
    reply.take({ type: 'message', message: message('second', 'two') })
    reply.reach(FINISHED)
    await following
    expect(
      reader.frames.filter(frame => frame.type === 'message').map(frame => textOfMessage(frame['message'])),
    ).toEqual(['one', 'two'])
  })

  test('end with an error frame, and its reason', async () => {
    const reply = startedReply()
    reply.reach({
      at: 'ended',
      outcome: 'interrupted',
      charged: false,
      failure: { key: 'interrupted', values: {} },
      stored: null,
    })
    const reader = aReader()
    expect(await followAsMessages(reader, reply)).toEqual({ code: 1012, reason: 'errors.askError' })
    expect(reader.frames.at(-1)).toMatchObject({
      type: 'error',
      tip: 'errors.askError',
      conversation_id: null,
      message: null,
      error_detail: expect.stringMatching(/\w/),
    })
  })
})
