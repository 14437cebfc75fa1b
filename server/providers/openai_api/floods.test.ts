import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { askingProvider, PROVIDERS, rawUpstream } from '#testing/upstream.ts'

const MB = 1024 * 1024
const repeated = (unit: string, bytes: number) => Buffer.alloc(Math.ceil(bytes / unit.length) * unit.length, unit)

/** What an endpoint may send instead of an answer, all the same again and again, and how it begins. */
const JUNK: Record<string, { begins?: string; unit: string }> = {
  'lines of data': { unit: 'data: x\n' },
  'events of no JSON': { unit: 'data: x\n\n' },
  'events of half JSON': { unit: 'data: {x}\n\n' },
  'events of nothing': { unit: 'data: {}\n\n' },
  'an object that is never closed, line by line': { begins: 'data: {"a":[\n', unit: 'data: {},\n' },
  'objects that close too often, line by line': { begins: 'data: {\n', unit: 'data: }\n' },
  comments: { unit: ': x\n' },
  'empty lines': { unit: '\n' },
  'one line': { begins: 'data: ', unit: 'x' },
  'white space': { unit: ' ' },
  'one document': { begins: '{"a":[', unit: '{},' },
  'a document of brackets': { unit: '[' },
  'documents, one on a line': { unit: '{"a":1}\n' },
  'news without text': { unit: 'data: {"choices":[{"delta":{"content":""}}]}\n\n' },
}

/** Of these it is tried packed, too. */
const PACKED = ['lines of data', 'objects that close too often, line by line', 'one document']

/** Nothing here ends by a deadline unless it is said so. */
const PATIENT = { ask_timeout: 600, first_token_timeout: 600, read_timeout: 600 }

async function asking(answer: (response: ServerResponse) => void, upstream = {}) {
  const { reply } = await askingProvider(PROVIDERS[0]!)
  const closed = Promise.withResolvers<void>()
  const base_url = await rawUpstream((request, response) => {
    request.resume()
    response.on('close', () => closed.resolve())
    answer(response)
  })
  const replied = await reply('hello', { base_url, ...PATIENT, ...upstream })
  await closed.promise
  return replied.refusal
}

/** It stays, and says nothing more, behind what it has sent. */
const sendsPacked =
  (encoding: string, packed: Buffer, status = 200) =>
  (response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'text/event-stream', 'content-encoding': encoding })
    response.write(packed)
  }

const isBounded = { key: 'openai.unknown', values: { reason: expect.stringMatching(/^(?:line|junk)$/) } }

describe('an endless answer of', () => {
  test.each(Object.entries(JUNK))(
    '%s ends, packed or not, and its endpoint is hung up on',
    async (kind, junk) => {
      const { begins = '', unit } = junk
      const block = repeated(unit, MB / 4)
      const endless = await asking(response => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(begins)
        const blocks = Readable.from(Array(100_000).fill(block).values())
        response.on('close', () => blocks.destroy())
        blocks.pipe(response)
      })
      expect(endless).toMatchObject(isBounded)
      if (!PACKED.includes(kind)) return
      const packed = gzipSync(Buffer.concat([Buffer.from(begins), repeated(unit, 40 * MB)]), { level: 1 })
      expect(await asking(sendsPacked('gzip', packed))).toMatchObject(isBounded)
    },
    120_000,
  )
})

describe('junk', () => {
  const junk = repeated(': x\n', 40 * MB)
  const packers: Record<string, () => Buffer> = {
    br: () => brotliCompressSync(junk, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
    deflate: () => deflateSync(junk, { level: 1 }),
    zstd: () => zstdCompressSync(junk),
    'gzip, gzip': () => gzipSync(gzipSync(junk, { level: 1 })),
    'gzip, br, zstd': () => zstdCompressSync(brotliCompressSync(gzipSync(junk, { level: 1 }))),
  }
  test.each(Object.keys(packers))('ends, packed by %s', async encoding => {
    expect(await asking(sendsPacked(encoding, packers[encoding]!()))).toMatchObject(isBounded)
  })
  test('has no more time than an answer, however much of it is there already', async () => {
    const packed = gzipSync(junk, { level: 1 })
    expect(await asking(sendsPacked('gzip', packed), { ask_timeout: 0.05 })).toMatchObject({
      key: 'upstreamTimeout',
      values: { setting: 'openai_api.ask_timeout' },
    })
    expect(await asking(sendsPacked('gzip', packed), { first_token_timeout: 0.05 })).toMatchObject({
      key: 'upstreamTimeout',
      values: { setting: 'openai_api.first_token_timeout' },
    })
  })
  test('in place of a refusal is not read to its end', async () => {
    expect(await asking(sendsPacked('gzip', gzipSync(repeated('x', 40 * MB)), 400))).toMatchObject({
      key: 'openai.400',
    })
  })
})
