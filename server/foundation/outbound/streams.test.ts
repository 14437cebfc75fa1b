import { createHash } from 'node:crypto'
import { PassThrough, Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { expectFailure, hungUp, to, upstream } from '#testing/outboundRequests.ts'
import { openOutbound, OutboundFailure } from './outbound.ts'

const outbound = openOutbound()
afterAll(() => outbound.close())

/** A server that keeps the bytes it is sent, and says so. */
async function storage(status = 201) {
  const bodies: Buffer[] = []
  const served = await upstream((request, response) => {
    request.pause()
    void buffer(request).then(
      body => {
        bodies.push(body)
        response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end()
      },
      () => {},
    )
  })
  return { ...served, bodies }
}

const put = (content: Readable, size: number) => ({ method: 'PUT', body: { content, size } }) as const

describe('streamed content', () => {
  test('arrives byte for byte, with its length', async () => {
    const { url, requests, bodies } = await storage()
    const bytes = Buffer.alloc(3_000_000, 'abcdefg')
    const { status } = await outbound.request(
      to(url, put(Readable.from([bytes.subarray(0, 9), bytes.subarray(9)]), bytes.length)),
    )
    expect([status, requests[0]?.headers['content-length'], bodies[0]?.equals(bytes)]).toEqual([201, '3000000', true])
  })
  test.each([
    ['shorter', 9],
    ['longer', 11],
  ])('that is %s than was said is no whole request', async (_, bytes) => {
    const { url, bodies } = await storage()
    await expectFailure('network', outbound.request(to(url, put(Readable.from([Buffer.alloc(bytes)]), 10))))
    expect(bodies).toEqual([])
  })
  test('is sent once: a connection that was kept before is not used for it, and no redirect followed', async () => {
    const { url, requests, bodies } = await storage(307)
    for (const word of ['one', 'two'])
      expect((await outbound.request(to(url, put(Readable.from([Buffer.from(word)]), 3)))).status).toBe(307)
    expect(requests.map(({ headers }) => headers.connection)).toEqual(['close', 'close'])
    expect(bodies.map(String)).toEqual(['one', 'two'])
  })
  test('that can be made again goes over a kept connection, and once more from its beginning where that is lost', async () => {
    const bodies: string[] = []
    const { url, requests } = await upstream((request, response) => {
      if (requests.length === 2) request.socket.destroy()
      else void text(request).then(body => response.end(String(bodies.push(body))))
    })
    const again = { method: 'POST', body: { content: () => Readable.from([Buffer.from('whole')]), size: 5 } } as const
    expect(await (await outbound.request(to(url, again))).body.text(10)).toBe('1')
    await turnOfTheLoop()
    expect(await (await outbound.request(to(url, again))).body.text(10)).toBe('2')
    expect([requests.length, requests[0]?.socket === requests[1]?.socket]).toEqual([3, true])
    expect(bodies).toEqual(['whole', 'whole'])
  })
  test('may use the same memory for each large piece, however slowly it is read', async () => {
    const { url } = await upstream(async (request, response) => {
      const digest = createHash('sha256')
      for await (const piece of request) {
        digest.update(piece)
        await turnOfTheLoop()
      }
      response.end(digest.digest('hex'))
    })
    const [memory, pieces] = [Buffer.alloc(100_000), 200]
    const sent = createHash('sha256')
    async function* content() {
      for (let piece = 0; piece < pieces; piece++) {
        memory.fill(piece)
        sent.update(memory)
        yield memory
      }
    }
    const size = memory.length * pieces
    const { body } = await outbound.request(to(url, { method: 'POST', body: { content, size } }))
    expect(await body.text(100)).toBe(sent.digest('hex'))
  })
  test('that breaks off ends the request, and so does one that pauses for too long', async () => {
    const { url, first } = await storage()
    const content = new PassThrough()
    content.write('half')
    const broken = outbound.request(to(url, put(content, 10)))
    await first
    content.destroy(new Error('gone'))
    await expectFailure('network', broken)
    await hungUp(first)
    const stalled = new PassThrough()
    stalled.write('half')
    await expectFailure('idle_timeout', outbound.request(to(url, { ...put(stalled, 10), idle_timeout_ms: 50 })))
  })
  test('that failed before anybody asked for it fails its request, and nothing else', async () => {
    const { url } = await storage()
    const content = new PassThrough()
    const request = outbound.request(to(url, put(content, 10)))
    content.destroy(new Error('gone'))
    await expect(request).rejects.toBeInstanceOf(OutboundFailure)
  })
})

describe('an answer as a stream', () => {
  test('is the whole body, which waits with the other side while nobody reads', async () => {
    const size = 30_000_000
    let sent = 0
    const { url } = await upstream((_request, response) => {
      const chunk = Buffer.alloc(100_000, 'x')
      Readable.from(
        (function* () {
          for (; sent < size; sent += chunk.length) yield chunk
        })(),
      ).pipe(response)
    })
    const { body } = await outbound.request(to(url, { idle_timeout_ms: 500 }))
    const stream = body.stream(size)
    await new Promise(resolve => setTimeout(resolve, 600)) // longer than a pause of the other side may be
    expect(sent).toBeLessThan(size / 2)
    expect((await buffer(stream)).length).toBe(size)
  })
  test('has an end, also where nobody has said how long it is', async () => {
    const { url, first } = await upstream((_request, response) => {
      const more = (): void => {
        if (!response.destroyed) response.write(Buffer.alloc(1_000), () => setImmediate(more))
      }
      more()
    })
    await expectFailure('network', buffer((await outbound.request(to(url))).body.stream(10_000)))
    await hungUp(first)
  })
  test('that is destroyed hangs up, and one that is cut fails', async () => {
    const { url, first, responses } = await upstream((_request, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('half')
    })
    const left = (await outbound.request(to(url))).body.stream(100)
    left.destroy()
    await hungUp(first)
    const cut = (await outbound.request(to(url))).body.stream(100)
    responses[1]?.destroy()
    await expectFailure('network', buffer(cut))
  })
})
