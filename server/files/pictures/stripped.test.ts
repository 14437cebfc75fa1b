import { describe, expect, test } from 'vitest'
import { imageIn } from '#server/foundation/pictures.ts'
import { orientationIn } from './orientation.ts'
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

describe('a JPEG of a camera that was held sideways', () => {
  const exif = (order: 'MM' | 'II', orientation: number): Buffer => {
    const number = (value: number, bytes: number) =>
      order === 'MM'
        ? Buffer.from(value.toString(16).padStart(bytes * 2, '0'), 'hex')
        : Buffer.from(Buffer.from(value.toString(16).padStart(bytes * 2, '0'), 'hex').toReversed())
    const entry = (tag: number, value: number) =>
      Buffer.concat([number(tag, 2), number(3, 2), number(1, 4), number(value, 2), Buffer.alloc(2)])
    const tiff = [
      Buffer.from(order),
      number(42, 2),
      number(8, 4),
      number(2, 2),
      entry(0x0100, 7),
      entry(0x0112, orientation),
    ]
    const content = Buffer.concat([Buffer.from('Exif\0\0'), ...tiff, Buffer.alloc(4), Buffer.from(SECRET_NOTE)])
    return Buffer.concat([Buffer.from([0xff, 0xe1, 0, content.length + 2]), content])
  }

  test.each(['MM', 'II'] as const)('keeps how it is turned, and nothing else of its Exif (%s)', async order => {
    const kept = await stripped(aJpeg({ metadata: [exif(order, 6)] }))
    const turning = Buffer.from('ffe100224578696600004d4d002a00000008000101120003000000010006000000000000', 'hex')
    const at = kept.indexOf(turning)
    expect(at).toBeGreaterThan(0)
    const others = Buffer.concat([kept.subarray(0, at), kept.subarray(at + turning.length)])
    expect(others.equals(aJpeg({ metadata: [], behind: Buffer.alloc(0) }))).toBe(true)
    expect(areWhole(await piecesOf(kept), kept.length)).toBe(true)
  })
  test.each([0, 1, 9])('that says nothing of use keeps nothing (%i)', async orientation => {
    const kept = await stripped(aJpeg({ metadata: [exif('II', orientation)] }))
    expect(kept.includes('Exif')).toBe(false)
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

describe('how a picture is turned', () => {
  const exifOf = (orientation: number): Buffer => {
    const entry = Buffer.from([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0])
    const content = Buffer.concat([Buffer.from('Exif\0\0MM\0*\0\0\0\x08\0\x01', 'latin1'), entry, Buffer.alloc(4)])
    return Buffer.concat([Buffer.from([0xff, 0xe1, 0, content.length + 2]), content])
  }
  const partsOf = (bytes: Buffer, text: string): number => bytes.toString('latin1').split(text).length - 1

  test.each([2, 3, 4, 5, 6, 7, 8])('stays, whichever of the eight ways it is (%i)', async orientation => {
    const kept = await stripped(aJpeg({ metadata: [exifOf(orientation)] }))
    expect(orientationIn(kept.subarray(kept.indexOf(Buffer.from([0xff, 0xe1]))))).toBe(orientation)
  })
  test('is said once: by the first that says it, however often it is said', async () => {
    const kept = await stripped(aJpeg({ metadata: [exifOf(1), exifOf(6), exifOf(8)] }))
    expect(partsOf(kept, 'Exif')).toBe(1)
    expect(orientationIn(kept.subarray(kept.indexOf(Buffer.from([0xff, 0xe1]))))).toBe(6)
  })
  test('is not read beyond what there is', () => {
    const segment = exifOf(6)
    for (let length = 0; length < segment.length; length++)
      expect([1, 6]).toContain(orientationIn(segment.subarray(0, length)))
    const endless = Buffer.from(segment)
    endless.writeUInt16BE(0xffff, 18)
    expect(orientationIn(endless)).toBe(6)
    endless.writeUInt32BE(0xffffffff, 14)
    expect(orientationIn(endless)).toBe(1)
  })
})

describe('a picture that hides something in odd places', () => {
  test('loses what a JPEG has in segments of applications that draw nothing', async () => {
    const note = Buffer.from(SECRET_NOTE)
    const segments = [0xe3, 0xe4, 0xe5, 0xea, 0xeb, 0xec, 0xef].map(marker =>
      Buffer.concat([Buffer.from([0xff, marker, 0, note.length + 2]), note]),
    )
    const kept = await stripped(aJpeg({ metadata: segments }))
    expect(kept.includes(SECRET_NOTE)).toBe(false)
    expect(kept.includes('ICC_PROFILE')).toBe(true)
  })
  test('keeps the segment of Adobe, without which colours are wrong', async () => {
    const adobe = Buffer.concat([Buffer.from([0xff, 0xee, 0, 14]), Buffer.from('Adobe\0d\0\0\0\0\x01', 'latin1')])
    expect((await stripped(aJpeg({ metadata: [adobe], behind: Buffer.alloc(0) }))).includes(adobe)).toBe(true)
  })
  test('loses what a WebP has behind its stated end, and its length is true then', async () => {
    const kept = await stripped(Buffer.concat([aWebp(), Buffer.from(SECRET_NOTE)]))
    expect(kept.includes(SECRET_NOTE)).toBe(false)
    expect(kept.readUInt32LE(4)).toBe(kept.length - 8)
    // EXIF and XMP are announced no more.
    expect((kept[20] ?? 0) & 0x0c).toBe(0)
  })
  test('loses the texts of a PNG before and behind its pixels, and keeps its colours', async () => {
    const png = aPng(['tEXt', 'iCCP', 'eXIf', 'pHYs', 'zzZz'])
    const kept = await stripped(png)
    for (const type of ['tEXt', 'eXIf', 'zzZz']) expect(kept.includes(type), type).toBe(false)
    for (const type of ['iCCP', 'pHYs', 'IHDR', 'IDAT', 'IEND']) expect(kept.includes(type), type).toBe(true)
  })
  test('moves nothing of an AVIF, whose parts are found by where they are', async () => {
    const avif = anAvif()
    const kept = await stripped(avif)
    expect(kept).toHaveLength(avif.length)
    expect(kept.indexOf('pixels')).toBe(avif.indexOf('pixels'))
  })
  test('of an AVIF of boxes without end, or larger than it, is refused', async () => {
    const avif = anAvif()
    for (const size of [0xffffffff, 7, avif.length]) {
      const broken = Buffer.from(avif)
      broken.writeUInt32BE(size, avif.indexOf('meta') - 4)
      await expect(piecesOf(broken, 'image/avif'), String(size)).rejects.toThrow(BrokenPicture)
    }
    const box = Buffer.from('\0\0\0\x08free', 'latin1')
    await expect(
      piecesOf(Buffer.concat([avif, ...Array.from({ length: 2_000 }, () => box)]), 'image/avif'),
    ).rejects.toThrow(BrokenPicture)
  })
})
