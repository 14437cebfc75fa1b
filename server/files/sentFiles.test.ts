import { once } from 'node:events'
import { request } from 'node:http'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { OwnFile } from '#contract/ownFiles.ts'
import { storageRefusalOf } from '#server/foundation/refusal.ts'
import { aDatabase } from '#testing/database.ts'
import { cookieOf } from '#testing/edge.ts'
import { servedFiles, type ServedFiles } from '#testing/servedFiles.ts'
import { SOME_TIME } from '#testing/servedUsers.ts'
import { until } from '#testing/until.ts'
import { uploadsOnDisk } from './disk.ts'
import { aJpeg, aPng } from './pictures/pictures.testing.ts'

const bytesOf = (bytes: Buffer) => new Uint8Array(bytes)
const photo = { content: bytesOf(aJpeg()), name: 'IMG_1.jpg' }
/** A JPEG with more before its size than is looked at first. */
const behindMetadata = (side: number): Buffer => {
  const note = Buffer.concat([Buffer.from([0xff, 0xe1, 0xff, 0xff]), Buffer.alloc(65_533, 7)])
  const jpeg = aJpeg({ metadata: [note, note, note, note, note] })
  const size = jpeg.indexOf(Buffer.from([8, 0, 5, 0, 7]))
  jpeg.writeUInt16BE(side, size + 1)
  jpeg.writeUInt16BE(side, size + 3)
  return jpeg
}
const document = () => ({
  file: { content: '%PDF-1.7 …', name: '计划.pdf' },
  text: '早上好，世界。\fPage two',
  pages: '2',
})

const contentOf = ({ call }: ServedFiles, as: string, id: string, part = 'content') =>
  call(`/api/files/${id}/${part}`, { as })

describe('what is sent as a file', () => {
  test.each([
    ['a page as a picture', '<html><script>alert(1)</script>', 'a.png', 'errors.fileKindDiffers'],
    ['a program as a text', bytesOf(Buffer.from('MZ\x90\0\x03', 'latin1')), 'notes.txt', 'errors.fileKindDiffers'],
    ['a picture as a document', bytesOf(aPng()), 'a.pdf', 'errors.fileKindDiffers'],
    ['a text as a Word file', 'hello', 'a.docx', 'errors.fileKindDiffers'],
    ['a picture that ends within', bytesOf(aPng().subarray(0, 60)), 'a.png', 'errors.fileKindDiffers'],
    ['nothing', '', 'a.txt', 'errors.fileEmpty'],
    ['too many pixels', bytesOf(aPng([], 30_000)), 'a.png', 'errors.pictureTooLarge'],
    ['more pixels than can be', bytesOf(aPng([], 2_000_000_000)), 'a.png', 'errors.pictureTooLarge'],
    ['too many pixels behind its metadata', bytesOf(behindMetadata(20_000)), 'a.jpg', 'errors.pictureTooLarge'],
  ])('is refused in words, and nothing stays: %s', async (_name, content, name, message) => {
    const served = await servedFiles(await aDatabase())
    expect((await served.keep('ann', { file: { content, name } })).message).toBe(message)
    expect([await served.onDisk(), await served.rows()]).toEqual([[], []])
  })
  test.each([
    ['photo.png', bytesOf(aJpeg()), 'image/jpeg', 'picture'],
    ['a.svg', '<svg onload="alert(1)"/>', 'text/plain', 'document'],
    ['a.html', '<script>alert(1)</script>', 'text/plain', 'document'],
    ['Makefile', 'all:', 'text/plain', 'document'],
    [
      'locked.docx',
      bytesOf(Buffer.from('d0cf11e0a1b11ae1', 'hex')),
      expect.stringMatching(/wordprocessingml/),
      'document',
    ],
    ['what.bin', bytesOf(Buffer.from([0, 1, 2])), 'application/octet-stream', 'document'],
  ])('is what its bytes say, and runs nowhere: %s', async (name, content, content_type, kind) => {
    const served = await servedFiles(await aDatabase())
    const file = await served.kept('ann', { file: { content, name } })
    expect(file).toMatchObject({ content_type, kind })
    const { headers } = await contentOf(served, 'ann', file.id)
    expect(headers.get('content-disposition')).toMatch(kind === 'picture' ? /^inline/ : /^attachment/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })
  test.each([
    [{ file: { content: 'x' }, more: 'x' }],
    [{ text: 'x' }],
    [{ file: { content: 'x' }, pages: '0' }],
    [{ file: { content: 'x' }, pages: '5001' }],
    [{ file: { content: 'x' }, pages: '1e3' }],
    [{ file: { content: 'x' }, width: '-1' }],
    [{ file: { content: 'x' }, text: '\f'.repeat(5_000) }],
  ])('is a form of known fields and sound numbers: %#', async parts => {
    const served = await servedFiles(await aDatabase())
    expect((await served.keep('ann', parts)).code).toBe(422)
    expect([await served.onDisk(), await served.rows()]).toEqual([[], []])
  })
  test('has the size of its picture, however much stood before it', async () => {
    const served = await servedFiles(await aDatabase())
    const file = await served.kept('ann', { file: { content: bytesOf(behindMetadata(40)), name: 'a.jpg' } })
    expect(file).toMatchObject({ width: 40, height: 40 })
    expect(file.size).toBeLessThan(1_000)
  })
  test('is all or nothing: what came before a part that is refused goes with it', async () => {
    const served = await servedFiles(await aDatabase())
    for (const [part, message] of [
      [{ thumbnail: { content: '<svg/>' } }, 'errors.fileKindDiffers'],
      [{ thumbnail: { content: '' } }, 'errors.fileEmpty'],
      [{ thumbnail: { content: bytesOf(Buffer.concat([aPng([]), Buffer.alloc(300_000)])) } }, 'errors.fileTooLarge'],
      [{ pages: 'many' }, 'errors.requestValidationError'],
    ] as const) {
      expect((await served.keep('ann', { file: photo, ...part })).message).toBe(message)
      expect([await served.onDisk(), await served.rows()]).toEqual([[], []])
    }
  })
  test('has a name that is no path and hides nothing', async () => {
    const served = await servedFiles(await aDatabase())
    for (const [given, name] of [
      ['../../etc/passwd', 'passwd'],
      ['gnp.\u202Eexe', 'gnp.exe'],
      [`${'长'.repeat(300)}.txt`, `${'长'.repeat(251)}.txt`],
    ] as const)
      expect((await served.kept('ann', { file: { content: given, name: given } })).name).toBe(name)
  })
  test('is bounded: by its length as it is announced, and while it comes', async () => {
    const served = await servedFiles(await aDatabase(), { settings: { files: { max_file_bytes: 50_000 } } })
    const refused = { message: 'errors.fileTooLarge', values: { max_bytes: 50_000 } }
    expect(await served.keep('ann', { file: { content: new Uint8Array(50_001) } })).toMatchObject(refused)
    expect(await served.keep('ann', { file: { content: new Uint8Array(50_000).fill(65) } })).toMatchObject({
      code: 200,
    })
    const sent = request(`${served.url}/api/files`, {
      method: 'POST',
      headers: {
        ...{ origin: served.url, cookie: cookieOf('ann'), 'content-length': 2_000_000_000 },
        'content-type': 'multipart/form-data; boundary=edge',
      },
    })
    sent.on('error', () => {})
    sent.write('--edge\r\n')
    const [response] = await once(sent, 'response')
    expect(String((await response.toArray())[0])).toContain('errors.fileTooLarge')
    sent.destroy()
    expect(await served.onDisk()).toHaveLength(1)
  })
  test('leaves nothing when its sender is gone in its midst', async () => {
    const served = await servedFiles(await aDatabase())
    const sent = request(`${served.url}/api/files`, {
      method: 'POST',
      headers: { origin: served.url, cookie: cookieOf('ann'), 'content-type': 'multipart/form-data; boundary=edge' },
    })
    sent.on('error', () => {})
    const head = '--edge\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
    sent.write(`${head}${'x'.repeat(100_000)}\r\n--edge\r\ncontent-disposition: form-data; name="text"\r\n\r\nabc`)
    await until(async () => expect((await served.onDisk()).length).toBeGreaterThan(0))
    sent.destroy()
    await until(async () => expect(await served.onDisk()).toEqual([]))
    expect(await served.rows()).toEqual([])
  })
  test('is readable by this server’s user alone', async () => {
    const served = await servedFiles(await aDatabase())
    await served.kept('ann', { file: photo })
    const [row] = await served.rows()
    const { mode } = await stat(join(served.data_dir, row?.storage_path ?? ''))
    expect(mode & 0o777).toBe(0o600)
  })
  test('is refused where no source takes any', async () => {
    const served = await servedFiles(await aDatabase(), { settings: { files: { max_attachments: 0 } } })
    expect((await served.keep('ann', document())).message).toBe('errors.uploadingNotAllowed')
  })
})

describe('a disk that fills', () => {
  test('is named, and keeps nothing of what was being written', async () => {
    const served = await servedFiles(await aDatabase())
    const disk = uploadsOnDisk(served.data_dir)
    async function* filling() {
      yield Buffer.from('x'.repeat(1_000))
      throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
    }
    const failed = await disk.write(`uploads/1/${crypto.randomUUID()}.dat`, filling()).catch((error: unknown) => error)
    expect(storageRefusalOf(failed)?.key).toBe('diskFull')
    expect(await served.onDisk()).toEqual([])
  })
})

describe('files by the thousand', () => {
  test('are bounded, listed in part, and found by their names', async () => {
    const served = await servedFiles(await aDatabase())
    const row = { uploader_id: 1, size: 1, content_type: 'text/plain', upload_time: SOME_TIME - 1, storage_path: 'x' }
    for (let at = 0; at < 10_000; at += 1_000)
      await served.database
        .insertInto('uploaded_files')
        .values(
          Array.from({ length: 1_000 }, (_, index) => ({
            ...{ ...row, file_id: crypto.randomUUID(), original_filename: `${at + index}.txt` },
          })),
        )
        .execute()
    expect(await served.keep('ann', { file: { content: 'x' } })).toMatchObject({
      ...{ message: 'errors.tooManyFiles', values: { most: 10_000 } },
    })
    expect(await served.onDisk()).toEqual([])
    const listed = async (query: string) =>
      (await served.call(`/api/files?${query}`, { as: 'ann' })).envelope.result as { files: OwnFile[]; total: number }
    expect([(await listed('')).files.length, (await listed('')).total]).toEqual([500, 10_000])
    expect((await listed('search=9999')).files.map(({ name }) => name)).toEqual(['9999.txt'])
  })
})

describe('a picture that is shown again', () => {
  test('is not sent again, as long as it may be seen', async () => {
    const served = await servedFiles(await aDatabase())
    const { id } = await served.kept('ann', { file: photo })
    const etag = (await contentOf(served, 'ann', id)).headers.get('etag') ?? ''
    const again = (as: string) => served.call(`/api/files/${id}/content`, { as, headers: { 'if-none-match': etag } })
    const { status, text, headers } = await again('ann')
    expect([status, text, headers.get('cache-control')]).toEqual([304, '', 'private, no-cache'])
    expect((await again('ben')).envelope.message).toBe('errors.resourceNotFound')
    await served.call(`/api/files/${id}`, { method: 'DELETE', as: 'ann' })
    expect((await again('ann')).envelope.message).toBe('errors.resourceNotFound')
  })
})

describe('a file that is read in parts', () => {
  test('gives those that are asked for, and says what it has not', async () => {
    const served = await servedFiles(await aDatabase())
    const { id } = await served.kept('ann', document())
    for (const part of ['content', 'text']) {
      const range = { as: 'ann', headers: { range: 'bytes=1-3' } }
      const { status, text } = await served.call(`/api/files/${id}/${part}`, range)
      expect([status, text.length > 0]).toEqual([206, true])
      const beyond = { as: 'ann', headers: { range: 'bytes=9999-' } }
      expect((await served.call(`/api/files/${id}/${part}`, beyond)).status).toBe(416)
    }
  })
})
