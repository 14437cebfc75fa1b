import { describe, expect, test } from 'vitest'
import type { Message } from '#contract/messages.ts'
import { aQuestion } from '#testing/upstream.ts'
import type { ProviderEvent } from '../provider.ts'
import { growingAnswer } from './growingAnswer.ts'
import { unopenedThoughts } from './thinkTags.ts'

/** The messages that come of a text in these pieces, in the order in which they began. */
function read(pieces: readonly string[]) {
  const messages = new Map<string, { text: string; isThought: boolean; parent: string | null }>()
  let latest = ''
  const answer = growingAnswer(aQuestion('openai_api'), 100_000, (event: ProviderEvent) => {
    if (event.type === 'message') messages.set((latest = event.message.id), readMessage(event.message))
    else if (event.type === 'text') messages.get(latest)!.text += event.text // a message begins before its text
  })
  const unopened = unopenedThoughts(answer)
  for (const piece of pieces) unopened.take(piece)
  unopened.end()
  answer.end({ finish_reason: 'stop', usage: null, sources: [] })
  return [...messages.entries()].map(([id, message]) => ({ id, ...message }))
}

function readMessage({ content, parent }: Message) {
  const isThought = content?.content_type === 'thoughts'
  const text = content !== null && 'text' in content && typeof content.text === 'string' ? content.text : ''
  return { text, isThought, parent }
}

/** Whole, letter by letter, and cut once at each place. */
function readEachWay(text: string) {
  const ways = [[text], [...text], ...Array.from(text, (_, at) => [text.slice(0, at), text.slice(at)])]
  const [first, ...others] = ways.map(read)
  for (const other of others) expect(other).toEqual(first)
  return first
}

describe('what stands before a closing tag alone', () => {
  test.each([
    ['Let me see.\nYes.\n</think>\n\nHello', 'Let me see.\nYes.', 'Hello'],
    ['Let me see.</think>\nHello', 'Let me see.', 'Hello'],
    ['a < b\r\n</thinking> \r\nHello\n', 'a < b', 'Hello\n'],
    ['```js\nx\n```\n</think>\nHello </think>\nyou', '```js\nx\n```', 'Hello </think>\nyou'],
  ])('is thought, and the answer follows it: %j', (given, thoughts, text) => {
    expect(readEachWay(given)).toEqual([
      { id: 'reply', text: thoughts, isThought: true, parent: 'question' },
      { id: 'thoughts', text, isThought: false, parent: 'reply' },
    ])
  })

  test.each(['</think>\n\nHello', '\n</think>\nHello'])('is nothing where there is nothing: %j', given => {
    expect(readEachWay(given)).toEqual([{ id: 'reply', text: 'Hello', isThought: false, parent: 'question' }])
  })

  test.each([
    'The tag </think> ends them.',
    'First <think>\nhm\n</think>\nthen text',
    '```xml\nhm\n</think>\n```\nas I said',
    'It ends with `</think>\n`',
    'a < b and </div>\n',
    'Never ends </think>',
    'Half </thi',
  ])('is an answer that speaks of tags: %j', given => {
    expect(readEachWay(given)).toEqual([{ id: 'reply', text: given, isThought: false, parent: 'question' }])
  })
})
