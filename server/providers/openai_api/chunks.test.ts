import { describe, expect, test } from 'vitest'
import { fromUpstream } from './chunks.ts'

describe('an event of the endpoint', () => {
  test('adds the text of its choice', () => {
    expect(fromUpstream('{"choices":[{"delta":{"content":"a"},"finish_reason":null}]}')).toMatchObject({
      text: 'a',
      finish: null,
    })
  })
  test('is read of the first choice that brings text, wherever it stands, and of no other', () => {
    const [one, two] = [
      '{"index":0,"delta":{"content":"one"}}',
      '{"index":1,"delta":{"content":"two"},"finish_reason":"length"}',
    ]
    for (const choices of [`${one},${two}`, `${two},${one}`])
      expect(fromUpstream(`{"choices":[${choices}]}`)).toMatchObject({ text: 'one', choice: 0, finish: null })
    expect(fromUpstream(`{"choices":[{"index":0,"delta":{}},${two}]}`)).toMatchObject({
      text: 'two',
      choice: 1,
      finish: { kind: 'whole' },
    })
    expect(fromUpstream(`{"choices":[${two}]}`, 0)).toMatchObject({ text: '', finish: null })
  })
  test('may leave out which choice it means', () => {
    for (const index of ['', '"index":null,'])
      expect(fromUpstream(`{"choices":[{${index}"delta":{"content":"a"}}]}`)).toMatchObject({ text: 'a' })
  })
  test('may have null content, no delta or no choices', () => {
    for (const event of [
      '{"choices":[{"delta":{"role":"assistant","content":null}}]}',
      '{"choices":[{}]}',
      '{"choices":[]}',
      '{}',
    ]) {
      expect(fromUpstream(event)).toMatchObject({ text: '', error: null })
    }
  })
  test('may bring a list, of which the texts are the text and the thoughts are thoughts', () => {
    const list = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
      { type: 'text', text: 'a' },
      { type: 'image_url' },
      { type: 'text', text: 'b' },
      { type: 'text', text: 7 },
    ]
    expect(fromUpstream(JSON.stringify({ choices: [{ delta: { content: list } }] }))).toMatchObject({
      text: 'ab',
      thoughts: 'hm',
      error: null,
    })
    expect(fromUpstream('{"choices":[{"delta":{"content":[]}}]}')).toMatchObject({ text: '' })
  })
  test('may bring nothing but the usage', () => {
    expect(
      fromUpstream('{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7}}'),
    ).toMatchObject({ usage: { prompt_tokens: 3, completion_tokens: 4 } })
  })
  test('counts tokens with whole numbers that can be counted with, or not at all', () => {
    for (const [prompt, completion] of [
      [1e300, 4],
      [3, -5.5],
      [-1, 4],
      [3.5, 4],
      ['3', 4],
      [2 ** 53, 4],
      [3, 1_000_000_001],
      [3, null],
    ]) {
      const event = JSON.stringify({
        choices: [{ delta: { content: 'a' } }],
        usage: { prompt_tokens: prompt, completion_tokens: completion },
      })
      expect(fromUpstream(event), event).toMatchObject({ text: 'a', usage: null })
    }
    expect(fromUpstream('{"usage":{"prompt_tokens":0,"completion_tokens":1000000000}}')).toMatchObject({
      usage: { prompt_tokens: 0, completion_tokens: 1e9 },
    })
  })
  test('that is not JSON, or not of this protocol, is passed over', () => {
    for (const event of ['', 'hello', '[1]', '"text"', 'null', '{"choices":"no"}'])
      expect(fromUpstream(event)).toBe(null)
  })
  test('may say that the answer broke off', () => {
    expect(fromUpstream('{"error":{"message":"secret words of the upstream"}}')).toMatchObject({
      error: { codes: {} },
    })
  })
})
