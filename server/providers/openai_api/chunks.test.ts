import { describe, expect, test } from 'vitest'
import { askingProvider, PROVIDERS, rawUpstream } from '#testing/upstream.ts'
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

const of = (index: number, content: string, finish_reason: string | null = null) => ({
  choices: [{ index, delta: { content }, finish_reason }],
})

async function read(body: string, type = 'text/event-stream') {
  const { reply } = await askingProvider(PROVIDERS[0]!)
  const base_url = await rawUpstream((_request, response) => {
    response.writeHead(200, { 'content-type': type }).end(body)
  })
  const { text, refusal, last } = await reply('hello', { base_url })
  return { text, key: refusal?.key ?? null, metadata: last?.metadata ?? null }
}
const inStream = (...events: unknown[]) => read(events.map(event => `data: ${JSON.stringify(event)}\n\n`).join(''))

describe('an answer that goes on in another choice', () => {
  test.each<[string, unknown[]]>([
    ['when the first has ended', [of(0, 'Half ', 'stop'), of(1, 'of '), of(1, 'it', 'stop')]],
    ['without the first having ended', [of(0, 'Half '), of(1, 'of '), of(1, 'it'), of(1, '', 'stop')]],
    ['when the first ends at last', [of(0, 'Half '), of(1, 'of it'), of(0, '', 'stop')]],
    ['in a third', [of(0, 'Half ', 'stop'), of(1, 'of ', 'stop'), of(2, 'it', 'stop')]],
    ['with what others say at once', [of(0, 'Half ', 'stop'), of(1, 'of it', 'stop'), { choices: [], usage: {} }]],
  ])('is one answer: %s', async (_how, events) => {
    expect(await inStream(...events)).toMatchObject({ text: 'Half of it', key: null })
  })
  test('is read as it comes, however long', async () => {
    const many = Array.from({ length: 40 }, () => of(1, 'a'))
    expect(await inStream(of(0, 'b'), ...many, of(1, '', 'stop'))).toMatchObject({
      text: `b${'a'.repeat(40)}`,
      key: null,
    })
  })
  test('is cut off where the rest does not end', async () => {
    expect(await inStream(of(0, 'Half ', 'stop'), of(1, 'of '))).toMatchObject({
      text: 'Half of ',
      key: 'openai.cutOff',
    })
  })
  test('is one in a document too', async () => {
    const message = (index: number, content: string) => ({
      index,
      message: { role: 'assistant', content },
      finish_reason: 'stop',
    })
    const document = JSON.stringify({ choices: [message(0, 'Half '), message(1, 'of it')] })
    expect(await read(document, 'application/json')).toMatchObject({ text: 'Half of it', key: null })
  })
})

describe('several answers at once', () => {
  test('are not mixed', async () => {
    const together = { choices: [...of(0, 'one').choices, ...of(1, 'two').choices] }
    expect(await inStream(together, together, of(0, '', 'stop'), of(1, ' more', 'stop'))).toMatchObject({
      text: 'oneone',
      key: null,
    })
    expect(
      await inStream(of(0, 'a'), of(1, 'x'), of(0, 'b'), of(1, 'y'), of(0, '', 'stop'), of(1, 'z', 'stop')),
    ).toMatchObject({
      text: 'ab',
      key: null,
    })
  })
})

describe('usage', () => {
  const usage = { prompt_tokens: 3, completion_tokens: 4 }
  test.each<[string, object]>([
    ['beside the choices', { choices: [], usage }],
    ['within a choice', { choices: [{ index: 0, delta: {}, usage }] }],
    ['within what is new', { choices: [{ index: 0, delta: { usage } }] }],
    ['of Groq', { choices: [], x_groq: { usage } }],
    ['in other names', { choices: [{ index: 0, delta: {}, usage: { input_tokens: 3, output_tokens: 4 } }] }],
  ])('is read %s', async (_where, event) => {
    expect(await inStream(of(0, 'Hi'), of(0, '', 'stop'), event)).toMatchObject({ key: null, metadata: { usage } })
  })
})
