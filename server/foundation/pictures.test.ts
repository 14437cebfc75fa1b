import { imageIn, pixelsIn } from './pictures.ts'
import { describe, expect, test } from 'vitest'

const bytes = (...parts: (string | readonly number[])[]): Buffer =>
  Buffer.concat(parts.map(part => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))))
const u32 = (number: number) => [number >>> 24, (number >>> 16) & 255, (number >>> 8) & 255, number & 255]
const zeros = (count: number) => Array.from({ length: count }, () => 0)

const png = (width: number, height: number) => bytes('\x89PNG\r\n\x1a\n', u32(13), 'IHDR', u32(width), u32(height))
const FRAME = [0xff, 0xc2, 0, 17, 8, 0x01, 0x2c, 0x02, 0x58]
const webp = (chunk: string, ...data: readonly number[][]) =>
  bytes('RIFF', zeros(4), 'WEBP', chunk, zeros(4), ...data, zeros(20))

describe('a picture', () => {
  test.each([
    ['PNG', png(640, 480), 'image/png', 640, 480],
    ['GIF', bytes('GIF87a', [0x80, 0x02, 0xe0, 0x01]), 'image/gif', 640, 480],
    ['JPEG', bytes([0xff, 0xd8], FRAME), 'image/jpeg', 600, 300],
    [
      'JPEG with what cameras write before',
      bytes([0xff, 0xd8, 0xff, 0xe1, 0x40, 0], zeros(0x3ffe), [0xff, 0xff, 0xff, 0xc4, 0, 4, 0, 0], FRAME),
      'image/jpeg',
      600,
      300,
    ],
    ['WebP, extended', webp('VP8X', zeros(4), [0x7f, 0x02, 0], [0xdf, 0x01, 0]), 'image/webp', 640, 480],
    ['WebP, lossless', webp('VP8L', [0x2f], [0x7f, 0xc2, 0x77, 0]), 'image/webp', 640, 480],
    ['WebP, lossy', webp('VP8 ', zeros(3), [0x9d, 0x01, 0x2a], [0x80, 0x02, 0xe0, 0x01]), 'image/webp', 640, 480],
  ])('of the kind %s tells its type and size', (_kind, head, content_type, width, height) => {
    expect(imageIn(head)).toEqual({ content_type, width, height })
  })
  test.each([
    ['cut before its size', png(640, 480).subarray(0, 20)],
    ['without any size', png(0, 480)],
    ['larger than can be', png(640, 100_001)],
  ])('%s has a type and no size', (_what, head) => {
    expect(imageIn(head)).toEqual({ content_type: 'image/png', width: null, height: null })
  })
  test('says how many pixels it has even where they cannot be', () => {
    expect(pixelsIn(png(640, 480))).toBe(640 * 480)
    expect(pixelsIn(png(200_000, 100_001))).toBe(200_000 * 100_001)
    expect(pixelsIn(png(640, 480).subarray(0, 20))).toBe(0)
    expect(pixelsIn(Buffer.from('no picture'))).toBe(0)
  })
  test('of broken segments comes to an end', () => {
    expect(
      imageIn(
        bytes(
          [0xff, 0xd8],
          Array.from({ length: 200_000 }, () => 0xff),
        ),
      ),
    ).toMatchObject({ width: null })
    expect(imageIn(bytes([0xff, 0xd8, 0xff], zeros(200_000)))).toMatchObject({ width: null })
  })
})

describe('anything else', () => {
  test.each(['', 'GIF', '<svg xmlns="http://www.w3.org/2000/svg" width="5" height="5"/>', 'RIFF....WAVE', '%PDF-1.7'])(
    'is none: %j',
    text => {
      expect(imageIn(bytes(text))).toBe(null)
    },
  )
})
