import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { expectFailure, hungUp, to, upstream } from '#testing/outboundRequests.ts'
import { openOutbound } from './outbound.ts'

const outbound = openOutbound()
afterAll(() => outbound.close())

const packers: Record<string, (body: string) => Buffer> = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
}
const TEXT = '你好，世界。'.repeat(5_000)

/** Says that what it sends is packed, and keeps the connection if it is told to. */
const sending = (encoding: string, body: Buffer, end: 'end' | 'cut' | 'stay' = 'end') =>
  upstream((_request, response) => {
    response.writeHead(200, { 'content-encoding': encoding })
    response.write(body, () => {
      if (end === 'end') response.end()
      if (end === 'cut') response.destroy()
    })
  })

/** All that was handed over, and how it ended. */
async function read(url: string): Promise<{ text: string; ended: unknown }> {
  const { body } = await outbound.request(to(url))
  const pieces: Uint8Array[] = []
  const ended = await body
    .each(piece => {
      pieces.push(piece)
      return 'continue'
    })
    .then(
      () => null,
      (error: unknown) => error,
    )
  return { text: Buffer.concat(pieces).toString(), ended }
}

describe('a packed body', () => {
  test.each(Object.keys(packers))(
    'of %s is read as what was packed, all of it and the first so many bytes',
    async encoding => {
      const { url } = await sending(encoding, packers[encoding]!(TEXT))
      expect(await read(url)).toEqual({ text: TEXT, ended: null })
      expect(await (await outbound.request(to(url))).body.text(6)).toBe('你好')
    },
  )

  test.each([
    ['gzip, gzip', gzipSync(gzipSync(TEXT))],
    ['deflate,br , identity', brotliCompressSync(deflateSync(TEXT))],
    ['GZIP, zstd, br', brotliCompressSync(zstdCompressSync(gzipSync(TEXT)))],
  ])('may be packed several times (%s)', async (encoding, body) => {
    const { url } = await sending(encoding, body)
    expect(await read(url)).toEqual({ text: TEXT, ended: null })
  })

  test.each(['end', 'stay'] as const)(
    'that has come has its deadline until it is unpacked and read, however slowly (%s)',
    async end => {
      const { url } = await sending('gzip', gzipSync(Buffer.alloc(100 * 1024 * 1024), { level: 1 }), end)
      const { body } = await outbound.request(to(url, { total_timeout_ms: 1_500 }))
      await expectFailure(
        'total_timeout',
        body.each(() => {
          const until = performance.now() + 5
          while (performance.now() < until); // it is read slowly
          return 'continue'
        }),
      )
    },
  )

  test('of deflate may do without the header', async () => {
    const { url } = await sending('deflate', deflateRawSync(TEXT))
    expect((await read(url)).text).toBe(TEXT)
  })

  test.each([
    ['end', null],
    ['cut', { kind: 'network' }],
  ] as const)('that is not there to its end is read as far as it came (%s)', async (end, ended) => {
    const packed = gzipSync(TEXT)
    const { url } = await sending('gzip', packed.subarray(0, -20), end)
    const whole = await read(url)
    expect(TEXT.startsWith(whole.text.slice(0, -1))).toBe(true)
    expect(whole.text).not.toBe('')
    if (ended === null) expect(whole.ended).toBe(null)
    else expect(whole.ended).toMatchObject(ended)
  })

  test('that is not packed as it says is a failure', async () => {
    const { url } = await sending('gzip', Buffer.from('not packed at all'))
    await expectFailure('unpacking', (await outbound.request(to(url))).body.text(100))
  })

  test('that grows without measure is hung up on', async () => {
    const { url, first } = await sending('gzip', gzipSync(Buffer.alloc(300 * 1024 * 1024), { level: 1 }), 'stay')
    let most = 0
    const { body } = await outbound.request(to(url, { total_timeout_ms: 60_000, idle_timeout_ms: 60_000 }))
    await expectFailure(
      'unpacking',
      body.each(piece => {
        most = Math.max(most, piece.length)
        return 'continue'
      }),
    )
    expect(most).toBeLessThan(1024 * 1024)
    await hungUp(first)
  })

  test('is read on until its reader has enough, and hung up then', async () => {
    const { url, first } = await sending('gzip', gzipSync(TEXT), 'stay')
    const { body } = await outbound.request(to(url))
    await body.each(() => 'cancel')
    await hungUp(first)
  })

  test('of a kind that nobody knows is handed over as it came', async () => {
    const { url } = await sending('aws-chunked', Buffer.from('as it is'))
    expect((await read(url)).text).toBe('as it is')
  })
})
