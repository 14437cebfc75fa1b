import { describe, expect, test } from 'vitest'
import { ANY_TYPE, detectType, typeByName } from './contentType.ts'
import { aGif, aJpeg, aPng } from './pictures/pictures.testing.ts'

/** What a browser would run or draw as a page of ours. */
const RUNS = /html|svg|xml|javascript|ecmascript|css|wasm|shockwave|php/

describe('the type of a file', () => {
  test.each([
    ['a.png', aJpeg(), 'image/jpeg'],
    ['a.txt', aPng(), 'image/png'],
    ['a', aGif(), 'image/gif'],
    ['a.pdf', Buffer.from('%PDF-1.7'), 'application/pdf'],
    ['A.MD', Buffer.from('# x'), 'text/markdown'],
    ['a.tar.zip', Buffer.from('PK'), 'application/zip'],
  ])('is by its first bytes where it is a picture, else by its name: %s', (name, head, content_type) => {
    expect(detectType(name, head).content_type).toBe(content_type)
  })
  test('is that of no picture which it only claims to be', () => {
    for (const name of ['a.png', 'a.jpg', 'a.gif', 'a.webp', 'a.avif'])
      expect(detectType(name, Buffer.from('<script>')), name).toEqual({
        content_type: ANY_TYPE,
        width: null,
        height: null,
      })
  })
  test.each(['a.html', 'a.HTM', 'a.svg', 'a.xhtml', 'a.js', 'a.mjs', 'a.css', 'a.wasm', 'a.swf', 'a.php', 'a.xml'])(
    'is none that a browser runs: %s',
    name => {
      expect(typeByName(name)).not.toMatch(RUNS)
      expect(detectType(name, Buffer.from('<script>')).content_type).not.toMatch(RUNS)
    },
  )
  test.each(['', '.', '..', 'a.', '.png', 'a.constructor', 'a.__proto__', 'a.toString', 'a.png\u202e', 'a.长'])(
    'is any where the name says nothing: %j',
    name => {
      expect(typeByName(name)).toBe(ANY_TYPE)
    },
  )
  test('is by name alone where nobody here sees the bytes', () => {
    expect(['a.JPEG', 'b.webp', 'c.docx'].map(typeByName)).toEqual([
      'image/jpeg',
      'image/webp',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ])
  })
})
