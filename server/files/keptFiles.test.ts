import { once } from 'node:events'
import { request } from 'node:http'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { OwnFile } from '#contract/ownFiles.ts'
import { storageRefusalOf } from '#server/foundation/refusal.ts'
import { aDatabase, eachDatabase } from '#testing/database.ts'
import { cookieOf } from '#testing/edge.ts'
import { servedFiles, type ServedFiles } from '#testing/servedFiles.ts'
import { SOME_TIME } from '#testing/servedUsers.ts'
import { until } from '#testing/until.ts'
import { uploadsOnDisk } from './disk.ts'
import { aJpeg, aPng, PLACE } from './pictures/pictures.testing.ts'

const bytesOf = (bytes: Buffer) => new Uint8Array(bytes)
const photo = { content: bytesOf(aJpeg()), name: 'IMG_1.jpg' }
const TEXT = '早上好，世界。\fPage two'
const document = (more: object = {}) => ({
  file: { content: '%PDF-1.7 …', name: '计划.pdf' },
  text: TEXT,
  pages: '2',
  ...more,
})

const contentOf = ({ call }: ServedFiles, as: string, id: string, part = 'content') =>
  call(`/api/files/${id}/${part}`, { as })

/** Notes that a question went with it. */
const used = (served: ServedFiles, id: string) =>
  served.database
    .updateTable('uploaded_files')
    .set({ used_time: SOME_TIME, conversation_id: 'c' })
    .where('file_id', '=', id)
    .execute()

eachDatabase((_name, open) => {
  describe('a file of a question', () => {
    test('is kept with what its browser read in it, and given back to its owner', async () => {
      const served = await servedFiles(await open())
      const { code, result } = await served.keep('ann', document())
      expect(code).toBe(200)
      const file = OwnFile.parse(result)
      expect(file).toMatchObject({
        ...{ name: '计划.pdf', kind: 'document', content_type: 'application/pdf', is_here: true, is_attachable: true },
        ...{ pages: 2, page_pictures: [], has_thumbnail: false, gone: null, conversation: null, web_file_id: null },
      })
      expect(file.tokens).toBeGreaterThan(5)
      expect((await contentOf(served, 'ann', file.id)).text).toBe('%PDF-1.7 …')
      expect((await contentOf(served, 'ann', file.id, 'text')).text).toBe(TEXT)
      const { files, used_bytes } = (await served.call('/api/files', { as: 'ann' })).envelope.result as {
        files: OwnFile[]
        used_bytes: number
      }
      expect(files).toEqual([file])
      expect(used_bytes).toBe(file.size + Buffer.byteLength(TEXT))
    })
    test('is stored once a person and content, whatever it is called', async () => {
      const served = await servedFiles(await open())
      const first = await served.kept('ann', { file: { content: 'the same', name: 'a.txt' } })
      const again = await served.kept('ann', { file: { content: 'the same', name: 'b.txt' }, text: 'read now' })
      expect([again.id, again.name]).toEqual([first.id, 'a.txt'])
      expect([first.tokens, again.tokens === null]).toEqual([null, false])
      const other = await served.kept('ben', { file: { content: 'the same', name: 'a.txt' } })
      expect(other.id).not.toBe(first.id)
      expect(await served.onDisk()).toHaveLength(2)
    })
    test('that is sent twice at once is stored once', async () => {
      const served = await servedFiles(await open())
      const both = await Promise.all([served.kept('ann', document()), served.kept('ann', document())])
      expect(new Set(both.map(({ id }) => id)).size).toBe(1)
      expect(await served.onDisk()).toHaveLength(1)
    })
    test('that is a picture loses its place before it is stored, and is shown', async () => {
      const served = await servedFiles(await open())
      const file = await served.kept('ann', { file: photo, thumbnail: { content: bytesOf(aPng()) } })
      expect(file).toMatchObject({
        ...{ kind: 'picture', content_type: 'image/jpeg', width: 7, height: 5, has_thumbnail: true, pages: null },
      })
      const { headers, text } = await contentOf(served, 'ann', file.id)
      expect(text).not.toContain(PLACE)
      expect(headers.get('content-disposition')).toMatch(/^inline; /)
      expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(Number(headers.get('content-length'))).toBe(file.size)
      const thumbnail = await contentOf(served, 'ann', file.id, 'thumbnail')
      expect([thumbnail.headers.get('content-type'), thumbnail.text.includes(PLACE)]).toEqual(['image/png', false])
      expect((await served.onDisk()).length).toBe(2)
      expect((await served.kept('ann', { file: photo })).id).toBe(file.id)
    })
    test('is another person’s secret: not found, like one that does not exist, but for superusers', async () => {
      const served = await servedFiles(await open())
      const { id } = await served.kept('ann', document())
      const unknown = crypto.randomUUID()
      for (const part of ['content', 'text', 'thumbnail', 'pages/1']) {
        const [theirs, none] = [await contentOf(served, 'ben', id, part), await contentOf(served, 'ben', unknown, part)]
        expect(theirs.text, part).toBe(none.text)
        expect(theirs.envelope.message).toBe('errors.resourceNotFound')
      }
      expect((await contentOf(served, 'sue', id)).text).toBe('%PDF-1.7 …')
      const put = { method: 'PUT', as: 'ben', body: bytesOf(aPng()) }
      expect((await served.call(`/api/files/${id}/pages/1`, put)).envelope.message).toBe('errors.resourceNotFound')
      const removed = await served.call(`/api/files/${id}`, { method: 'DELETE', as: 'ben' })
      expect(removed.envelope.message).toBe('errors.resourceNotFound')
      const { files } = (await served.call(`/api/files?ids=${id}`, { as: 'ben' })).envelope.result as {
        files: unknown[]
      }
      expect(files).toEqual([])
    })
    test('is found again by its name, and by its id when it is gone', async () => {
      const served = await servedFiles(await open())
      const { id } = await served.kept('ann', document())
      await served.kept('ann', { file: { content: 'x', name: 'Notes.txt' } })
      const names = async (query: string) =>
        ((await served.call(`/api/files?${query}`, { as: 'ann' })).envelope.result as { files: OwnFile[] }).files.map(
          ({ name, gone }) => [name, gone?.reason ?? null],
        )
      expect(await names(`search=${encodeURIComponent('计划')}`)).toEqual([['计划.pdf', null]])
      expect(await names('search=NOTES')).toEqual([['Notes.txt', null]])
      await used(served, id)
      await served.call(`/api/files/${id}`, { method: 'DELETE', as: 'ann' })
      expect(await names('')).toEqual([['Notes.txt', null]])
      expect(await names(`ids=${id}`)).toEqual([['计划.pdf', 'deleted']])
    })
    test('leaves nothing but its name when it is deleted, and counts no more', async () => {
      const served = await servedFiles(await open())
      const file = await served.kept('ann', document({ thumbnail: { content: bytesOf(aPng()) } }))
      await served.call(`/api/files/${file.id}/pages/2`, { method: 'PUT', as: 'ann', body: bytesOf(aPng()) })
      await used(served, file.id)
      expect(await served.onDisk()).toHaveLength(3)
      expect((await served.call(`/api/files/${file.id}`, { method: 'DELETE', as: 'ann' })).envelope.code).toBe(200)
      expect(await served.onDisk()).toEqual([])
      const { used_bytes, total } = (await served.call('/api/files', { as: 'ann' })).envelope.result as Record<
        string,
        number
      >
      expect([used_bytes, total]).toEqual([0, 0])
      expect((await contentOf(served, 'ann', file.id)).envelope).toMatchObject({
        message: 'errors.attachmentGone',
        values: { name: '计划.pdf' },
      })
      expect(await served.database.selectFrom('file_texts').selectAll().execute()).toEqual([])
      expect((await served.kept('ann', document())).id).not.toBe(file.id)
    })
    test('expires when it went with no question for as long as the settings say', async () => {
      const served = await servedFiles(await open(), { settings: { files: { retention_days: 30 } } })
      const [old, recent] = [await served.kept('ann', document()), await served.kept('ann', { file: photo })]
      await used(served, old.id)
      await used(served, recent.id)
      served.clock.time = SOME_TIME + 31 * 86_400_000
      await served.database
        .updateTable('uploaded_files')
        .set({ used_time: SOME_TIME + 86_400_000 * 2 })
        .where('file_id', '=', recent.id)
        .execute()
      expect(await served.sweep()).toBe(1)
      const { files } = (await served.call(`/api/files?ids=${old.id},${recent.id}`, { as: 'ann' })).envelope.result as {
        files: OwnFile[]
      }
      expect(files.find(({ id }) => id === old.id)?.gone?.reason).toBe('expired')
      expect(files.find(({ id }) => id === recent.id)?.gone).toBe(null)
    })
    test('that went with no question within a day goes, with all that was kept of it', async () => {
      const served = await servedFiles(await open())
      await served.kept('ann', document({ thumbnail: { content: bytesOf(aPng()) } }))
      served.clock.time = SOME_TIME + 25 * 3_600_000
      expect(await served.sweep()).toBeGreaterThan(0)
      expect([await served.onDisk(), await served.rows()]).toEqual([[], []])
    })
  })

  describe('the pages of a document as pictures', () => {
    test('are kept one by one, and a later one takes the place of an earlier', async () => {
      const served = await servedFiles(await open())
      const { id } = await served.kept('ann', document())
      const put = async (page: number, picture: Buffer) =>
        (await served.call(`/api/files/${id}/pages/${page}`, { method: 'PUT', as: 'ann', body: bytesOf(picture) }))
          .envelope
      expect((await put(2, aPng())).result).toMatchObject({ page_pictures: [2] })
      expect((await put(2, aJpeg())).result).toMatchObject({ page_pictures: [2] })
      expect((await put(1, aPng())).result).toMatchObject({ page_pictures: [1, 2] })
      const shown = await contentOf(served, 'ann', id, 'pages/2')
      expect([shown.headers.get('content-type'), shown.text.includes(PLACE)]).toEqual(['image/jpeg', false])
      expect(await served.onDisk()).toHaveLength(3)
      for (const page of [0, 3, 99]) expect((await put(page, aPng())).code, `${page}`).toBe(422)
      expect((await put(1, Buffer.from('<svg onload="alert(1)"/>'))).message).toBe('errors.fileKindDiffers')
      expect(await served.onDisk()).toHaveLength(3)
    })
    test('are those of documents alone', async () => {
      const served = await servedFiles(await open())
      const { id } = await served.kept('ann', { file: photo })
      const put = { method: 'PUT', as: 'ann', body: bytesOf(aPng()) }
      expect((await served.call(`/api/files/${id}/pages/1`, put)).envelope.message).toBe('errors.invalidRequest')
    })
  })

  describe('the space of a person', () => {
    test('holds texts, thumbnails and pages too, and refuses in words what does not fit', async () => {
      const served = await servedFiles(await open(), { settings: { data: { max_upload_bytes_per_user: 100 } } })
      const refused = { message: 'errors.uploadSpaceUsedUp', values: { max_bytes: 100 } }
      expect(await served.keep('ann', document({ text: 'x'.repeat(90) }))).toMatchObject(refused)
      const { id } = await served.kept('ann', document({ text: 'x'.repeat(40) }))
      const put = { method: 'PUT', as: 'ann', body: bytesOf(aPng([])) }
      expect((await served.call(`/api/files/${id}/pages/1`, put)).envelope).toMatchObject(refused)
      expect(await served.keep('ben', document({ text: 'x'.repeat(40) }))).toMatchObject({ code: 200 })
      expect(await served.onDisk()).toHaveLength(2)
    })
  })
})

describe('what is sent as a file', () => {
  test.each([
    ['a page as a picture', '<html><script>alert(1)</script>', 'a.png', 'errors.fileKindDiffers'],
    ['a program as a text', bytesOf(Buffer.from('MZ\x90\0\x03', 'latin1')), 'notes.txt', 'errors.fileKindDiffers'],
    ['a picture as a document', bytesOf(aPng()), 'a.pdf', 'errors.fileKindDiffers'],
    ['a text as a Word file', 'hello', 'a.docx', 'errors.fileKindDiffers'],
    ['a picture that ends within', bytesOf(aPng().subarray(0, 60)), 'a.png', 'errors.fileKindDiffers'],
    ['nothing', '', 'a.txt', 'errors.fileEmpty'],
    ['too many pixels', bytesOf(aPng([], 30_000)), 'a.png', 'errors.pictureTooLarge'],
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

describe('what went with a question', () => {
  test('is loaded by its pages, as text, as pictures and as a file', async () => {
    const served = await servedFiles(await aDatabase())
    const file = await served.kept('ann', document())
    await served.call(`/api/files/${file.id}/pages/2`, { method: 'PUT', as: 'ann', body: bytesOf(aPng()) })
    const picture = await served.kept('ann', { file: photo })
    const of = (id: string, as: 'text' | 'picture' | 'file', pages: string | null = null) => ({
      id,
      name: 'x',
      as,
      pages,
    })
    const loaded = await served.loadAttached(1, [
      of(file.id, 'text', '2'),
      of(file.id, 'picture', '2'),
      of(file.id, 'file'),
      of(picture.id, 'picture'),
    ])
    const parts = loaded.map(({ parts }) => parts)
    expect(parts).toMatchObject([
      [{ kind: 'text', name: '计划.pdf', pages: [2], text: 'Page two' }],
      [{ kind: 'picture', page: 2, media_type: 'image/png', detail: 'auto' }],
      [{ kind: 'file', media_type: 'application/pdf', bytes: Buffer.from('%PDF-1.7 …') }],
      [{ kind: 'picture', page: null, media_type: 'image/jpeg', width: 7, height: 5 }],
    ])
    await used(served, file.id)
    await served.call(`/api/files/${file.id}`, { method: 'DELETE', as: 'ann' })
    const after = await served.loadAttached(1, [of(file.id, 'text'), of(picture.id, 'picture'), of('nothing', 'file')])
    expect(after.map(({ gone, parts }) => [gone, parts.length])).toEqual([
      ['deleted', 0],
      [null, 1],
      ['deleted', 0],
    ])
    const others = await served.loadAttached(2, [of(picture.id, 'picture')])
    expect(others.map(({ gone, parts }) => [gone, parts.length])).toEqual([['deleted', 0]])
  })
})
