import type { PictureType } from '../fileKind.ts'
import { asciiAt, gifBlocks, gifBlocksAt, jpegSegments, pngChunks, webpChunks } from './header.ts'

/**
 * The same picture without what is told beside it - where, when and with what it was taken, thumbnails, what a
 * telephone appends - and without decoding it. Null for a type that this is not done for, or a file that is not in
 * order.
 */
export function stripped(bytes: Uint8Array<ArrayBuffer>, type: PictureType): Blob | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const parts = partsOf(view, type)
    return parts === null ? null : new Blob(parts, { type })
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

type Part = Uint8Array<ArrayBuffer>

function partsOf(view: DataView<ArrayBuffer>, type: PictureType): Part[] | null {
  switch (type) {
    case 'image/jpeg':
      return ofJpeg(view)
    case 'image/png':
      return ofPng(view)
    case 'image/webp':
      return ofWebp(view)
    case 'image/gif':
      return ofGif(view)
    case 'image/avif':
    case 'image/bmp':
    case 'image/heic':
    case 'image/tiff':
    case 'image/jxl':
      return null
  }
}

const part = ({ buffer, byteOffset }: DataView<ArrayBuffer>, from: number, to: number): Part =>
  new Uint8Array(buffer, byteOffset + from, to - from)

function ofJpeg(view: DataView<ArrayBuffer>): Part[] | null {
  const parts = [part(view, 0, 2)]
  for (const { marker, at, length } of jpegSegments(view)) {
    if (marker === 0xda) {
      const end = endOfJpeg(view, at + length)
      return end === null ? null : [...parts, part(view, at - 4, end)]
    }
    // Kept of the segments of applications: the form (JFIF), a profile of colours (ICC), their storage (Adobe).
    const isProfile = marker === 0xe2 && length > 12 && asciiAt(view, at, 11) === 'ICC_PROFILE'
    const isMetadata = (marker > 0xe0 && marker <= 0xef && marker !== 0xee && !isProfile) || marker === 0xfe
    if (!isMetadata) parts.push(part(view, at - 4, at + length))
  }
  return null
}

/** Behind the end of the picture may be a film, or anything. A scan may be followed by further ones. */
function endOfJpeg(view: DataView, from: number): number | null {
  for (let at = from; at + 1 < view.byteLength; at++) {
    if (view.getUint8(at) !== 0xff) continue
    const marker = view.getUint8(at + 1)
    if (marker === 0xd9) return at + 2
    // Within a scan are only stuffed bytes and restart marks; a segment between scans is skipped as a whole.
    const isOfScan = marker === 0 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd7)
    if (!isOfScan) {
      const isMetadata = (marker > 0xe0 && marker <= 0xef) || marker === 0xfe
      if (isMetadata) return null
      at += 1 + view.getUint16(at + 2)
    }
  }
  return null
}

/** What a decoder needs; everything else is text, time or Exif. */
const PNG_CHUNKS = new Set('IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP sBIT bKGD pHYs acTL fcTL fdAT'.split(' '))

function ofPng(view: DataView<ArrayBuffer>): Part[] | null {
  const parts = [part(view, 0, 8)]
  for (const { type, at, length } of pngChunks(view)) {
    if (at + length + 4 > view.byteLength) return null
    if (PNG_CHUNKS.has(type)) parts.push(part(view, at - 8, at + length + 4))
    if (type === 'IEND') return parts
  }
  return null
}

/** Flags of the extended form that announce Exif and XMP. */
const WEBP_METADATA = 0b1100

function ofWebp(view: DataView<ArrayBuffer>): Part[] | null {
  const parts: Part[] = []
  let size = 4
  for (const { type, at, length } of webpChunks(view)) {
    if (at + length > view.byteLength) return null
    if (type === 'EXIF' || type === 'XMP ') continue
    if (!/^(?:VP8[ LX]|ALPH|ANIM|ANMF|ICCP)$/.test(type)) continue
    const chunk = part(view, at - 8, at + length).slice()
    if (type === 'VP8X') chunk[8] = (chunk[8] ?? 0) & ~WEBP_METADATA
    parts.push(chunk)
    if (length % 2 === 1) parts.push(new Uint8Array(1))
    size += 8 + length + (length % 2)
  }
  const head = new Uint8Array(12)
  head.set(part(view, 0, 12))
  new DataView(head.buffer).setUint32(4, size, true)
  return parts.length === 0 ? null : [head, ...parts]
}

/** Comments and what programs have noted; the extension that lets a picture move again and again is kept. */
function ofGif(view: DataView<ArrayBuffer>): Part[] | null {
  const parts = [part(view, 0, gifBlocksAt(view))]
  for (const { kind, label, from, to } of gifBlocks(view)) {
    const isLoop = label === 0xff && to - from > 14 && asciiAt(view, from + 3, 8) === 'NETSCAPE'
    if (kind === 0x2c || label === 0xf9 || label === 0x01 || isLoop) parts.push(part(view, from, to))
  }
  return [...parts, Uint8Array.of(0x3b)]
}
