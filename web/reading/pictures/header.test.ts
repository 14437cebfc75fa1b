import { describe, expect, test } from 'vitest'
import { BOUNDS } from '../reading.ts'
import { headerOf } from './header.ts'
import { aGif, aPng, boxes, exifSegment, jpegHead, withSegments } from './pictures.testing.ts'
import { refuseTooLarge } from './readPicture.ts'

describe('the first bytes of a picture', () => {
  test('say its size and how the camera was held', () => {
    const jpeg = withSegments(jpegHead(640, 480), exifSegment(6))
    expect(headerOf(jpeg, 'image/jpeg')).toEqual({ width: 640, height: 480, frames: 1, orientation: 6 })
    expect(headerOf(aPng({ width: 30_000, height: 30_000 }), 'image/png')).toMatchObject({
      width: 30_000,
      height: 30_000,
    })
    expect(headerOf(boxes('avif', 800, 600), 'image/avif')).toMatchObject({ width: 800, height: 600, frames: 1 })
  })
  test('and those that follow say how many frames it has', () => {
    expect(headerOf(aGif({ width: 7, height: 5, frames: 2_000 }), 'image/gif')).toEqual({
      width: 7,
      height: 5,
      frames: 2_000,
      orientation: 1,
    })
    expect(headerOf(aPng({ width: 2, height: 2, frames: 9 }), 'image/png')).toMatchObject({ frames: 9 })
  })
  test('are read as far as they go', () => {
    for (const picture of [jpegHead(640, 480), aPng({ width: 2, height: 2 }), aGif(), boxes('heic', 8, 8)])
      for (let length = 0; length < picture.length; length++)
        for (const type of ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/heic', 'image/bmp'] as const)
          expect(() => headerOf(picture.subarray(0, length), type)).not.toThrow()
  })
  test('of boxes within boxes without an end are left at some depth', () => {
    const nested = Uint8Array.from({ length: 4_000 }, (_, at) => [0, 0, 0, 0, ...Buffer.from('iprp')][at % 8] ?? 0)
    expect(headerOf(nested, 'image/avif')).toBe(null)
  })
})

describe('a picture', () => {
  test('of too many pixels or frames is refused with the numbers', () => {
    const header = { width: 30_000, height: 30_000, frames: 1, orientation: 1 }
    expect(() => refuseTooLarge(header)).toThrow('tooManyPixels')
    expect(() => refuseTooLarge({ ...header, height: 10, frames: 2_000 })).toThrow('tooManyFrames')
    expect(() => refuseTooLarge({ ...header, width: 8_192, height: 6_144, frames: BOUNDS.frames })).not.toThrow()
  })
})
