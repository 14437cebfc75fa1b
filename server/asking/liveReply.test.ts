import { describe, expect, test } from 'vitest'
import type { Message } from '#contract/messages.ts'
import { aMessage, words } from '#testing/messages.ts'
import { someThoughts } from '#testing/asks.ts'
import type { ProviderEvent } from '#server/providers/provider.ts'
import { LiveReply, type ReplyEvent } from './liveReply.ts'

const message = (id: string, text: string) => aMessage({ id, model: 'gpt_4', content: words(text) })
const startedReply = () => new LiveReply({ ask_id: 'a', source: 'openai_api', conversation_id: 'c', question: null })
const text = (reply: ReturnType<typeof startedReply>) =>
  reply.messages().map(({ content }) => (content?.content_type === 'text' ? content.text : null))

/** What a client does with events: a whole message replaces, text is added to the latest, repeats are dropped. */
function client() {
  const messages = new Map<string, string>()
  let latest = ''
  let n = 0
  return {
    get n() {
      return n
    },
    get texts() {
      return [...messages.values()]
    },
    take(events: readonly ReplyEvent[]) {
      for (const event of events) {
        if (event.n <= n) continue
        if ('t' in event) messages.set(latest, messages.get(latest) + event.t)
        else {
          latest = event.message.id
          messages.set(latest, event.message.content?.content_type === 'text' ? (event.message.content.text ?? '') : '')
        }
        n = event.n
      }
    },
  }
}

describe('a live reply', () => {
  test('numbers a whole message by one and text by its length', () => {
    const reply = startedReply()
    reply.take({ type: 'message', message: message('m', '') })
    reply.take({ type: 'text', text: '你好' })
    expect(reply.n).toBe(3)
  })

  test('tells a follower only what comes after the number it has', () => {
    const reply = startedReply()
    reply.take({ type: 'message', message: message('m', '') })
    reply.take({ type: 'text', text: 'Hello, ' })
    reply.take({ type: 'text', text: 'world' })
    expect(reply.since(8)).toEqual([{ n: 13, t: 'world' }])
    expect(reply.since(10)).toEqual([{ n: 13, t: 'rld' }])
    expect(reply.since(13)).toEqual([])
  })

  test('that begins empty is told with its first text; what is no text at once', async () => {
    const wakes = async (events: ProviderEvent[]) => {
      const reply = startedReply()
      let changes = 0
      void reply.changed(new AbortController().signal).then(() => {
        changes += 1
      })
      for (const event of events) reply.take(event)
      await new Promise(setImmediate)
      return changes
    }
    expect(await wakes([{ type: 'message', message: message('m', '') }])).toBe(0)
    expect(
      await wakes([
        { type: 'message', message: message('m', '') },
        { type: 'text', text: 'H' },
      ]),
    ).toBe(1)
    const code = { ...message('m', ''), content: { content_type: 'code', language: 'python', text: '' } } as const
    expect(await wakes([{ type: 'message', message: code }])).toBe(1)
  })

  test('tells a new follower one whole message', () => {
    const reply = startedReply()
    reply.take({ type: 'message', message: message('m', '') })
    reply.take({ type: 'text', text: 'Hello' })
    expect(reply.since(0)).toEqual([{ n: 6, type: 'message', message: message('m', 'Hello') }])
  })

  test('brings every follower to the same text, whenever it looks and however often it comes back', () => {
    const reply = startedReply()
    const followers = [client(), client(), client()]
    const takes = [
      () => reply.take({ type: 'message', message: message('m', '') }),
      ...'one two three four'.split(' ').map(word => () => reply.take({ type: 'text', text: `${word} ` })),
      () => reply.take({ type: 'message', message: message('m', 'one two three four ') }),
      () => reply.take({ type: 'message', message: message('k', '') }),
      () => reply.take({ type: 'text', text: 'five' }),
    ]
    for (const [step, take] of takes.entries()) {
      take()
      for (const [index, follower] of followers.entries())
        if (step % (index + 1) === 0) follower.take(reply.since(follower.n))
    }
    for (const follower of followers) {
      follower.take(reply.since(follower.n))
      expect(follower.texts).toEqual(['one two three four ', 'five'])
    }
  })

  test('that is replayed from what was written down is the same reply', () => {
    const reply = startedReply()
    const copy = startedReply()
    reply.take({ type: 'message', message: message('m', '') })
    copy.replay(reply.since(copy.n))
    reply.take({ type: 'text', text: 'Hello' })
    copy.replay(reply.since(copy.n))
    reply.take({ type: 'text', text: ', world' })
    copy.replay(reply.since(copy.n))
    expect(copy.n).toBe(reply.n)
    expect(text(copy)).toEqual(['Hello, world'])
    expect(copy.since(3)).toEqual(reply.since(3))
  })

  test('takes overlapping pieces once', () => {
    const copy = startedReply()
    copy.replay([
      { n: 1, type: 'message', message: message('m', '') },
      { n: 6, t: 'Hello' },
    ])
    copy.replay([{ n: 13, t: 'Hello, world' }])
    expect(text(copy)).toEqual(['Hello, world'])
    expect(copy.n).toBe(13)
  })

  test('has no event for the final state of its last message, which comes with its end', () => {
    const reply = startedReply()
    const settled = { ...message('m', 'Hello'), metadata: { source: 'openai_api', finish_reason: 'stop' } as const }
    reply.take({ type: 'message', message: message('m', '') })
    reply.take({ type: 'text', text: 'Hello' })
    const { changes } = reply
    reply.take({ type: 'message', message: settled })
    expect([reply.n, reply.since(6)]).toEqual([6, []])
    expect(reply.messages()).toEqual([settled])
    expect(reply.messagesSince(changes)).toEqual([settled])
    reply.take({ type: 'message', message: message('next', '') })
    expect(reply.since(6)).toEqual([
      { n: 7, type: 'message', message: settled },
      { n: 8, type: 'message', message: message('next', '') },
    ])
  })

  test('has one for a message that comes again with another text', () => {
    const reply = startedReply()
    reply.take({ type: 'message', message: message('m', 'Hullo') })
    reply.take({ type: 'message', message: message('m', 'Hello') })
    expect(reply.since(1)).toEqual([{ n: 2, type: 'message', message: message('m', 'Hello') }])
  })

  test('of several messages is told in the order in which they began, though an earlier one comes again behind the others', () => {
    const reply = startedReply()
    const copy = startedReply()
    reply.take({ type: 'message', message: message('a', 'one') })
    reply.take({ type: 'message', message: message('b', '') })
    reply.take({ type: 'text', text: 'two' })
    reply.take({ type: 'message', message: message('a', 'one more') })
    reply.take({ type: 'text', text: '!' })
    copy.replay(reply.since(0))
    const follower = client()
    follower.take(reply.since(0))
    expect(follower.texts).toEqual(['one more!', 'two'])
    expect([copy.n, copy.messages()]).toEqual([reply.n, reply.messages()])
    const late = client()
    late.take(reply.since(0).slice(0, 1))
    late.take(reply.since(late.n))
    expect(late.texts).toEqual(['one more!', 'two'])
  })

  test('has text once something of the answer can be seen: not the question that an upstream repeats, but a picture', () => {
    const picture = {
      ...message('p', ''),
      role: 'tool',
      content: { content_type: 'multimodal_text', parts: [{ asset_pointer: 'file-service://x' }] },
    } as const
    const reply = startedReply()
    reply.take({ type: 'message', message: { ...message('q', 'asked'), role: 'user' } })
    reply.take({ type: 'text', text: ' again' })
    expect(reply.hasText).toBe(false)
    reply.take({
      type: 'message',
      message: { ...picture, content: { ...picture.content, parts: [...picture.content.parts] } },
    })
    expect(reply.hasText).toBe(true)
  })

  test('keeps the id of the conversation at the upstream, and the title from there, which are no events', () => {
    const reply = startedReply()
    reply.take({ type: 'conversation', upstream_conversation_id: 'theirs' })
    reply.take({ type: 'title', title: 'Heat pumps' })
    expect([reply.n, reply.upstream_conversation_id, reply.upstreamTitle]).toEqual([0, 'theirs', 'Heat pumps'])
  })

  test('wakes who waits for a change, and who leaves', async () => {
    const reply = startedReply()
    const change = reply.changed(new AbortController().signal)
    reply.reach({ at: 'replying' })
    await change
    const leaving = new AbortController()
    const left = reply.changed(leaving.signal)
    leaving.abort()
    await left
    expect(reply.phase).toEqual({ at: 'replying' })
  })

  test('grows in the form in which it came', () => {
    const forms: Message['content'][] = [
      { content_type: 'thoughts', text: 'a', seconds: null },
      { content_type: 'text', parts: ['x', 'a'] },
      { content_type: 'code', language: 'python', text: 'a' },
      { content_type: 'multimodal_text', parts: [{ asset_pointer: 'file-service://x' }] },
    ]
    const grown = forms.map(content => {
      const reply = startedReply()
      reply.take({ type: 'message', message: { ...message('m', ''), content } })
      reply.take({ type: 'text', text: 'b' })
      return reply.messages()[0]?.content
    })
    expect(grown).toEqual([
      { content_type: 'thoughts', text: 'ab', seconds: null },
      { content_type: 'text', parts: ['x', 'ab'] },
      { content_type: 'code', language: 'python', text: 'ab' },
      { content_type: 'multimodal_text', parts: [{ asset_pointer: 'file-service://x' }, 'b'] },
    ])
  })
})

describe('thoughts in a live reply', () => {
  const thinking = () => {
    const reply = startedReply()
    reply.take({ type: 'message', message: someThoughts('t', '', 'q') })
    reply.take({ type: 'text', text: 'hm' })
    return reply
  }

  test('has no text any more when what was seen of it is taken back, and has it again when it comes again', () => {
    const reply = startedReply()
    const has = (event: ProviderEvent) => {
      reply.take(event)
      return reply.hasText
    }
    expect(has({ type: 'message', message: message('m', 'Half') })).toBe(true)
    expect(has({ type: 'message', message: message('m', ' ') })).toBe(false)
    expect(has({ type: 'text', text: 'Whole' })).toBe(true)
    expect(has({ type: 'message', message: message('n', '') })).toBe(true)
    expect(has({ type: 'message', message: message('m', '') })).toBe(false)
  })

  test('are told at once, and are no text of the answer', () => {
    const reply = thinking()
    expect([reply.hasTokens, reply.hasText]).toEqual([true, false])
    expect(reply.since(0)).toEqual([{ n: 3, type: 'message', message: someThoughts('t', 'hm', 'q') }])
    reply.take({ type: 'message', message: { ...message('m', ''), parent: 't' } })
    reply.take({ type: 'text', text: ' \n\u200b' })
    expect(reply.hasText).toBe(false)
    reply.take({ type: 'text', text: 'x' })
    expect(reply.hasText).toBe(true)
  })

  test('are replayed as thoughts', () => {
    const reply = thinking()
    const copy = startedReply()
    copy.replay([{ n: 1, type: 'message', message: someThoughts('t', '', 'q') }])
    copy.replay(reply.since(copy.n))
    expect([copy.messages(), copy.hasText]).toEqual([reply.messages(), false])
  })

  test('are in no whole messages of old clients, whose answer follows the question', () => {
    const reply = thinking()
    expect(reply.messagesSince(0)).toEqual([])
    reply.take({ type: 'message', message: { ...message('m', 'Hi'), parent: 't' } })
    expect(reply.messagesSince(0)).toEqual([{ ...message('m', 'Hi'), parent: 'q' }])
  })
})
