import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { DataUrl, requestBody } from './requestBody.ts'

/** What is sent, and how long it was said to be. */
async function sent(fields: object) {
  const body = requestBody(fields)
  if (typeof body === 'string') return { text: body, size: null }
  const all = await buffer(body.content)
  expect(all).toHaveLength(body.size)
  return { text: all.toString('utf8'), size: body.size }
}

describe('the body of a request', () => {
  test('is a text where nothing is to be encoded', async () => {
    expect(await sent({ a: '图', b: [1] })).toEqual({ text: '{"a":"图","b":[1]}', size: null })
  })

  test.each([0, 1, 2, 3, 196_608, 196_609, 500_000])('has %i bytes as a data URL, and its length', async length => {
    const [one, other] = [randomBytes(length), randomBytes(7)]
    const fields = {
      text: '图片 "quoted"',
      urls: [
        new DataUrl({ media_type: 'image/png', bytes: one }),
        new DataUrl({ media_type: 'image/gif', bytes: other }),
      ],
      end: 1,
    }
    expect(JSON.parse((await sent(fields)).text)).toEqual({
      text: '图片 "quoted"',
      urls: [`data:image/png;base64,${one.toString('base64')}`, `data:image/gif;base64,${other.toString('base64')}`],
      end: 1,
    })
  })
})
