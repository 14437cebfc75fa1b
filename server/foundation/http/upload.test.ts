import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { type Call, nothing } from '#contract/call.ts'
import { anEdge, cookieOf, type Edge } from '#testing/edge.ts'
import { until } from '#testing/until.ts'
import { Refusal } from '../refusal.ts'
import { type ArrivingFile, fileOfForm } from './upload.ts'

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
const measured = async ({ filename, content }: ArrivingFile) => ({ filename, size: (await buffer(content)).length })

/** An edge that takes a file, in its own way. */
const aStore = (take: (file: ArrivingFile) => Promise<{ filename: string; size: number }> = measured) =>
  anEdge({}, http => {
    http.answer(storeThing, ({ body }) => take(body))
  })

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
    const [started, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()]
    const edge = await aStore(async file => {
      started.resolve()
      return measured(file).catch((error: Error) => {
        ended.resolve(error.message)
        throw error
      })
    })
    const { sent } = slowly(edge)
    await started.promise
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
    const started = Promise.withResolvers<void>()
    const edge = await aStore(file => {
      started.resolve()
      return measured(file)
    })
    const connected = once(edge.http.fastify.server, 'connection')
    const { sent, answered } = slowly(edge)
    const [socket] = (await connected) as [Socket]
    await started.promise
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
    const started = Promise.withResolvers<void>()
    const edge = await aStore(file => {
      started.resolve()
      return measured(file)
    })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { answered } = slowly(edge)
    await started.promise
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
    const [started, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const edge = await aStore(async file => {
      started.resolve()
      await goOn.promise
      return measured(file)
    })
    const requested = once(edge.http.fastify.server, 'request')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { sent, answered } = slowly(edge)
    const [received] = (await requested) as [IncomingMessage]
    const held = once(received, 'pause')
    sent.end(`${'x'.repeat(3_000_000)}\r\n--edge--\r\n`)
    await started.promise
    await held
    await vi.advanceTimersByTimeAsync(300_000)
    goOn.resolve()
    expect(await answered).toContain('"size":3000004')
  })
})

const BOUNDARY = 'edge-0123'
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`
const TAIL = `\r\n--${BOUNDARY}--\r\n`

const headFor = (disposition: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: ${disposition}\r\nContent-Type: text/plain\r\n\r\n`
const formText = (content: string, filename = 'a.txt') =>
  `${headFor(`form-data; name="file"; filename="${filename}"`)}${content}${TAIL}`

/** The bytes of a form, arriving so many at a time. */
function arriving(form: string, size = form.length): Readable {
  const bytes = Buffer.from(form)
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  )
  return Readable.from(pieces)
}

async function read(form: string, size?: number): Promise<{ filename: string; text: string }> {
  const { filename, content } = await fileOfForm(arriving(form, size), TYPE)
  return { filename, text: String(await buffer(content)) }
}

const faultOf = (form: string, size?: number) =>
  read(form, size).then(
    () => null,
    (refusal: Refusal) => refusal.detail?.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join(),
  )

describe('the file of a form', () => {
  test('arrives as it was sent, however it is cut on the way', async () => {
    const text = `two\r\nlines, --${BOUNDARY} in the midst, \r\n--edge-012, \r\n--\r\n and 林`
    for (let size = 1; size < 200; size++)
      expect(await read(formText(text), size), String(size)).toEqual({ filename: 'a.txt', text })
  })
  test('may be empty', async () => {
    expect(await read(formText(''), 3)).toEqual({ filename: 'a.txt', text: '' })
  })
  test('may be preceded and followed by what belongs to no part', async () => {
    expect(await read(`preamble\r\n${formText('text')}${'epilogue'.repeat(10_000)}`, 5_000)).toEqual({
      filename: 'a.txt',
      text: 'text',
    })
  })
  test('has the name it was given, as it is written, with the codes browsers put for what cannot stand in quotes', async () => {
    expect((await read(formText('', '照片/../a%22b%0D%0Ac 100%25.png'))).filename).toBe(
      '照片/../a%22b%0D%0Ac 100%25.png',
    )
  })
  test('is not fetched before somebody reads it, and not for longer than somebody does', async () => {
    let fetched = 0
    const body = Readable.from(
      (function* () {
        yield Buffer.from(headFor('form-data; name="file"; filename="large"'))
        for (; ; fetched++) yield Buffer.alloc(10_000)
      })(),
    )
    const { content } = await fileOfForm(body, TYPE)
    await until(() => expect(body.isPaused()).toBe(true))
    expect(fetched).toBeLessThan(50)
    for await (const _piece of content) if (fetched > 200) break
    await until(() => expect(body.isPaused()).toBe(true))
    expect(fetched).toBeLessThan(300)
    expect(body.destroyed).toBe(false)
  })
  test('fails as what brings it does', async () => {
    const body = new Readable({ read() {} })
    body.push(`${headFor('form-data; name="file"; filename="a"')}some`)
    const { content } = await fileOfForm(body, TYPE)
    body.destroy(new Error('cable cut'))
    await expect(buffer(content)).rejects.toThrow('cable cut')
  })
})

describe('a form that is refused', () => {
  test.each([
    ['that is empty', '', 'body: Not a whole form'],
    ['without parts', `--${BOUNDARY}--\r\n`, 'body.file: No file'],
    ['with another boundary', formText('x').replaceAll(BOUNDARY, 'else'), 'body: Not a whole form'],
    ['with a text in place of the file', `${headFor('form-data; name="file"')}text${TAIL}`, 'body.file: No file'],
    ['with a file that was not chosen', formText('', ''), 'body.file: No file'],
    [
      'with a file of another field',
      `${headFor('form-data; name="other"; filename="a"')}x${TAIL}`,
      'body.file: No file',
    ],
    ['with a head without end', `--${BOUNDARY}\r\n${'x'.repeat(10_000)}`, 'body: Not a whole form'],
    ['with a second part', formText('one').replace(TAIL, '') + '\r\n' + formText('two'), 'body: More than one file'],
    [
      'with a text after the file',
      `${formText('one').replace(TAIL, '')}\r\n${headFor('form-data; name="more"')}text${TAIL}`,
      'body: More than one file',
    ],
    ['that ends in the midst', formText('one').replace(TAIL, ''), 'body: Not a whole form'],
    ['that ends in the midst of its last delimiter', formText('one').slice(0, -4), 'body: Not a whole form'],
  ])('is one %s', async (_what, form, fault) => {
    expect(await faultOf(form)).toBe(fault)
    expect(await faultOf(form, 1)).toBe(fault)
  })
  test('is so also when nobody was reading as it broke off', async () => {
    const body = arriving(formText('one').replace(TAIL, ''))
    const { content } = await fileOfForm(body, TYPE)
    await finished(body)
    await new Promise(setImmediate)
    await expect(buffer(content)).rejects.toMatchObject({ detail: [{ msg: 'Not a whole form' }] })
  })
})
