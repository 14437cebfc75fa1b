import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { endOfBody } from '#testing/outboundRequests.ts'
import { askingProvider, PROVIDERS, rawUpstream } from '#testing/upstream.ts'

const ask = () => askingProvider(PROVIDERS[0]!)

/** An upstream that writes these pieces, each by itself, and ends. */
function writing(...pieces: (string | Uint8Array)[]): Promise<string> {
  return rawUpstream(async (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const piece of pieces) {
      await new Promise(resolve => {
        response.write(piece, resolve)
      })
      // A turn of its own, so that it does not travel together with the next one.
      await new Promise(resolve => {
        setImmediate(resolve)
      })
    }
    response.end()
  })
}

const token = (content: string | null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`

describe('an odd stream', () => {
  test('with CR LF, comments, null content, usage alone, [DONE] inside the text and cut characters loses nothing', async () => {
    const { reply, simulator } = await ask()
    simulator.nextFault({ kind: 'odd' })
    const { text, last, refusal } = await reply('/simulate tokens=200 什么是热泵？')
    expect(refusal).toBe(null)
    expect(text).toBe(simulator.journal[0]?.sent)
    expect(text).toContain('[DONE]')
    expect(last?.metadata).toMatchObject({ finish_reason: 'stop', usage: { prompt_tokens: expect.any(Number) } })
  })

  test('may be cut anywhere, byte by byte', async () => {
    const { reply } = await ask()
    const bytes = Buffer.from(
      `: hi\r\n\r\n${token('héllo 你好 ')}${token('😀\r\n').replaceAll('\n\n', '\r\n\r\n')}data: [DONE]\n\n`,
    )
    const base_url = await writing(
      ...bytes
        .toString('latin1')
        .split('')
        .map(byte => Buffer.from(byte, 'latin1')),
    )
    expect((await reply('hello', { base_url })).text).toBe('héllo 你好 😀\r\n')
  })

  test('without [DONE] ends with the body', async () => {
    const { reply, simulator } = await ask()
    simulator.nextFault({ kind: 'no_done' })
    const { text, last, refusal } = await reply('/simulate tokens=40')
    expect(refusal).toBe(null)
    expect(text).toBe(simulator.journal[0]?.sent)
    expect(last?.metadata).toMatchObject({ finish_reason: 'stop' })
  })

  test.each([
    ['is cut', (response: ServerResponse) => response.destroy()],
    ['falls silent', () => {}],
  ])('that %s behind the reason why it ended is whole', async (_what, misbehave) => {
    const { reply } = await ask()
    const base_url = await rawUpstream((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`${token('one')}data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n`, () =>
        misbehave(response),
      )
    })
    const { text, last, refusal } = await reply('hello', { base_url, read_timeout: 1 })
    expect(refusal).toBe(null)
    expect(text).toBe('one')
    expect(last?.metadata).toMatchObject({ finish_reason: 'stop' })
  })
  test('without an empty line behind the last event loses nothing', async () => {
    const { reply } = await ask()
    expect((await reply('hello', { base_url: await writing(token('one'), token(' two').trimEnd()) })).text).toBe(
      'one two',
    )
  })

  test('that goes on after [DONE] is not read on', async () => {
    const { reply } = await ask()
    const { text, last } = await reply('hello', {
      base_url: await writing(`${token('one')}data: [DONE]\n\n${token(' two')}`),
    })
    expect(text).toBe('one')
    expect(last).not.toBe(null)
  })

  test('that ends a moment after [DONE] is whole before that, and leaves its connection to the next ask', async () => {
    const { reply } = await ask()
    const asked: [IncomingMessage, ServerResponse][] = []
    const base_url = await rawUpstream((...given) => {
      asked.push(given)
      given[1].writeHead(200, { 'content-type': 'text/event-stream' }).write(`${token('one')}data: [DONE]\n\n`)
    })
    expect((await reply('hello', { base_url })).text).toBe('one')
    const ended = endOfBody()
    asked[0]?.[1].end()
    await ended
    expect((await reply('hello', { base_url })).text).toBe('one')
    expect(asked[1]?.[0].socket).toBe(asked[0]?.[0].socket)
  })

  test('with a broken line goes on behind it', async () => {
    const { reply, simulator } = await ask()
    simulator.nextFault({ kind: 'malformed', after_tokens: 5 })
    const { text, refusal } = await reply('/simulate tokens=40')
    expect(refusal).toBe(null)
    expect(text).toBe(simulator.journal[0]?.sent)
  })

  test('with a line of a megabyte is refused, and let go of', async () => {
    const { reply, simulator } = await ask()
    simulator.nextFault({ kind: 'huge_line' })
    const { refusal, text } = await reply('/simulate tokens=2000 pace=10')
    expect(refusal).toMatchObject({ key: 'openai.unknown', values: { reason: 'line' } })
    expect(text).toBe('')
    await simulator.waitFor(entry => entry.ended === 'aborted')
  })

  test('with a line that never ends is refused before it fills the memory', async () => {
    const { reply } = await ask()
    let closed = () => {}
    const hungUp = new Promise<void>(resolve => {
      closed = resolve
    })
    const base_url = await rawUpstream((_request, response) => {
      response.on('close', closed)
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(60_000)));
      }
      response.on('drain', more)
      response.writeHead(200)
      more()
    })
    expect((await reply('hello', { base_url })).refusal).toMatchObject({
      key: 'openai.unknown',
      values: { reason: 'line' },
    })
    await hungUp
  })

  test('with comments alone has no answer in it', async () => {
    const { reply } = await ask()
    const { text, refusal } = await reply('hello', {
      base_url: await writing(': one\n\n', ': two\n\n', 'event: ping\n\n', 'data: [DONE]\n\n'),
    })
    expect(refusal).toMatchObject({ key: 'chatgptResponseError' })
    expect(text).toBe('')
  })

  test('that is no stream at all is refused, and the log says what it is', async () => {
    const { reply } = await ask()
    const base_url = await rawUpstream((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<title>org-SECRET-4711: sign in first</title>')
    })
    const { refusal } = await reply('hello', { base_url })
    expect(refusal).toMatchObject({ key: 'openai.webPage', values: {} })
    expect(String(refusal?.cause)).toContain('content type: text/html')
    expect(String(refusal?.cause)).not.toContain('SECRET')
  })

  test('with an error in it keeps what came before, and not the error’s words', async () => {
    const { reply } = await ask()
    const error = `data: ${JSON.stringify({ error: { message: 'org-SECRET-4711' } })}\n\n`
    const { text, refusal } = await reply('hello', { base_url: await writing(token('so far'), error) })
    expect(text).toBe('so far')
    expect(refusal).toMatchObject({ key: 'openai.cutOff', values: { reason: 'error' } })
    expect(JSON.stringify(refusal)).not.toContain('SECRET')
  })

  test('with text that no database keeps is mended', async () => {
    const { reply } = await ask()
    const lone = String.raw`data: {"choices":[{"delta":{"content":"a\u0000b\ud83dc"}}]}` + '\n\n'
    const { text } = await reply('hello', { base_url: await writing(lone) })
    expect(text.includes('\0')).toBe(false)
    expect(text.isWellFormed()).toBe(true)
    expect(text).toBe('a\uFFFDb\uFFFDc')
  })

  test('with a pair of surrogates in two events is one character in the end', async () => {
    const { reply } = await ask()
    const half = (unit: string) => String.raw`data: {"choices":[{"delta":{"content":"${unit}"}}]}` + '\n\n'
    const { text, last } = await reply('hello', {
      base_url: await writing(half(String.raw`\ud83d`), half(String.raw`\ude00`)),
    })
    expect(text).toBe('😀')
    expect(last?.content).toMatchObject({ text: '😀' })
  })
})
