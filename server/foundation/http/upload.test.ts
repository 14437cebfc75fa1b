import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { type Call, nothing } from '#contract/call.ts'
import { anEdge, cookieOf, type Edge } from '#testing/edge.ts'
import { until } from '#testing/until.ts'
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
