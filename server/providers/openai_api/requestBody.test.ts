import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { DataUrl, requestBody } from './requestBody.ts'

describe('the body of a request', () => {
  test('is a text where nothing is to be encoded', () => {
    expect(requestBody({ a: '图', b: [1] })).toBe('{"a":"图","b":[1]}')
  })

  test.each([0, 1, 2, 3, 24_576, 24_577, 500_000])('has %i bytes as a data URL', length => {
    const [one, other] = [randomBytes(length), randomBytes(7)]
    const fields = {
      text: '图片 "quoted"',
      urls: [
        new DataUrl({ media_type: 'image/png', bytes: one }),
        new DataUrl({ media_type: 'image/gif', bytes: other }),
      ],
      end: 1,
    }
    expect(JSON.parse(requestBody(fields).toString('utf8'))).toEqual({
      text: '图片 "quoted"',
      urls: [`data:image/png;base64,${one.toString('base64')}`, `data:image/gif;base64,${other.toString('base64')}`],
      end: 1,
    })
  })
})
