import { describe, expect, test } from 'vitest'
import type { Envelope } from '#contract/envelope.ts'
import { startUpload, UploadedFile } from '#contract/files.ts'
import { aDatabase, eachDatabase } from '#testing/database.ts'
import { aWebService, servedFiles, type ServedFiles } from '#testing/servedFiles.ts'

const START = '/openai-web/upload-start'
const UPLOAD = { file_name: 'plan.pdf', file_size: 10, use_case: 'my_files' }
const NOT_FOUND = { code: 404, message: 'errors.resourceNotFound', result: null }

const infoOf = ({ result }: Envelope): UploadedFile =>
  UploadedFile.parse(startUpload.result.parse(result).upload_file_info)

async function startedUpload({ post }: ServedFiles, as = 'ann'): Promise<UploadedFile> {
  return infoOf(await post(as, START, UPLOAD))
}

const by = (
  file_upload_strategy: 'server_upload_only' | 'browser_upload_only' | 'browser_upload_when_file_size_exceed',
) => ({ openai_web: { file_upload_strategy }, data: { max_file_upload_size: 10 } })

describe('the way of a file', () => {
  test.each([
    ['browser_upload_only', 1, 'browser'],
    ['browser_upload_only', 11, 'browser'],
    ['server_upload_only', 10, 'server'],
    ['server_upload_only', 11, 'errors.fileTooLarge'],
    ['browser_upload_when_file_size_exceed', 10, 'server'],
    ['browser_upload_when_file_size_exceed', 11, 'browser'],
  ] as const)('under %s, of %i bytes where this server takes 10: %s', async (strategy, file_size, way) => {
    const { post } = await servedFiles(await aDatabase(), { web: aWebService().web, settings: by(strategy) })
    const { code, message, result, values } = await post('ann', START, { ...UPLOAD, file_size })
    if (code !== 200) return expect([message, values]).toEqual([way, { max_bytes: 10 }])
    expect(result).toEqual({
      strategy,
      file_max_size: 10,
      upload_file_info: way === 'server' ? null : expect.objectContaining({ size: file_size }),
    })
  })
  test('is none for whoever may not upload', async () => {
    const { post, database, configure, rows } = await servedFiles(await aDatabase(), { web: aWebService().web })
    await database
      .updateTable('user_source_settings')
      .set({ disable_uploading: true })
      .where('user_id', '=', 1)
      .where('source', '=', 'openai_web')
      .execute()
    expect(await post('ann', START, UPLOAD)).toMatchObject({ message: 'errors.uploadingNotAllowed' })
    configure({ openai_web: { disable_uploading: true } })
    expect(await post('ben', START, UPLOAD)).toMatchObject({ message: 'errors.uploadingNotAllowed' })
    expect(await rows()).toEqual([])
  })
})

eachDatabase((_name, open) => {
  describe('a file that the browser sends', () => {
    test('passes through the portal: exactly the announced bytes, from its uploader alone, without a copy', async () => {
      const { web, put } = aWebService()
      const served = await servedFiles(await open(), { web })
      const { id, openai_web_info } = await startedUpload(served)
      const path = new URL(openai_web_info?.upload_url ?? '').pathname
      const send = (as: string, body: string) =>
        served.call(path, { method: 'PUT', as, body, headers: { 'content-type': 'application/pdf' } })
      expect((await send('ben', '0123456789')).status).toBe(404)
      expect(put.size).toBe(0)
      const { status, text } = await send('ann', '0123456789')
      expect([status, text]).toEqual([201, ''])
      expect([...put]).toEqual([['https://storage.example/file-1', 'application/pdf 10 0123456789']])
      expect(await served.onDisk()).toEqual([])
      await served.post('ann', `/openai-web/upload-complete/${id}`)
      expect((await send('ann', '0123456789')).status).toBe(400)
    })
    test('goes to the storage host itself where its origin is allowed', async () => {
      const { web } = aWebService()
      const { post } = await servedFiles(await open(), {
        web,
        settings: { openai_web: { upload_origins: ['https://storage.example'] } },
      })
      expect(infoOf(await post('ann', START, UPLOAD)).openai_web_info?.upload_url).toBe(
        'https://storage.example/file-1',
      )
    })
    test('is begun, then complete, once', async () => {
      const { web, requests } = aWebService()
      const { post } = await servedFiles(await open(), { web })
      const file = infoOf(
        await post('ann', START, {
          ...UPLOAD,
          file_name: '../图.png',
          use_case: 'multimodal',
          width: 3,
          height: 2,
          mime_type: 'text/html',
        }),
      )
      expect(file).toMatchObject({
        original_filename: '图.png',
        size: 10,
        storage_path: null,
        content_type: 'image/png',
        uploader_id: 1,
        extra_info: { width: 3, height: 2 },
        openai_web_info: {
          file_id: 'file-1',
          use_case: 'multimodal',
          upload_url: expect.stringMatching(
            /^http:\/\/127\.0\.0\.1:\d+\/api\/files\/openai-web\/upload\/[\da-f-]{36}$/,
          ),
          download_url: null,
        },
      })
      const complete = await post('ann', `/openai-web/upload-complete/${file.id}`)
      expect(complete.result).toEqual({
        ...file,
        openai_web_info: {
          file_id: 'file-1',
          use_case: 'multimodal',
          upload_url: null,
          download_url: 'https://storage.example/file-1?get',
        },
      })
      expect(await post('ann', `/openai-web/upload-complete/${file.id}`)).toEqual({
        code: -1,
        message: 'errors.invalidRequest',
        result: null,
      })
      expect(requests).toEqual(['begin file-1 图.png 10 multimodal', 'complete file-1'])
    })
    test('is completed by nobody else, and is not on this server', async () => {
      const { web, requests } = aWebService()
      const served = await servedFiles(await open(), { web })
      const { id } = await startedUpload(served)
      for (const other of [id, crypto.randomUUID()])
        expect(await served.post('ben', `/openai-web/upload-complete/${other}`)).toEqual(NOT_FOUND)
      expect(await served.post('ann', `/local/upload-to-openai-web/${id}`)).toMatchObject({
        message: 'errors.invalidRequest',
      })
      expect((await served.download('ann', id)).envelope).toEqual(NOT_FOUND)
      expect(requests).toEqual(['begin file-1 plan.pdf 10 my_files'])
    })
    test('has an address for its owner and the superusers', async () => {
      const served = await servedFiles(await open(), { web: aWebService().web })
      await startedUpload(served)
      const address = async (as: string, file_id: string) =>
        (await served.call(`/api/files/${file_id}/download-url`, { as })).envelope
      expect(await address('ann', 'file-1')).toMatchObject({
        code: 200,
        result: 'https://storage.example/file-1?fresh',
      })
      expect((await address('sue', 'file-1')).code).toBe(200)
      for (const file_id of ['file-1', 'file-2']) expect(await address('ben', file_id)).toEqual(NOT_FOUND)
      expect((await address('ann', '..%2Ffile-1')).code).toBe(422)
    })
    test('is not to be had by a conversation that another account says it stands in', async () => {
      const { web } = aWebService()
      const served = await servedFiles(await open(), {
        web: { ...web, downloadUrl: async ({ upstream_id }, file_id) => `https://${upstream_id}.example/${file_id}` },
        conversations: { naming: async () => 'c', accountOf: async () => ({ upstream_id: 2, source_id: null }) },
      })
      await startedUpload(served)
      const address = async (as: string) =>
        (await served.call('/api/files/file-1/download-url', { as })).envelope.result
      expect([await address('ann'), await address('ben')]).toEqual([
        'https://1.example/file-1',
        'https://2.example/file-1',
      ])
    })
  })

  describe('a file that this server sends on', () => {
    test('arrives as it is, once', async () => {
      const { web, requests, put } = aWebService()
      const { post, stored } = await servedFiles(await open(), { web, settings: by('server_upload_only') })
      const file = await stored('ann', '# plan', 'plan.md')
      // The browser has sent none of it to the web service, before it is sent there and afterwards.
      const completed = () => post('ann', `/openai-web/upload-complete/${file.id}`)
      expect(await completed()).toMatchObject({ code: -1, message: 'errors.invalidRequest' })
      const { result } = await post('ann', `/local/upload-to-openai-web/${file.id}`)
      expect(await completed()).toMatchObject({ code: -1, message: 'errors.invalidRequest' })
      expect(result).toEqual({
        ...file,
        openai_web_info: {
          file_id: 'file-1',
          use_case: 'my_files',
          upload_url: null,
          download_url: 'https://storage.example/file-1?get',
        },
      })
      expect([requests, [...put]]).toEqual([
        ['begin file-1 plan.md 6 my_files', 'complete file-1'],
        [['https://storage.example/file-1', 'text/markdown 6 # plan']],
      ])
      for (const path of [`/local/upload-to-openai-web/${file.id}`, `/openai-web/upload-complete/${file.id}`]) {
        expect(await post('ann', path)).toMatchObject({ message: 'errors.invalidRequest' })
      }
    })
    test('is sent on by nobody else', async () => {
      const { web, requests } = aWebService()
      const { post, stored } = await servedFiles(await open(), { web, settings: by('server_upload_only') })
      const { id } = await stored('ann', 'mine')
      for (const other of [id, crypto.randomUUID()])
        expect(await post('ben', `/local/upload-to-openai-web/${other}`)).toEqual(NOT_FOUND)
      expect(requests).toEqual([])
    })
  })
})
