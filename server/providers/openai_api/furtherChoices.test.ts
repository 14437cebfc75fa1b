import { describe, expect, test } from 'vitest'
import { askingProvider, PROVIDERS, rawUpstream } from '#testing/upstream.ts'

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
