import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { type ClientRequest, request } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { UploadedFile } from '#contract/files.ts'
import { aDatabase, eachDatabase } from '#testing/database.ts'
import { cookieOf } from '#testing/edge.ts'
import { SOME_TIME } from '#testing/servedUsers.ts'
import { servedFiles, type ServedFiles } from '#testing/servedFiles.ts'
import { until } from '#testing/until.ts'

const HERE = { openai_web: { file_upload_strategy: 'server_upload_only' } } as const
const keeping = (max_file_upload_size: number) => ({ ...HERE, data: { max_file_upload_size } })

/** An upload of which half has been written to the disk. */
async function half({ url, onDisk }: ServedFiles, as = 'ann'): Promise<ClientRequest> {
  const before = (await onDisk()).length
  const sent = request(`${url}/api/files/local/upload`, {
    method: 'POST',
    headers: { origin: url, cookie: cookieOf(as), 'content-type': 'multipart/form-data; boundary=edge' },
  })
  sent.on('error', () => {})
  sent.write(`--edge\r\ncontent-disposition: form-data; name="file"; filename="half"\r\n\r\n${'x'.repeat(100_000)}`)
  await until(async () => expect((await onDisk()).length).toBeGreaterThan(before))
  return sent
}

async function responseOf(sent: ClientRequest): Promise<string> {
  const answered = once(sent, 'response')
  sent.end('\r\n--edge--\r\n')
  const [response] = await answered
  return String((await response.toArray())[0])
}

eachDatabase((_name, open) => {
  describe('an uploaded file', () => {
    test('is kept, described as it is, and given back as it was', async () => {
      const { upload, download } = await servedFiles(await open(), { settings: HERE })
      const content = crypto.getRandomValues(new Uint8Array(60_000))
      const { code, message, result } = await upload('ann', content, '照片 1.csv')
      expect([code, message]).toEqual([200, 'tips.requestSuccess'])
      const file = UploadedFile.parse(result)
      expect(file).toEqual({
        id: expect.stringMatching(/^[\da-f-]{36}$/),
        original_filename: '照片 1.csv',
        size: 60_000,
        content_type: 'text/csv',
        uploader_id: 1,
        storage_path: `uploads/1/${file.id}.dat`,
        upload_time: new Date(SOME_TIME).toISOString(),
        openai_web_info: null,
        extra_info: null,
      })
      const got = await download('ann', file.id)
      expect(Object.fromEntries(got.headers)).toMatchObject({
        'content-length': '60000',
        'content-type': 'text/csv',
        'content-disposition': expect.stringMatching(/^attachment; .*UTF-8''%E7%85%A7%E7%89%87%201\.csv$/),
      })
      expect(got.text).toBe(new TextDecoder().decode(content))
    })
    test('is its owner’s and the superusers’, and as unknown to others as one that does not exist', async () => {
      const { stored, download } = await servedFiles(await open(), { settings: HERE })
      const { id } = await stored('ann', 'mine')
      expect((await download('ann', id)).text).toBe('mine')
      expect((await download('sue', id)).text).toBe('mine')
      const foreign = await download('ben', id)
      expect(foreign.envelope).toEqual({ code: 404, message: 'errors.resourceNotFound', result: null })
      expect(foreign.envelope).toEqual((await download('ben', crypto.randomUUID())).envelope)
    })
    test('counts towards what its owner may keep here, also with one that comes at the same moment', async () => {
      const served = await servedFiles(await open(), {
        settings: { ...HERE, data: { max_upload_bytes_per_user: 150_000 } },
      })
      const both = [await half(served), await half(served)]
      const answers = await Promise.all(both.map(responseOf))
      expect(answers.filter(answer => answer.includes('"size":100000'))).toHaveLength(1)
      expect(answers.filter(answer => answer.includes('errors.uploadSpaceUsedUp'))).toHaveLength(1)
      expect([(await served.rows()).length, (await served.onDisk()).length]).toEqual([1, 1])
      expect((await served.upload('ann', new Uint8Array(50_000))).code).toBe(200)
      expect(await served.upload('ann', 'x')).toMatchObject({
        code: -1,
        message: 'errors.uploadSpaceUsedUp',
        values: { max_bytes: 150_000 },
      })
      expect((await served.upload('ben', 'x')).code).toBe(200)
    })
    test('goes from the list with its owner, and from the disk', async () => {
      const { stored, download, database, rows, onDisk, sweep, clock } = await servedFiles(await open(), {
        settings: HERE,
      })
      const { id } = await stored('ann', 'mine')
      await database.deleteFrom('users').where('id', '=', 1).execute()
      expect(await rows()).toEqual([])
      expect((await download('sue', id)).envelope).toMatchObject({ message: 'errors.resourceNotFound' })
      clock.time = Date.now() + 10 * 86_400_000
      expect(await sweep()).toBe(1)
      expect(await onDisk()).toEqual([])
    })
    test('of somebody who lost the account while it came is not kept', async () => {
      const served = await servedFiles(await open(), { settings: HERE })
      const sent = await half(served)
      await served.database.updateTable('users').set({ is_active: false }).where('id', '=', 1).execute()
      expect(await responseOf(sent)).toContain('errors.loginExpired')
      expect([await served.rows(), await served.onDisk()]).toEqual([[], []])
    })
  })
})

describe('an upload', () => {
  test('of nothing is refused, and nothing is kept of it', async () => {
    const { upload, rows, onDisk } = await servedFiles(await aDatabase(), { settings: HERE })
    expect(await upload('ann', '')).toMatchObject({ code: -1, message: 'errors.fileEmpty' })
    expect([await rows(), await onDisk()]).toEqual([[], []])
  })
  test('is refused where people may not upload, somebody or anybody', async () => {
    const { upload, database, configure, rows, onDisk } = await servedFiles(await aDatabase(), { settings: HERE })
    await database
      .updateTable('user_source_settings')
      .set({ disable_uploading: true })
      .where('user_id', '=', 1)
      .where('source', '=', 'openai_web')
      .execute()
    expect(await upload('ann', 'x')).toEqual({ code: -1, message: 'errors.uploadingNotAllowed', result: null })
    expect((await upload('ben', 'x')).code).toBe(200)
    configure({ openai_web: { ...HERE.openai_web, disable_uploading: true } })
    expect(await upload('ben', 'x')).toMatchObject({ message: 'errors.uploadingNotAllowed' })
    expect([(await rows()).length, (await onDisk()).length]).toEqual([1, 1])
  })
  test('is refused where browsers send their files to the web service themselves', async () => {
    const { upload, configure, onDisk } = await servedFiles(await aDatabase())
    expect(await upload('ann', 'x')).toEqual({ code: -1, message: 'errors.invalidRequest', result: null })
    configure({ openai_web: { file_upload_strategy: 'browser_upload_when_file_size_exceed' } })
    expect((await upload('ann', 'x')).code).toBe(200)
    expect(await onDisk()).toHaveLength(1)
  })
  test('may be as large as is set, and leaves nothing when it is larger', async () => {
    const { upload, rows, onDisk } = await servedFiles(await aDatabase(), { settings: keeping(1_000_000) })
    expect(await upload('ann', new Uint8Array(1_000_001))).toMatchObject({
      code: -1,
      message: 'errors.fileTooLarge',
      values: { max_bytes: 1_000_000 },
    })
    expect(await upload('ann', new Uint8Array(9_000_000))).toMatchObject({ message: 'errors.fileTooLarge' })
    expect([await rows(), await onDisk()]).toEqual([[], []])
    expect(await upload('ann', new Uint8Array(1_000_000))).toMatchObject({ code: 200, result: { size: 1_000_000 } })
  })
  test('needs a file', async () => {
    const { call, onDisk } = await servedFiles(await aDatabase(), { settings: HERE })
    const body = new FormData()
    body.set('file', 'only a text')
    const { envelope } = await call('/api/files/local/upload', { method: 'POST', as: 'ann', body })
    expect(envelope).toMatchObject({ code: 422, detail: [{ loc: ['body', 'file'] }] })
    expect(await onDisk()).toEqual([])
  })
  test('that is cut leaves neither row nor file, and makes room for the next', async () => {
    const served = await servedFiles(await aDatabase(), { settings: HERE })
    for (let count = 0; count < 6; count++) {
      const sent = await half(served)
      sent.destroy()
      await until(async () => expect(await served.onDisk()).toEqual([]))
    }
    expect(await served.rows()).toEqual([])
    expect((await served.upload('ann', 'x')).code).toBe(200)
  })
  test('is one of at most two at a time of a person', async () => {
    const served = await servedFiles(await aDatabase(), { settings: HERE })
    const both = [await half(served), await half(served)]
    expect(await served.upload('ann', 'x')).toMatchObject({ code: -1, message: 'errors.tooManyRequests' })
    expect((await served.upload('ben', 'x')).code).toBe(200)
    for (const sent of both) expect(await responseOf(sent)).toContain('"size":100000')
    expect((await served.upload('ann', 'x')).code).toBe(200)
  })
  test.skipIf(process.platform === 'win32')('is for nobody else on the machine to read', async () => {
    const { stored, data_dir } = await servedFiles(await aDatabase(), { settings: HERE })
    const { storage_path } = await stored('ann', 'mine')
    const modes = await Promise.all(
      ['uploads', 'uploads/1', storage_path ?? ''].map(async path => (await stat(join(data_dir, path))).mode & 0o777),
    )
    expect(modes).toEqual([0o700, 0o700, 0o600])
  })
})

describe('a download', () => {
  test('that broke off goes on where it was, for whoever may have the file', async () => {
    const { stored, call } = await servedFiles(await aDatabase(), { settings: HERE })
    const { id } = await stored('ann', '0123456789')
    const path = `/api/files/local/download/${id}`
    const whole = await call(path, { as: 'ann' })
    const rest = await call(path, {
      as: 'ann',
      headers: { range: 'bytes=6-', 'if-range': whole.headers.get('etag') ?? '' },
    })
    expect([whole.text, rest.status, rest.text, rest.headers.get('content-range')]).toEqual([
      '0123456789',
      206,
      '6789',
      'bytes 6-9/10',
    ])
    expect(await call(path, { as: 'ann', method: 'HEAD' })).toMatchObject({ status: 200, text: '' })
    expect(await call(path, { as: 'ben', headers: { range: 'bytes=0-' } })).toMatchObject({
      status: 404,
      envelope: { code: 404, message: 'errors.resourceNotFound' },
    })
    expect(await call(path)).toMatchObject({ status: 401, envelope: { message: 'errors.userNotLogin' } })
  })
})

describe('a name', () => {
  test.each([
    '../../x',
    '..\\x',
    '/etc/passwd',
    'a\0b',
    'a"b;c\r\nX: y',
    '.hidden',
    `${'林'.repeat(300)}.txt`,
    '\u202Etxt.exe',
  ])('leads nowhere: %j', async name => {
    const { stored, download, onDisk } = await servedFiles(await aDatabase(), { settings: HERE })
    const { id, original_filename } = await stored('ann', 'content', name)
    expect(await onDisk()).toEqual([`${id}.dat`])
    expect(original_filename.length).toBeLessThanOrEqual(255)
    const { text, headers } = await download('ann', id)
    expect(text).toBe('content')
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="[ -~]+"; filename\*=UTF-8''[\w.~%!#$&+^`|-]+$/,
    )
  })
})

describe('what a browser would run', () => {
  test.each(['page.html', 'drawing.svg', 'x.xml', 'x.xhtml', 'script.js', 'fake.png'])(
    'is only ever saved: %s',
    async name => {
      const { stored, download } = await servedFiles(await aDatabase(), { settings: HERE })
      const { id } = await stored('ann', '<html><script>alert(1)</script></html>', name)
      expect(Object.fromEntries((await download('ann', id)).headers)).toMatchObject({
        'content-type': 'application/octet-stream',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'",
        'content-disposition': expect.stringMatching(/^attachment;/),
      })
    },
  )
})

describe('a picture', () => {
  test('is told by its content, with its size', async () => {
    const { stored } = await servedFiles(await aDatabase(), { settings: HERE })
    const gif = new Uint8Array([...Buffer.from('GIF89a'), 0x40, 1, 0xf0, 0])
    expect(await stored('ann', gif, 'notes.txt')).toMatchObject({
      content_type: 'image/gif',
      extra_info: { width: 320, height: 240 },
    })
  })
})
