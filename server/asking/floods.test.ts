import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { bringsText, type Frame, question } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { rawUpstream } from '#testing/upstream.ts'

const MB = 1024 * 1024
const TOKEN = 'data: {"choices":[{"delta":{"content":"word "}}]}\n\n'
const END = 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
const WORDS = 20

const ended = (frame: Frame) => frame.type === 'finished' || frame.type === 'error'

/** Endless comments, packed: each write is many megabytes. */
function flood(response: ServerResponse): void {
  const packed = gzipSync(Buffer.alloc(32 * MB, ': x\n'), { level: 1 })
  response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' })
  const pieces = Readable.from(Array<Buffer>(10_000).fill(packed).values())
  response.on('close', () => pieces.destroy())
  pieces.pipe(response)
}

describe('an answer of endless junk', () => {
  test('ends at its deadline; its person asks again, and others are answered meanwhile', async () => {
    const flooded = Promise.withResolvers<void>()
    const floodsLeft = { hungUp: 0 }
    const base_url = await rawUpstream(async (request, response) => {
      if (request.method === 'GET') return void response.writeHead(404).end()
      const asked = await text(request)
      if (asked.includes('junk')) {
        flood(response)
        flooded.resolve()
        await once(response, 'close')
        floodsLeft.hungUp += 1
        return
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (let word = 0; word < WORDS; word += 1) await new Promise(written => response.write(TOKEN, written))
      response.end(END)
    })
    const portal = await startPortal({
      environment: {
        OPENAI_BASE_URL: base_url,
        COMMONS_OPENAI_API_ASK_TIMEOUT: '3',
        COMMONS_OPENAI_API_MAX_COMPLETION_CONCURRENCY: '5',
      },
    })
    const [lin, mei] = [await portal.person(), await portal.person()]
    const junk = await lin.chat(question('junk', { new_title: 'junk' }))
    await flooded.promise
    const other = await mei.chat(question('hello', { new_title: 'hello' }))
    expect((await other.until(ended)).type).toBe('finished')
    expect(other.frames.some(bringsText)).toBe(true)
    expect(await junk.until(ended)).toMatchObject({
      type: 'error',
      tip: expect.stringMatching(/^errors\.(?:upstreamTimeout|openai\.)/),
    })
    expect((await lin.ask('again')).some(frame => frame.type === 'finished')).toBe(true)
    expect(floodsLeft.hungUp).toBe(1)
  })
})
