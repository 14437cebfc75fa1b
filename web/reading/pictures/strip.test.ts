import { describe, expect, test } from 'vitest'
import { aGif, aPng, exifSegment, jpegHead, withSegments } from './pictures.testing.ts'
import { stripped } from './strip.ts'

async function textOf(blob: Blob | null): Promise<string> {
  if (blob === null) return ''
  return String.fromCharCode(...new Uint8Array(await blob.arrayBuffer()))
}

const SCAN = [0xff, 0xda, 0, 2, 1, 2, 0xff, 0, 3, 0xff, 0xd9]
const comment = (text: string) => [0xff, 0xfe, 0, 2 + text.length, ...Buffer.from(text)]
const profile = [0xff, 0xe2, 0, 2 + 14, ...Buffer.from('ICC_PROFILE\0\x01\x01')]

describe('a picture without what the camera noted', () => {
  test('is the same JPEG without place, comments and what follows its end', async () => {
    const whole = Uint8Array.from([...jpegHead(8, 8), ...SCAN])
    const annotated = withSegments(
      whole,
      [...exifSegment(1), ...comment('mine'), ...profile],
      [...Buffer.from('ftypFILM')],
    )
    const text = await textOf(stripped(annotated, 'image/jpeg'))
    expect(await textOf(new Blob([annotated]))).toMatch(/PLACE 1.3N[^]*mine[^]*FILM/)
    expect(text).toContain('ICC_PROFILE')
    expect(text).toHaveLength(whole.length + profile.length)
    expect(text).not.toMatch(/Exif|PLACE|mine|FILM/)
  })
  test('is the same PNG without its texts', async () => {
    const bytes = aPng({ width: 3, height: 3, text: 'taken at home' })
    const text = await textOf(stripped(bytes, 'image/png'))
    expect(text).not.toContain('home')
    expect(text).toBe(await textOf(new Blob([aPng({ width: 3, height: 3 })])))
  })
  test('is the same GIF without its comments', async () => {
    expect(await textOf(stripped(aGif({ comment: 'taken at home' }), 'image/gif'))).toBe(
      await textOf(new Blob([aGif()])),
    )
  })
  test('is the same WebP without Exif, which it no longer announces', async () => {
    const chunk = (type: string, content: number[]) => [...Buffer.from(type), content.length, 0, 0, 0, ...content]
    const webp = (flags: number, ...chunks: number[][]) => {
      const body = [...Buffer.from('WEBP'), ...chunk('VP8X', [flags, 0, 0, 0, 1, 0, 0, 1, 0, 0]), ...chunks.flat()]
      return Uint8Array.from([...Buffer.from('RIFF'), body.length, 0, 0, 0, ...body])
    }
    const picture = chunk('VP8 ', [1, 2, 3, 4])
    const bytes = webp(0b11100, picture, chunk('EXIF', [...Buffer.from('home')]))
    expect(await textOf(stripped(bytes, 'image/webp'))).toBe(await textOf(new Blob([webp(0b10000, picture)])))
  })
  test('is not made of a file that breaks off', () => {
    expect(stripped(jpegHead(8, 8), 'image/jpeg')).toBe(null)
    expect(stripped(aPng({ width: 3, height: 3 }).subarray(0, 50), 'image/png')).toBe(null)
  })
})
