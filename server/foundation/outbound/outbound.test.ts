import { createServer } from 'node:http'
import { connect, createServer as createTcpServer } from 'node:net'
import { once } from 'node:events'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { expectFailure, hungUp, portOf, PUBLIC_ONLY, to, upstream } from '#testing/outboundRequests.ts'
import { openOutbound } from './outbound.ts'
import type { Resolve } from './addresses.ts'

const outbound = openOutbound()
afterAll(() => outbound.close())

describe('an outbound request', () => {
  test('brings status, headers and body, and asks for nothing packed', async () => {
    const { url, requests } = await upstream((_request, response) => {
      response.writeHead(201, { 'x-one': 'a' }).end('你好')
    })
    const answer = await outbound.request(to(url, { method: 'POST', body: '{}', headers: { 'x-key': 'k' } }))
    expect(answer.status).toBe(201)
    expect(answer.header('x-one')).toBe('a')
    expect(await answer.body.text(100)).toBe('你好')
    expect(requests[0]?.headers).toMatchObject({ 'accept-encoding': 'identity', 'x-key': 'k' })
  })

  test('hands over the pieces as they arrive', async () => {
    const { url, responses } = await upstream((_request, response) => {
      response.write('one')
    })
    const { body } = await outbound.request(to(url))
    const seen: string[] = []
    await body.each(piece => {
      seen.push(String(Buffer.from(piece)))
      if (seen.length === 1) responses[0]?.write('two')
      else responses[0]?.end()
      return 'continue'
    })
    expect(seen).toEqual(['one', 'two'])
  })

  test('hangs up when its reader has enough, and hands over nothing more', async () => {
    const { url, first } = await upstream((_request, response) => {
      response.write('x'.repeat(1_000_000))
    })
    const { body } = await outbound.request(to(url))
    let pieces = 0
    await body.each(() => (++pieces < 2 ? 'continue' : 'cancel'))
    await hungUp(first)
    expect(pieces).toBe(2)
  })

  test('hangs up when its reader fails, and says how', async () => {
    const { url, first } = await upstream((_request, response) => {
      response.write('one')
    })
    const { body } = await outbound.request(to(url))
    await expect(
      body.each(() => {
        throw new Error('no such word')
      }),
    ).rejects.toThrow('no such word')
    await hungUp(first)
  })

  test('does not follow a redirect', async () => {
    const { url, requests } = await upstream((_request, response) => {
      response.writeHead(302, { location: '/elsewhere' }).end()
    })
    expect((await outbound.request(to(url))).status).toBe(302)
    expect(requests).toHaveLength(1)
  })

  test('reads no more of a body than it is told to, and hangs up', async () => {
    const { url, first } = await upstream((_request, response) => {
      response.write('x'.repeat(100_000))
    })
    const { body } = await outbound.request(to(url))
    expect(await body.text(10)).toBe('x'.repeat(10))
    await hungUp(first)
  })

  test('lets a slow reader take as long as they like', async () => {
    const size = 3_000_000
    const { url } = await upstream((_request, response) => {
      response.end(Buffer.alloc(size))
    })
    const { body } = await outbound.request(to(url, { idle_timeout_ms: 50 }))
    const { promise, resolve } = Promise.withResolvers<void>()
    setTimeout(resolve, 200)
    await promise
    let read = 0
    await body.each(piece => {
      read += piece.length
      return 'continue'
    })
    expect(read).toBe(size)
  })
})

describe('a failure', () => {
  test('is one to connect when nobody listens', async () => {
    const nobody = createTcpServer().listen(0, '127.0.0.1')
    await once(nobody, 'listening')
    const port = portOf(nobody)
    nobody.close()
    await once(nobody, 'close')
    await expectFailure('connect', outbound.request(to(`http://127.0.0.1:${port}`)))
  })

  test('is one of the network when the answer breaks off', async () => {
    const { url } = await upstream((_request, response) => {
      response.write('one', () => response.destroy())
    })
    await expectFailure(
      'network',
      outbound.request(to(url)).then(({ body }) => body.text(100)),
    )
  })

  test('brings what came before it', async () => {
    const { url } = await upstream((_request, response) => {
      response.writeHead(200, { 'content-length': '10' })
      response.write('one', () => response.destroy())
    })
    const { body } = await outbound.request(to(url))
    const seen: string[] = []
    await expectFailure(
      'network',
      body.each(piece => {
        seen.push(Buffer.from(piece).toString())
        return 'continue'
      }),
    )
    expect(seen).toEqual(['one'])
  })

  test('names no address', async () => {
    const failure = await outbound.request(to('http://127.0.0.1:1/?key=geheim')).catch(error => error)
    expect(String(failure)).not.toMatch(/127|geheim/)
  })
})

describe('an abort', () => {
  test('before the request makes none', async () => {
    const { url, requests } = await upstream((_request, response) => {
      response.end()
    })
    await expectFailure('aborted', outbound.request(to(url, { signal: AbortSignal.abort() })))
    expect(requests).toHaveLength(0)
  })

  test('ends a name lookup, whose answer then leads nowhere', async () => {
    const stop = new AbortController()
    const lookups: Parameters<Resolve>[2][] = []
    const asking = openOutbound({
      resolve: (_name, _options, done) => {
        lookups.push(done)
        stop.abort()
      },
    })
    await expectFailure(
      'aborted',
      asking.request(to('https://known.example', { addresses: PUBLIC_ONLY, signal: stop.signal })),
    )
    lookups[0]?.(null, [{ address: '93.184.216.34', family: 4 }])
    await turnOfTheLoop()
    // A connection would look the name up once more.
    expect(lookups).toHaveLength(1)
  })

  test('ends the wait for an answer, and the upstream sees it', async () => {
    const stop = new AbortController()
    const { url, first } = await upstream(() => stop.abort())
    await expectFailure('aborted', outbound.request(to(url, { signal: stop.signal })))
    await hungUp(first)
  })

  test('ends a stream, and the upstream sees it', async () => {
    const stop = new AbortController()
    const { url, first } = await upstream((_request, response) => {
      response.write('one')
    })
    const { body } = await outbound.request(to(url, { signal: stop.signal }))
    await expectFailure(
      'aborted',
      body.each(() => {
        stop.abort()
        return 'continue'
      }),
    )
    await hungUp(first)
  })
})

describe('a proxy', () => {
  test('is asked in place of the upstream', async () => {
    const { url } = await upstream((_request, response) => {
      response.end('through')
    })
    const asked: string[] = []
    const proxy = createServer()
      .on('connect', (request, socket, head) => {
        asked.push(`CONNECT ${request.url}`)
        const onward = connect(Number(new URL(url).port), '127.0.0.1', () => {
          socket.write('HTTP/1.1 200 OK\r\n\r\n')
          onward.write(head)
          onward.pipe(socket).pipe(onward)
        })
        socket.on('error', () => onward.destroy())
        onward.on('error', () => socket.destroy())
      })
      .on('request', (request, response) => {
        asked.push(`${request.method} ${request.url}`)
        response.end('through')
      })
      .listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    onTestFinished(() => {
      proxy.close().closeAllConnections()
    })
    const { body } = await outbound.request(to(url, { proxy: `http://127.0.0.1:${portOf(proxy)}` }))
    expect(await body.text(100)).toBe('through')
    expect(asked).toHaveLength(1)
  })
})
