import { describe, expect, test } from 'vitest'
import { aDatabase } from '#testing/database.ts'
import { servedFiles, type ServedFiles } from '#testing/servedFiles.ts'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { aGif, aJpeg, anAvif, aPng, aWebp } from './pictures/pictures.testing.ts'

const bytesOf = (bytes: Buffer) => new Uint8Array(bytes)
const PAGE = "sandbox; default-src 'none'"
const PDF = '%PDF-1.7 0123456789'

const read = (served: ServedFiles, id: string, part = 'content', headers: Record<string, string> = {}) =>
  served.call(`/api/files/${id}/${part}`, { as: 'ann', headers })

async function withDocument() {
  const served = await servedFiles(await aDatabase())
  const { id } = await served.kept('ann', {
    ...{ file: { content: PDF, name: '合同 (A).pdf' }, text: '第一页\fzweite', pages: '2' },
  })
  await served.call(`/api/files/${id}/pages/2`, { method: 'PUT', as: 'ann', body: bytesOf(aPng()) })
  return { served, id }
}

describe('a picture of one’s own', () => {
  test.each([
    ['image/png', aPng()],
    ['image/jpeg', aJpeg()],
    ['image/gif', aGif()],
    ['image/webp', aWebp()],
    ['image/avif', anAvif()],
  ])('is shown, and is no page: %s', async (content_type, bytes) => {
    const served = await servedFiles(await aDatabase())
    const { id } = await served.kept('ann', { file: { content: bytesOf(bytes), name: 'a.png' } })
    for (const part of ['content', 'thumbnail']) {
      const { headers } = await read(served, id, part)
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': content_type,
        'content-disposition': expect.stringMatching(/^inline; /),
        'content-security-policy': PAGE,
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, no-cache',
      })
    }
  })
  test('has the small picture that came with it, and says what that is', async () => {
    const served = await servedFiles(await aDatabase())
    const small = bytesOf(aWebp(false))
    const { id, has_thumbnail } = await served.kept('ann', {
      ...{ file: { content: bytesOf(aJpeg()), name: 'a.jpg' }, thumbnail: { content: small } },
    })
    const { headers } = await read(served, id, 'thumbnail')
    expect([has_thumbnail, headers.get('content-type')]).toEqual([true, 'image/webp'])
    expect(Number(headers.get('content-length'))).toBe(small.length)
    expect(headers.get('etag')).not.toBe((await read(served, id)).headers.get('etag'))
  })
})

describe('a document of one’s own', () => {
  test('is to be saved under its name, and its text too; a page of it is a picture', async () => {
    const { served, id } = await withDocument()
    const document = (await read(served, id)).headers
    expect(document.get('content-disposition')).toBe(
      `attachment; filename="__ (A).pdf"; filename*=UTF-8''%E5%90%88%E5%90%8C%20%28A%29.pdf`,
    )
    const text = await read(served, id, 'text')
    expect([text.text, text.headers.get('content-type')]).toEqual(['第一页\fzweite', 'text/plain; charset=utf-8'])
    expect(text.headers.get('content-disposition')).toMatch(/^attachment; .*\.pdf\.txt$/)
    const page = (await read(served, id, 'pages/2')).headers
    expect([page.get('content-type'), page.get('content-disposition')?.split(';')[0]]).toEqual(['image/png', 'inline'])
    for (const headers of [document, text.headers, page])
      expect([headers.get('content-security-policy'), headers.get('x-content-type-options')]).toEqual([PAGE, 'nosniff'])
  })
  test('has no small picture of which nobody has drawn any, and no pages that nobody has', async () => {
    const { served, id } = await withDocument()
    for (const part of ['thumbnail', 'pages/1', 'pages/3', 'pages/0', 'pages/99'])
      expect((await read(served, id, part)).envelope.message, part).toBe('errors.resourceNotFound')
    for (const part of ['pages/-1', 'pages/1e1', 'pages/x'])
      expect((await read(served, id, part)).status, part).not.toBe(200)
  })
  test.each([
    ['bytes=0-3', 206, '%PDF'],
    ['bytes=9-', 206, '0123456789'],
    ['bytes=-4', 206, '6789'],
    ['bytes=-9999', 206, PDF],
    ['bytes=15-9999', 206, '6789'],
    ['bytes=19-', 416, ''],
    ['bytes=-0', 416, ''],
    // What is not understood, and several at once, are the whole.
    ['bytes=5-2', 200, PDF],
    ['bytes=0-1,3-4', 200, PDF],
    ['lines=0-1', 200, PDF],
    ['bytes=a-b', 200, PDF],
    ['bytes=99999999999999999999-', 416, ''],
  ])('is given in parts: %s', async (range, status, text) => {
    const { served, id } = await withDocument()
    const answer = await read(served, id, 'content', { range })
    expect([answer.status, answer.text]).toEqual([status, text])
    if (status === 206) {
      const start = PDF.indexOf(text)
      expect(answer.headers.get('content-range')).toBe(`bytes ${start}-${start + text.length - 1}/${PDF.length}`)
    }
    if (status === 416) expect(answer.headers.get('content-range')).toBe(`bytes */${PDF.length}`)
  })
  test('is given whole to whoever has a part of another content', async () => {
    const { served, id } = await withDocument()
    const etag = (await read(served, id)).headers.get('etag') ?? ''
    const part = (tag: string) => read(served, id, 'content', { range: 'bytes=0-3', 'if-range': tag })
    expect([(await part(etag)).status, (await part('"another"')).status]).toEqual([206, 200])
  })
  test('is counted in bytes where its text is asked for in parts', async () => {
    const { served, id } = await withDocument()
    const { status, headers, text } = await read(served, id, 'text', { range: 'bytes=3-8' })
    expect([status, text, headers.get('content-range')]).toEqual([206, '一页', 'bytes 3-8/16'])
  })
})

describe('a file whose bytes are lost', () => {
  test('is not found, and neither is a small picture or a page; what was read in it stays', async () => {
    const { served, id } = await withDocument()
    await rm(join(served.data_dir, 'uploads'), { recursive: true })
    for (const part of ['content', 'pages/2'])
      expect((await read(served, id, part)).envelope.message, part).toBe('errors.resourceNotFound')
    expect((await read(served, id, 'text')).text).toBe('第一页\fzweite')
  })
})

describe('an id that is none', () => {
  test.each(['..', '%2e%2e%2f1', 'file-abc', '0', 'x'.repeat(300), "'"])('leads to no file: %s', async id => {
    const served = await servedFiles(await aDatabase())
    for (const part of ['content', 'thumbnail', 'text', 'pages/1']) {
      const { status, envelope } = await read(served, id, part)
      const code = status === 200 ? envelope.code : status
      expect(code, part).not.toBe(200)
      expect(code, part).not.toBe(500)
    }
  })
})
