import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { type Call, nothing } from '#contract/call.ts'
import { anEdge, cookieOf, type Edge } from '#testing/edge.ts'
import { until } from '#testing/until.ts'
import { FileAnswer, attachmentNamed, type FileContent } from './file.ts'
import type { ArrivingFile } from './multipartFile.ts'
import { Refusal } from '../refusal.ts'

const storeThing = {
  ...nothing,
  access: 'user',
  method: 'POST',
  path: '/things',
  summary: 'Takes a file.',
  body: z.object({ file: z.unknown() }),
  bodyKind: 'file',
  result: z.object({ filename: z.string(), size: z.int() }),
} as const satisfies Call
const fetchThing = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/things',
  summary: 'Gives one.',
  result: z.unknown(),
  resultKind: 'file',
} as const satisfies Call

const measured = async ({ filename, content }: ArrivingFile) => ({ filename, size: (await buffer(content)).length })

/** An opened file, and whether it has been closed or read since. */
function anOpenedFile(text: string) {
  const state = { used: 0 }
  const content: FileContent = {
    createReadStream: ({ start, end } = { start: 0, end: text.length - 1 }) => {
      state.used++
      return Readable.from([text.slice(start, end + 1)])
    },
    close: async () => {
      state.used++
    },
  }
  return { content, state }
}

/** An edge that takes a file, in its own way, and gives one. */
function aStore(take: (file: ArrivingFile) => Promise<{ filename: string; size: number }> = measured) {
  return anEdge({}, http => {
    http.answer(storeThing, ({ body }) => take(body))
    http.answer(
      fetchThing,
      () =>
        new FileAnswer({
          content: anOpenedFile('<b>hello</b>').content,
          size: 12,
          content_type: 'text/plain',
          name: 'a "b".txt',
          tag: 'one',
        }),
    )
  })
}

function aForm(content: BlobPart, name = 'a.txt'): FormData {
  const form = new FormData()
  form.set('file', new File([content], name))
  return form
}

/** A request that sends its body piece by piece, and what becomes of it. */
function slowly({ url }: Edge): { sent: ClientRequest; answered: Promise<string> } {
  const sent = request(`${url}/api/things`, {
    method: 'POST',
    headers: { origin: url, cookie: cookieOf('ann'), 'content-type': 'multipart/form-data; boundary=edge' },
  })
  const answered = once(sent, 'response').then(
    async ([response]) => String(await buffer(response)),
    (error: Error) => error.message,
  )
  sent.write('--edge\r\ncontent-disposition: form-data; name="file"; filename="slow"\r\n\r\nsome')
  return { sent, answered }
}

describe('a call that takes a file', () => {
  test('is given it as it comes, larger than any other body may be', async () => {
    const { call } = await aStore()
    const { envelope } = await call('/api/things', {
      method: 'POST',
      as: 'ann',
      body: aForm(new Uint8Array(5_000_000), '林.bin'),
    })
    expect(envelope).toMatchObject({ code: 200, result: { filename: '林.bin', size: 5_000_000 } })
  })
  test('takes nothing else', async () => {
    const { call } = await aStore()
    expect((await call('/api/things', { method: 'POST', as: 'ann', json: {} })).envelope.code).toBe(415)
    expect((await call('/api/things', { method: 'POST', as: 'ann' })).envelope).toMatchObject({
      code: 422,
      detail: [{ loc: ['body', 'file'] }],
    })
    expect((await call('/api/things', { method: 'POST', body: aForm('x') })).envelope).toMatchObject({
      message: 'errors.userNotLogin',
    })
  })
  test('may refuse before it has read the file: the answer arrives, and the connection serves the next request', async () => {
    const { call } = await aStore(() => Promise.reject(new Refusal('fileTooLarge', { max_bytes: 1 })))
    for (let count = 0; count < 3; count++) {
      const { envelope } = await call('/api/things', {
        method: 'POST',
        as: 'ann',
        body: aForm(new Uint8Array(3_000_000)),
      })
      expect(envelope).toMatchObject({ message: 'errors.fileTooLarge', values: { max_bytes: 1 } })
    }
    expect((await call('/api/thing/7', { as: 'ann' })).envelope.code).toBe(200)
  })
  test('may refuse in the midst of it: the answer waits for nothing more to come', async () => {
    const { sent, answered } = slowly(
      await aStore(async ({ content }) => {
        for await (const _piece of content) break
        throw new Refusal('fileTooLarge', { max_bytes: 1 })
      }),
    )
    expect(await answered).toContain('errors.fileTooLarge')
    sent.destroy()
  })
  test('notices when the sender is gone, which is nobody’s mistake', async () => {
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()]
    const edge = await aStore(async file => {
      begun.resolve()
      return measured(file).catch((error: Error) => {
        ended.resolve(error.message)
        throw error
      })
    })
    const { sent } = slowly(edge)
    await begun.promise
    sent.destroy()
    expect(await ended.promise).toMatch(/aborted|premature/i)
    expect(edge.lines.filter(line => Number(line['level']) >= 40)).toEqual([])
  })
})

describe('the time for a file', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test('is not that of other requests', async () => {
    const begun = Promise.withResolvers<void>()
    const edge = await aStore(file => {
      begun.resolve()
      return measured(file)
    })
    const connected = once(edge.http.fastify.server, 'connection')
    const { sent, answered } = slowly(edge)
    const [socket] = (await connected) as [Socket]
    await begun.promise
    const timeIsUp = () =>
      edge.http.fastify.server.emit(
        'clientError',
        Object.assign(new Error('slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
        socket,
      )
    timeIsUp()
    sent.end(' more\r\n--edge--\r\n')
    expect(await answered).toContain('"size":9')
    timeIsUp()
    await until(() => expect(socket.destroyed || socket.writableEnded).toBe(true))
  })
  test('is over when nothing comes for half a minute', async () => {
    const begun = Promise.withResolvers<void>()
    const edge = await aStore(file => {
      begun.resolve()
      return measured(file)
    })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { answered } = slowly(edge)
    await begun.promise
    await vi.advanceTimersByTimeAsync(30_000)
    expect(await answered).toMatch(/hang up|ECONNRESET/)
  })
  test('begins anew with every piece', async () => {
    const edge = await aStore()
    const requested = once(edge.http.fastify.server, 'request')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { sent, answered } = slowly(edge)
    const [received] = (await requested) as [IncomingMessage]
    for (const piece of [' more', ' more', '\r\n--edge--\r\n']) {
      await once(received, 'data')
      await vi.advanceTimersByTimeAsync(20_000)
      sent.write(piece)
    }
    sent.end()
    expect(await answered).toContain('"size":14')
  })
  test('does not run while it is we who are slow', async () => {
    const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const edge = await aStore(async file => {
      begun.resolve()
      await goOn.promise
      return measured(file)
    })
    const requested = once(edge.http.fastify.server, 'request')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { sent, answered } = slowly(edge)
    const [received] = (await requested) as [IncomingMessage]
    const held = once(received, 'pause')
    sent.end(`${'x'.repeat(3_000_000)}\r\n--edge--\r\n`)
    await begun.promise
    await held
    await vi.advanceTimersByTimeAsync(300_000)
    goOn.resolve()
    expect(await answered).toContain('"size":3000004')
  })
})

describe('a file as an answer', () => {
  test('is saved under its name and never shown as a page of ours', async () => {
    const { call } = await aStore()
    const { status, headers, text } = await call('/api/things', { as: 'ann' })
    expect([status, text]).toEqual([200, '<b>hello</b>'])
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/plain',
      'content-length': '12',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-disposition': `attachment; filename="a _b_.txt"; filename*=UTF-8''a%20%22b%22.txt`,
      'content-security-policy': "sandbox; default-src 'none'",
      'accept-ranges': 'bytes',
      etag: '"one"',
    })
  })
  test.each([
    ['a.txt', `attachment; filename="a.txt"; filename*=UTF-8''a.txt`],
    ['照片.png', `attachment; filename="__.png"; filename*=UTF-8''%E7%85%A7%E7%89%87.png`],
    ['a"b;c\r\nX: y', `attachment; filename="a_b;c__X: y"; filename*=UTF-8''a%22b%3Bc%0D%0AX%3A%20y`],
    ["100% (it's)*", `attachment; filename="100_ (it's)*"; filename*=UTF-8''100%25%20%28it%27s%29%2A`],
    ['x\uD800😀', `attachment; filename="x__"; filename*=UTF-8''x%EF%BF%BD%F0%9F%98%80`],
  ])('has a name that every reader understands: %j', (name, header) => {
    expect(attachmentNamed(name)).toBe(header)
  })
})

describe('a part of a file', () => {
  async function asked(headers: Record<string, string>, { text = '0123456789', method = 'GET', as = 'ann' } = {}) {
    const file = anOpenedFile(text)
    const { call, url } = await anEdge({}, http => {
      http.answer(
        fetchThing,
        () =>
          new FileAnswer({
            content: file.content,
            size: text.length,
            content_type: 'text/plain',
            name: 'a',
            tag: 'one',
          }),
      )
    })
    const answer = await call('/api/things', { as, method, headers: { ...headers, origin: url } })
    return {
      status: answer.status,
      text: answer.text,
      range: answer.headers.get('content-range'),
      length: answer.headers.get('content-length'),
      used: file.state.used,
    }
  }

  test.each([
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=4-4', '4', 'bytes 4-4/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-2', '89', 'bytes 8-9/10'],
    ['bytes=-99', '0123456789', 'bytes 0-9/10'],
    ['bytes=8-99999999999999999999', '89', 'bytes 8-9/10'],
    ['BYTES=0-0', '0', 'bytes 0-0/10'],
  ])('%s is sent as such', async (range, text, told) => {
    expect(await asked({ range })).toEqual({ status: 206, text, range: told, length: String(text.length), used: 1 })
    expect(await asked({ range, 'if-range': '"one"' })).toMatchObject({ status: 206, text })
  })
  test.each(['bytes=10-', 'bytes=99-100', 'bytes=-0'])('%s is behind its end', async range => {
    expect(await asked({ range })).toEqual({ status: 416, text: '', range: 'bytes */10', length: '0', used: 1 })
  })
  test.each(['bytes=0-1,4-5', 'bytes=5-2', 'bytes=-', 'bytes=a-b', 'lines=0-1', 'bytes 0-1', 'bytes=1.5-2', ''])(
    '%j gets the whole',
    async range => {
      expect(await asked({ range })).toEqual({ status: 200, text: '0123456789', range: null, length: '10', used: 1 })
    },
  )
  test('of another content gets the whole of this one', async () => {
    for (const ifRange of ['"two"', 'W/"one"', 'Wed, 21 Oct 2026 07:28:00 GMT']) {
      expect(await asked({ range: 'bytes=0-1', 'if-range': ifRange })).toMatchObject({
        status: 200,
        text: '0123456789',
      })
    }
  })
  test('of nothing is behind its end', async () => {
    expect(await asked({ range: 'bytes=0-' }, { text: '' })).toMatchObject({ status: 416, range: 'bytes */0' })
    expect(await asked({}, { text: '' })).toMatchObject({ status: 200, length: '0' })
  })
  test('is none when only the head is asked for', async () => {
    expect(await asked({ range: 'bytes=0-1' }, { method: 'HEAD' })).toEqual({
      status: 200,
      text: '',
      range: null,
      length: '10',
      used: 1,
    })
  })
  test('is for those who may have the whole', async () => {
    for (const method of ['GET', 'HEAD'])
      expect(await asked({ range: 'bytes=0-1' }, { method, as: 'nobody' })).toMatchObject({
        status: 200,
        range: null,
        used: 0,
      })
  })
})
