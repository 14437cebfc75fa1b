import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import { openOutbound } from '#server/foundation/outbound/outbound.ts'
import { upstream } from '#testing/outboundRequests.ts'
import type { ProviderEndpoint } from '../endpoint.ts'
import { storageAddress, webStorage } from './files.ts'

const outbound = openOutbound()
afterAll(() => outbound.close())
const { sendFile, openFile } = webStorage(outbound)
const NEVER = new AbortController().signal

const endpoint = (base_url: string): ProviderEndpoint => ({
  base_url,
  key: 'token',
  key_header: null,
  proxy: null,
  addresses: 'any',
  web: { team_account_id: 'team-1', wss_proxy: null, common_timeout: 5 },
})
const file = (upload_url: string) => ({
  upload_url,
  content: Readable.from([Buffer.from('# plan')]),
  size: 6,
  content_type: 'text/markdown',
  total_timeout_ms: 5000,
})

describe('the storage host', () => {
  test('is sent the content with its own headers, and no key', async () => {
    const { url, requests } = await upstream((request, response) => {
      request.on('end', () => response.writeHead(201).end())
    })
    await sendFile(endpoint('http://127.0.0.1:1/'), file(`${url}/put?sig=1`), NEVER)
    const [{ method, url: path, headers } = {}] = requests
    expect([method, path]).toEqual(['PUT', '/put?sig=1'])
    expect(headers).toEqual({
      host: new URL(url).host,
      connection: 'close',
      'accept-encoding': 'identity',
      'user-agent': 'chat-commons',
      'content-length': '6',
      'content-type': 'text/markdown',
      'x-ms-blob-type': 'BlockBlob',
      'x-ms-version': '2020-04-08',
    })
  })
  test.each([307, 403, 500, 204])('that answers %i has not taken the file', async status => {
    const { url, requests } = await upstream((request, response) => {
      request.on('end', () => response.writeHead(status, { location: '/elsewhere' }).end())
    })
    await expect(sendFile(endpoint(url), file(url), NEVER)).rejects.toMatchObject({
      key: 'storageRefused',
      values: { status },
    })
    expect(requests).toHaveLength(1)
  })
  test('gives what is at an address, without a key', async () => {
    const { url, requests } = await upstream((request, response) => {
      if (request.url === '/file') response.writeHead(200, { 'content-length': 6 }).end('# plan')
      else if (request.url === '/large') response.writeHead(200, { 'content-length': 536_870_913 }).write('x')
      else response.writeHead(request.url === '/gone' ? 404 : 302, { location: '/file' }).end()
    })
    const { size, content } = await openFile(endpoint(url), `${url}/file`, NEVER)
    expect([size, await text(content)]).toEqual([6, '# plan'])
    expect(requests[0]?.headers).not.toHaveProperty('authorization')
    await expect(openFile(endpoint(url), `${url}/gone`, NEVER)).rejects.toMatchObject({ key: 'resourceNotFound' })
    for (const path of ['/moved', '/large'])
      await expect(openFile(endpoint(url), url + path, NEVER)).rejects.toMatchObject({ key: 'storageRefused' })
  })
  test('is on the public network, or where the administrator has said that the web service is', async () => {
    const at = (base_url: string, proxy: string | null = null) => ({ ...endpoint(base_url), proxy })
    for (const address of ['http://127.0.0.1:9/', 'https://localhost/', 'https://10.0.0.1/', 'https://[::1]/'])
      for (const proxy of [null, 'http://127.0.0.1:1'])
        await expect(openFile(at('https://chat.example.org/', proxy), address, NEVER), address).rejects.toMatchObject({
          key: 'addressNotAllowed',
        })
    for (const address of [
      '',
      'file:///etc/passwd',
      'ftp://a.example/',
      'https://me:word@a.example/',
      `https://a.example/${'x'.repeat(8000)}`,
    ])
      expect(() => storageAddress(address)).toThrow(expect.objectContaining({ key: 'addressNotAllowed' }))
  })
})
