import { text as textIn } from 'node:stream/consumers'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { OwnFile } from '#contract/ownFiles.ts'
import { aDatabase, eachDatabase } from '#testing/database.ts'
import { servedFiles, type ServedFiles } from '#testing/servedFiles.ts'
import { SOME_TIME } from '#testing/servedUsers.ts'
import { aJpeg, aPng, SECRET_NOTE } from './pictures/pictures.testing.ts'

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
    test('whose bytes were lost has them again when it is sent once more', async () => {
      const served = await servedFiles(await open())
      const { id } = await served.kept('ann', document())
      const [row] = await served.rows()
      await rm(join(served.data_dir, row?.storage_path ?? ''))
      expect((await contentOf(served, 'ann', id)).envelope.message).toBe('errors.resourceNotFound')
      expect((await served.kept('ann', document())).id).toBe(id)
      expect((await contentOf(served, 'ann', id)).text).toBe('%PDF-1.7 …')
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
      expect(text).not.toContain(SECRET_NOTE)
      expect(headers.get('content-disposition')).toMatch(/^inline; /)
      expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(Number(headers.get('content-length'))).toBe(file.size)
      const thumbnail = await contentOf(served, 'ann', file.id, 'thumbnail')
      expect([thumbnail.headers.get('content-type'), thumbnail.text.includes(SECRET_NOTE)]).toEqual([
        'image/png',
        false,
      ])
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
      expect([shown.headers.get('content-type'), shown.text.includes(SECRET_NOTE)]).toEqual(['image/jpeg', false])
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
      [{ kind: 'file', media_type: 'application/pdf', content: { size: Buffer.byteLength('%PDF-1.7 …') } }],
      [{ kind: 'picture', page: null, media_type: 'image/jpeg', width: 7, height: 5 }],
    ])
    const [sent] = parts[2] ?? []
    expect(sent?.kind === 'file' && (await textIn(sent.content.read(Buffer.alloc(8))))).toBe('%PDF-1.7 …')
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
