import { describe, expect, test } from 'vitest'
import { fromUpstream } from './chunks.ts'
import { pieceReader } from './pieces.ts'

type Extra = { finish_reason?: string | null; usage?: object | null; padding?: string }

/** An event as an endpoint writes it. */
function event(content: unknown, { finish_reason = null, padding, ...extra }: Extra = {}): string {
  return JSON.stringify({
    id: 'c-1',
    model: 'm',
    choices: [{ index: 0, delta: { content }, finish_reason, logprobs: null }],
    ...extra,
    ...(padding && { padding }),
  })
}

/** What is read of the last event after all before it have been read, and a first one, of which nothing is learned. */
function readAfter(before: readonly string[], last: string) {
  const read = pieceReader()
  read(event('Once'))
  for (const each of before) read(each)
  return read(last)
}

describe('the events of one stream', () => {
  const texts = [
    '你好',
    ' world',
    '"',
    '\\',
    '\n\n',
    '\\n',
    '\u0000',
    'a\u0000b',
    '😀',
    '\u2028',
    '{"content":"x"}',
    '"content":"',
    '',
    'x'.repeat(5_000),
    '"}}]}',
  ]

  test('say each by itself what they say one after the other', () => {
    for (const first of texts) {
      for (const last of texts)
        expect(readAfter([event(first)], event(last)), `${first} | ${last}`).toEqual(fromUpstream(event(last)))
    }
  })

  test('may be as long as a line may be', () => {
    for (const text of ['x'.repeat(999_000), '\n'.repeat(499_000)]) {
      expect(readAfter([event(text)], event(text))?.text === text, text.slice(0, 1)).toBe(true)
    }
  })

  test('may be written with spaces', () => {
    const spaced = (text: string) => event(text).replaceAll('":', '": ').replaceAll(',"', ', "')
    for (const text of ['one', 'tw"o', 'thr\\ee'])
      expect(readAfter([spaced('first')], spaced(text))).toEqual(fromUpstream(spaced(text)))
  })

  test('may differ in more than their text', () => {
    const others = [
      event('a', { finish_reason: 'stop' }),
      event(null),
      event('', { usage: { prompt_tokens: 1, completion_tokens: 2 } }),
      event('b', { padding: 'xyz' }),
      '{"error":{"message":"no"}}',
      '{"choices":[]}',
      'no JSON',
      event(7),
      event('a').slice(0, -1),
      event('a").slice(9'),
      `${event('a')} `,
    ]
    for (const other of others) {
      expect(readAfter([event('first')], other), other).toEqual(fromUpstream(other))
      expect(readAfter([other, event('first')], event('second')), other).toEqual(fromUpstream(event('second')))
    }
  })

  test('are not taken for what only looks like text', () => {
    const elsewhere = (text: string) => `{"note":{"content":"${text}"},"choices":[{"delta":{"content":"same"}}]}`
    const twice = (text: string) => `{"choices":[{"delta":{"content":"${text}","content":"last"}}]}`
    const key = (text: string) => `{"\\"content":"${text}","choices":[{"delta":{"content":"same"}}]}`
    for (const odd of [elsewhere, twice, key])
      expect(readAfter([odd('one')], odd('two'))).toEqual(fromUpstream(odd('two')))
  })

  test('are not two values where one stood', () => {
    const broken = event('first').replace('"first"', '"a","content":"b"')
    expect(readAfter([event('first')], broken)).toEqual(fromUpstream(broken))
  })
})
