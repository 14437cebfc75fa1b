/** The types of pictures that browsers draw and models look at. None of them runs anything. */
const RASTER: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']
export const isRaster = (content_type: string): boolean => RASTER.includes(content_type)

/** The size of a picture is read from this many bytes. */
export const HEAD_BYTES = 256 * 1024

/** Pixels of a side; larger values are ignored. */
const MAX_SIDE = 100_000

type Sides = { width: number; height: number }
type Image = { content_type: string; width: number | null; height: number | null }

/** Type and size from the first bytes of a picture; null for other files. A missing or implausible size is null. */
export function imageIn(head: Buffer): Image | null {
  const format = FORMATS.find(({ begins }) => begins(head))
  if (format === undefined) return null
  const { width, height } = format.sides(head) ?? { width: 0, height: 0 }
  const isSound = [width, height].every(side => side >= 1 && side <= MAX_SIDE)
  return { content_type: format.content_type, width: isSound ? width : null, height: isSound ? height : null }
}

/** How many pixels a picture says that it has, plausible or not; 0 where it says nothing. */
export function pixelsIn(head: Buffer): number {
  const { width, height } = FORMATS.find(({ begins }) => begins(head))?.sides(head) ?? { width: 0, height: 0 }
  return width * height
}

const FORMATS: readonly { content_type: string; begins(head: Buffer): boolean; sides(head: Buffer): Sides | null }[] = [
  { content_type: 'image/png', begins: head => startsWith(head, '\x89PNG\r\n\x1a\n'), sides: sidesOfPng },
  { content_type: 'image/jpeg', begins: head => startsWith(head, '\xff\xd8\xff'), sides: sidesOfJpeg },
  {
    content_type: 'image/gif',
    begins: head => startsWith(head, 'GIF87a') || startsWith(head, 'GIF89a'),
    sides: sidesOfGif,
  },
  {
    content_type: 'image/webp',
    begins: head => startsWith(head, 'RIFF') && startsWith(head, 'WEBP', 8),
    sides: sidesOfWebp,
  },
  { content_type: 'image/avif', begins: isAvif, sides: sidesOfAvif },
]

const startsWith = (head: Buffer, text: string, at = 0): boolean =>
  head.toString('latin1', at, at + text.length) === text

function sidesOfPng(head: Buffer): Sides | null {
  if (head.length < 24 || !startsWith(head, 'IHDR', 12)) return null
  return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
}

function sidesOfGif(head: Buffer): Sides | null {
  return head.length < 10 ? null : { width: head.readUInt16LE(6), height: head.readUInt16LE(8) }
}

function sidesOfWebp(head: Buffer): Sides | null {
  if (head.length < 30) return null
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 }
    case 'VP8L': {
      const bits = head.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
    }
    case 'VP8 ':
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff }
    default:
      return null
  }
}

/** Bytes of the box that begins it; the brands that it is compatible with stand there. */
const MAX_BRANDS = 256

function isAvif(head: Buffer): boolean {
  if (head.length < 16 || !startsWith(head, 'ftyp', 4)) return false
  const brands = head.toString('latin1', 8, Math.min(head.readUInt32BE(0), MAX_BRANDS))
  return /^(?:.{4})*?(?:avif|avis)/s.test(brands)
}

/** The largest of its parts: of a grid, the tiles have sizes too. */
function sidesOfAvif(head: Buffer): Sides | null {
  let largest: Sides | null = null
  for (let at = head.indexOf('ispe'); at >= 0 && at + 16 <= head.length; at = head.indexOf('ispe', at + 4)) {
    const [width, height] = [head.readUInt32BE(at + 8), head.readUInt32BE(at + 12)]
    if (largest === null || width * height > largest.width * largest.height) largest = { width, height }
  }
  return largest
}

/** Markers that start a frame; the three exceptions start tables. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** Walks the segments, each of which has its length, up to the one with the size. */
function sidesOfJpeg(head: Buffer): Sides | null {
  let at = 2
  while (at + 9 <= head.length && head[at] === 0xff) {
    const marker = head[at + 1] ?? 0
    if (isFrame(marker)) return { width: head.readUInt16BE(at + 7), height: head.readUInt16BE(at + 5) }
    // Any number of 0xff bytes may precede a marker.
    at += marker === 0xff ? 1 : 2 + Math.max(2, head.readUInt16BE(at + 2))
  }
  return null
}
