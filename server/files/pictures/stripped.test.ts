import { describe, expect, test } from 'vitest'
import { imageIn } from '#server/foundation/pictures.ts'
import { areWhole, BrokenPicture, type Piece } from './pieces.ts'
import { aGif, aJpeg, anAvif, aPng, aWebp, SECRET_NOTE } from './pictures.testing.ts'
import { strippedPicture } from './stripped.ts'

const inMemory = (bytes: Buffer) => ({
  size: bytes.length,
  read: async (position: number, length: number) => bytes.subarray(position, position + length),
})
const piecesOf = (bytes: Buffer, content_type = imageIn(bytes)?.content_type ?? ''): Promise<Piece[]> =>
  strippedPicture(content_type, inMemory(bytes))

const joined = (bytes: Buffer, pieces: readonly Piece[]): Buffer =>
  Buffer.concat(
    pieces.map(piece =>
      'bytes' in piece
        ? piece.bytes
        : 'zeros' in piece
          ? Buffer.alloc(piece.zeros)
          : bytes.subarray(piece.start, piece.end),
    ),
  )
const stripped = async (bytes: Buffer): Promise<Buffer> => joined(bytes, await piecesOf(bytes))

const PICTURES: [name: string, withMetadata: Buffer, without: Buffer | null][] = [
  ['PNG', Buffer.concat([aPng(), Buffer.from(SECRET_NOTE)]), aPng([])],
  ['JPEG', aJpeg(), aJpeg({ metadata: [], behind: Buffer.alloc(0) })],
  ['WebP', aWebp(), aWebp(false)],
  ['GIF', aGif(), aGif({ withMetadata: false })],
  ['AVIF', anAvif(), null],
]

describe.each(PICTURES)('a %s', (_name, withMetadata, without) => {
  test('is kept without place, comments, programs’ notes and what follows its end', async () => {
    expect(withMetadata.includes(SECRET_NOTE)).toBe(true)
    const kept = await stripped(withMetadata)
    expect(kept.includes(SECRET_NOTE)).toBe(false)
    expect(imageIn(kept)).toEqual(imageIn(withMetadata))
    if (without !== null) expect(kept.equals(without)).toBe(true)
    expect(kept.includes('pixels')).toBe(withMetadata.includes('pixels'))
  })
  test('that has nothing of that stays as it is', async () => {
    const kept = await stripped(withMetadata)
    const again = joined(kept, await piecesOf(kept))
    expect(again.equals(kept)).toBe(true)
    if (without !== null && imageIn(without)?.content_type !== 'image/webp')
      expect(areWhole(await piecesOf(without), without.length)).toBe(true)
  })
  test('that ends within is refused or kept as far as it goes, wherever it ends', async () => {
    for (let length = 16; length < withMetadata.length; length++) {
      const cut = withMetadata.subarray(0, length)
      const kept = await piecesOf(cut, imageIn(withMetadata)?.content_type).catch((error: unknown) => error)
      if (Array.isArray(kept)) expect(joined(cut, kept).length).toBeLessThanOrEqual(length + 1)
      else expect(kept, `${length}`).toBeInstanceOf(BrokenPicture)
    }
  })
  test('with any byte changed is refused or kept, and never keeps the portal', async () => {
    const type = imageIn(withMetadata)?.content_type
    for (let at = 12; at < withMetadata.length; at++)
      for (const value of [0, 1, 0x7f, 0x80, 0xff]) {
        const changed = Buffer.from(withMetadata)
        changed[at] = value
        const kept = await piecesOf(changed, type).catch((error: unknown) => error)
        if (!Array.isArray(kept)) expect(kept, `${at} ${value}`).toBeInstanceOf(BrokenPicture)
      }
  })
})

describe('a picture', () => {
  test('of parts without end is refused before they are all listed', async () => {
    const part = aPng(['tEXt', 'gAMA']).subarray(33 + 16, -18 - 12 + 0)
    const head = aPng([]).subarray(0, 33)
    await expect(piecesOf(Buffer.concat([head, ...Array.from({ length: 60_000 }, () => part)]))).rejects.toThrow(
      BrokenPicture,
    )
  })
  test('of 2,000 frames and one of megabytes of tiny blocks are read to their ends', async () => {
    const many = aGif({ frames: 2_000 })
    expect((await stripped(many)).equals(aGif({ frames: 2_000, withMetadata: false }))).toBe(true)
    const tiny = Buffer.concat([
      aGif({ withMetadata: false, frames: 0 }).subarray(0, -1),
      Buffer.from([0x21, 0x01]),
      Buffer.alloc(3_000_000, 1),
    ])
    await expect(piecesOf(tiny)).rejects.toThrow(BrokenPicture)
  })
  test('of more than a window keeps the bytes of its scan', async () => {
    const scan = Buffer.alloc(300_000, 7)
    const [before, behind] = [aJpeg({ metadata: [], behind: Buffer.alloc(0) }), Buffer.from([0xff, 0xd9])]
    for (const at of [65_535, 65_536, 131_071, 299_998]) scan.set([0xff, 0], at)
    const large = Buffer.concat([before.subarray(0, -5), scan, behind, Buffer.from(SECRET_NOTE)])
    expect((await stripped(large)).equals(large.subarray(0, -SECRET_NOTE.length))).toBe(true)
  })
  test('of items that claim to lie everywhere keeps its form', async () => {
    const avif = anAvif()
    const at = avif.indexOf('iloc')
    avif.fill(0xff, at + 12, at + 40)
    const kept = await piecesOf(avif).catch((error: unknown) => error)
    expect(Array.isArray(kept) || kept instanceof BrokenPicture).toBe(true)
  })
})
