import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { DataUrl, requestBody } from './requestBody.ts'

/** Content that is read in pieces of this length. */
const inPieces = (bytes: Buffer, length: number) => ({
  size: bytes.length,
  async *read() {
    for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
  },
})

/** What is sent, which is as long as it was said to be. */
async function sent(fields: object): Promise<unknown> {
  const body = requestBody(fields)
  if (typeof body === 'string') return JSON.parse(body)
  const pieces: Buffer[] = []
  for await (const piece of body.content()) pieces.push(Buffer.from(piece)) // the next one may have the same memory
  const all = Buffer.concat(pieces)
  expect(all).toHaveLength(body.size)
  return JSON.parse(all.toString('utf8'))
}

describe('the body of a request', () => {
  test('is a text where nothing is to be encoded', () => {
    expect(requestBody({ a: '图', b: [1] })).toBe('{"a":"图","b":[1]}')
  })

  test.each([
    [0, 10],
    [1, 10],
    [2, 1],
    [3, 1],
    [100, 7],
    [49_152, 49_152],
    [500_000, 49_151],
  ])('has %i bytes, read %i at a time, as a data URL, and its length', async (length, piece) => {
    const [one, other] = [randomBytes(length), randomBytes(7)]
    const fields = {
      text: '图片 "quoted"',
      urls: [
        new DataUrl({ media_type: 'image/png', content: inPieces(one, piece) }),
        new DataUrl({ media_type: 'image/gif', content: inPieces(other, 3) }),
      ],
      end: 1,
    }
    expect(await sent(fields)).toEqual({
      text: '图片 "quoted"',
      urls: [`data:image/png;base64,${one.toString('base64')}`, `data:image/gif;base64,${other.toString('base64')}`],
      end: 1,
    })
  })
})
