import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { aSimulator } from '../client.testing.ts'
import { aWebClient, answered } from './client.testing.ts'
import { now } from './state/conversation.ts'

const BLOB = { 'x-ms-blob-type': 'BlockBlob', 'x-ms-version': '2020-04-08', 'content-type': 'text/markdown' }
const announced = (file_size: number) => ({ file_name: 'plan.md', file_size, use_case: 'my_files' })

describe('a file of the web protocol', () => {
  test('is announced, sent to another host, completed once, and read there', async () => {
    await using simulator = await aSimulator()
    const client = aWebClient(simulator)
    const { body } = await client.read('POST', 'files', announced(6))
    expect(body).toMatchObject({ status: 'success', error_code: null })
    expect([body.upload_url.startsWith(simulator.storageUrl), simulator.storageUrl === simulator.url]).toEqual([
      true,
      false,
    ])
    const early = await client.read('POST', `files/${body.file_id}/uploaded`, {})
    const bare = await fetch(body.upload_url, { method: 'PUT', body: '# plan' })
    const put = await fetch(body.upload_url, { method: 'PUT', body: '# plan', headers: BLOB })
    expect([early.body.error_code, bare.status, put.status]).toEqual(['file_not_uploaded', 400, 201])
    const done = await client.read('POST', `files/${body.file_id}/uploaded`, {})
    const again = await client.read('POST', `files/${body.file_id}/uploaded`, {})
    expect([done.body.status, again.body]).toMatchObject([
      'success',
      { status: 'error', error_code: 'already_uploaded' },
    ])

    const { download_url } = (await client.read('GET', `files/${body.file_id}/download`)).body
    const read = await fetch(download_url)
    expect([read.headers.get('content-type'), await read.text()]).toEqual(['text/markdown', '# plan'])
    const stored = simulator.journal.filter(({ path }) => path.startsWith('/storage/'))
    expect(
      stored.map(({ web, authorization }) => [web?.method, authorization, web?.headers['x-ms-blob-type']]),
    ).toEqual([
      ['PUT', '', undefined],
      ['PUT', '', 'BlockBlob'],
      ['GET', '', undefined],
    ])
  })
  test('belongs to one token, and its address has a signature', async () => {
    await using simulator = await aSimulator()
    const { body } = await aWebClient(simulator, 'one').read('POST', 'files', announced(6))
    expect((await aWebClient(simulator, 'two').send('GET', `files/${body.file_id}/download`)).status).toBe(404)
    expect((await fetch(`${simulator.storageUrl}${body.file_id}?sig=guessed`)).status).toBe(403)
    expect((await aWebClient(simulator).read('POST', 'files', announced(4_000_000_000))).body.error_code).toBe(
      'file_too_large',
    )
  })
  test('of any size is counted, and its beginning kept', async () => {
    await using simulator = await aSimulator()
    const client = aWebClient(simulator)
    const size = 30_000_000
    const { body } = await client.read('POST', 'files', announced(size))
    const put = await fetch(body.upload_url, { method: 'PUT', headers: BLOB, body: Buffer.alloc(size) })
    const file = simulator.web.fileOf(body.file_id)
    expect([file?.received, file?.content().length]).toEqual([size, 4_000_000])
    expect(put.headers.get('content-md5')).toBe(createHash('md5').update(Buffer.alloc(size)).digest('base64'))
    const answer = await client.read('POST', `files/${body.file_id}/uploaded`, {})
    expect((await (await fetch(answer.body.download_url)).arrayBuffer()).byteLength).toBe(size)
  })
})

describe('the code interpreter of the web protocol', () => {
  test('says how long it stays, gives its files, and says when they are gone', async () => {
    await using simulator = await aSimulator()
    const client = aWebClient(simulator)
    const { conversation_id, messages } = await answered(client.ask('算一下', { model: 'gpt-4-code-interpreter' }))
    const info = async () => (await client.read('GET', `conversation/${conversation_id}/interpreter`)).body
    const download = async (path: string) => {
      const query = new URLSearchParams({ message_id: messages.at(-1)?.id ?? '', sandbox_path: path })
      return (await client.read('GET', `conversation/${conversation_id}/interpreter/download?${query}`)).body
    }
    expect((await info()).kernel_started).toBe(true)
    const { download_url } = await download('/mnt/data/汇总.csv')
    expect(await (await fetch(download_url)).text()).toMatch(/^日期,数量\n周一,\d+\n/)
    expect(await download('/mnt/data/other.csv')).toMatchObject({ status: 'error', error_code: 'file_not_found' })
    const conversation = simulator.web.account().conversations.get(conversation_id)
    if (conversation) conversation.interpreter_used = now() - 10_000
    expect(await info()).toEqual({ kernel_started: false, time_remaining_ms: 0 })
    expect((await download('/mnt/data/汇总.csv')).error_code).toBe('ace_pod_expired')
  })
})
