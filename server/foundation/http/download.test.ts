import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type Call, nothing } from '#contract/call.ts'
import { anEdge } from '#testing/edge.ts'
import { attachmentNamed, downloadAnswer, type Download, type FileContent } from './download.ts'
import { relayedAnswer } from './relayed.ts'

const fetchThing = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/things',
  summary: 'Gives one.',
  result: z.unknown(),
  resultKind: 'file',
} as const satisfies Call

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

const aDownload = (content: FileContent, size: number, name = 'a'): Download => ({
  content,
  size,
  content_type: 'text/plain',
  name,
  tag: 'one',
})

describe('a download', () => {
  test('is saved under its name and never shown as a page of ours', async () => {
    const { call } = await anEdge({}, http => {
      http.answer(fetchThing, ({ request }) =>
        downloadAnswer(request, aDownload(anOpenedFile('<b>hello</b>').content, 12, 'a "b".txt')),
      )
    })
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

describe('a part of a download', () => {
  async function asked(headers: Record<string, string>, { text = '0123456789', method = 'GET', as = 'ann' } = {}) {
    const file = anOpenedFile(text)
    const { call, url } = await anEdge({}, http => {
      http.answer(fetchThing, ({ request }) => downloadAnswer(request, aDownload(file.content, text.length)))
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
  ])('%s is sent as such', async (range, text, content_range) => {
    expect(await asked({ range })).toEqual({
      status: 206,
      text,
      range: content_range,
      length: String(text.length),
      used: 1,
    })
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
        status: 401,
        range: null,
        used: 0,
      })
  })
})

describe('a file of another host', () => {
  const PNG = Buffer.from('89504e470d0a1a0a0000000d4948445200000002000000030802000000', 'hex')

  test('is known by its beginning, however slowly that comes, and arrives whole', async () => {
    const content = new PassThrough()
    const answered = relayedAnswer({ content, size: null, name: 'a.html' })
    for (const byte of PNG) {
      content.write(Buffer.of(byte))
      await new Promise(setImmediate)
      expect(content.listenerCount('end')).toBeLessThan(5)
    }
    content.end()
    const { headers, body } = await answered
    expect(headers).toMatchObject({ 'content-type': 'image/png', 'content-disposition': 'inline' })
    expect(body).toBe(content)
    expect(await buffer(content)).toEqual(PNG)
  })
  test('is looked at once, also where nothing follows its beginning for a while', async () => {
    let looks = 0
    const content = new (class extends Readable {
      override _read(): void {}
      override unshift(piece: Uint8Array): void {
        looks += 1
        if (looks > 1) throw new Error('it is looked at again and again')
        super.unshift(piece)
      }
    })()
    const answered = relayedAnswer({ content, size: null, name: null })
    setImmediate(() => content.push(new Uint8Array(64)))
    await expect(answered).resolves.toMatchObject({ status: 200 })
  })
  test('that is empty is one, and that breaks off before it began is refused', async () => {
    const empty = new PassThrough().end()
    expect(await relayedAnswer({ content: empty, size: 0, name: null })).toMatchObject({
      headers: { 'content-type': 'application/octet-stream', 'content-length': 0 },
    })
    const content = new PassThrough()
    const answered = relayedAnswer({ content, size: null, name: null })
    content.destroy(new Error('it stalled'))
    await expect(answered).rejects.toMatchObject({ key: 'httpError' })
  })
})
