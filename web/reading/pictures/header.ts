import type { PictureType } from '../fileKind.ts'

/** What the first bytes of a picture say of it, before anything of it is decoded. */
export type PictureHeader = {
  width: number
  height: number
  frames: number
  /** How the camera was held, 1 to 8 (Exif); 1 is upright. */
  orientation: number
}

/** Null where the bytes do not say how large the picture is: then it is not decoded. */
export function headerOf(bytes: Uint8Array, type: PictureType): PictureHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const header = readerOf(type)(view)
    return header === null || header.width < 1 || header.height < 1 ? null : header
  } catch (error) {
    // Less bytes than the header says there are.
    if (error instanceof RangeError) return null
    throw error
  }
}

type Reader = (view: DataView) => PictureHeader | null

function readerOf(type: PictureType): Reader {
  switch (type) {
    case 'image/jpeg':
      return ofJpeg
    case 'image/png':
      return ofPng
    case 'image/gif':
      return ofGif
    case 'image/webp':
      return ofWebp
    case 'image/avif':
    case 'image/heic':
      return ofBoxes
    case 'image/bmp':
      return ofBitmap
    case 'image/tiff':
    case 'image/jxl':
      return () => null
  }
}

const still = (width: number, height: number, orientation = 1): PictureHeader => ({
  width,
  height,
  frames: 1,
  orientation,
})

export const asciiAt = (view: DataView, at: number, length: number): string =>
  String.fromCharCode(...Array.from({ length }, (_, offset) => view.getUint8(at + offset)))

/** The segments of a JPEG up to its picture: marker, where its content begins, and its length. */
export function* jpegSegments(view: DataView): Generator<{ marker: number; at: number; length: number }> {
  for (let at = 2; at + 4 <= view.byteLength;) {
    if (view.getUint8(at) !== 0xff) return
    const marker = view.getUint8(at + 1)
    // Bytes that fill up, and markers without content.
    if (marker === 0xff) at += 1
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2
    else {
      const length = view.getUint16(at + 2)
      if (length < 2) return
      yield { marker, at: at + 4, length: length - 2 }
      if (marker === 0xda) return
      at += 2 + length
    }
  }
}

function ofJpeg(view: DataView): PictureHeader | null {
  let orientation = 1
  for (const { marker, at, length } of jpegSegments(view)) {
    if (marker === 0xe1 && length > 14 && asciiAt(view, at, 4) === 'Exif')
      orientation = orientationOf(new DataView(view.buffer, view.byteOffset + at + 6, length - 6)) ?? orientation
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return still(view.getUint16(at + 3), view.getUint16(at + 1), orientation)
  }
  return null
}

const ORIENTATION = 0x0112

/** Of the TIFF structure in Exif; null when it says nothing. */
export function orientationOf(view: DataView): number | null {
  try {
    const little = view.getUint16(0) === 0x4949
    const at = view.getUint32(4, little)
    const entries = view.getUint16(at, little)
    for (let index = 0; index < entries; index++) {
      const entry = at + 2 + index * 12
      if (view.getUint16(entry, little) !== ORIENTATION) continue
      const value = view.getUint16(entry + 8, little)
      return value >= 1 && value <= 8 ? value : null
    }
    return null
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** The chunks of a PNG: type, where the content begins, and its length. */
export function* pngChunks(view: DataView): Generator<{ type: string; at: number; length: number }> {
  for (let at = 8; at + 12 <= view.byteLength;) {
    const length = view.getUint32(at)
    yield { type: asciiAt(view, at + 4, 4), at: at + 8, length }
    at += 12 + length
  }
}

function ofPng(view: DataView): PictureHeader | null {
  if (asciiAt(view, 12, 4) !== 'IHDR') return null
  const header = still(view.getUint32(16), view.getUint32(20))
  for (const { type, at, length } of pngChunks(view)) {
    if (type === 'acTL') header.frames = Math.max(1, view.getUint32(at))
    else if (type === 'eXIf' && at + length <= view.byteLength)
      header.orientation = orientationOf(new DataView(view.buffer, view.byteOffset + at, length)) ?? 1
  }
  return header
}

/** Where the blocks behind the head of a GIF begin. */
export function gifBlocksAt(view: DataView): number {
  const flags = view.getUint8(10)
  return 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
}

/** The end of a chain of small blocks of data. */
function endOfData(view: DataView, from: number): number {
  let at = from
  while (at < view.byteLength && view.getUint8(at) !== 0) at += 1 + view.getUint8(at)
  return at + 1
}

/** The blocks of a GIF: 0x2c is a frame, 0x21 an extension, whose label is given. */
export function* gifBlocks(view: DataView): Generator<{ kind: number; label: number; from: number; to: number }> {
  for (let at = gifBlocksAt(view); at < view.byteLength;) {
    const kind = view.getUint8(at)
    let to: number
    if (kind === 0x21) to = endOfData(view, at + 2)
    else if (kind === 0x2c) {
      const flags = view.getUint8(at + 9)
      to = endOfData(view, at + 11 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0))
    } else return
    yield { kind, label: kind === 0x21 ? view.getUint8(at + 1) : 0, from: at, to: Math.min(to, view.byteLength) }
    at = to
  }
}

function ofGif(view: DataView): PictureHeader {
  const header = { ...still(view.getUint16(6, true), view.getUint16(8, true)), frames: 0 }
  try {
    for (const { kind } of gifBlocks(view)) header.frames += kind === 0x2c ? 1 : 0
  } catch (error) {
    // The file breaks off: the frames that are there count.
    if (!(error instanceof RangeError)) throw error
  }
  return { ...header, frames: Math.max(1, header.frames) }
}

/** The chunks of a WebP: type, where the content begins, and its length. */
export function* webpChunks(view: DataView): Generator<{ type: string; at: number; length: number }> {
  for (let at = 12; at + 8 <= view.byteLength;) {
    const length = view.getUint32(at + 4, true)
    yield { type: asciiAt(view, at, 4), at: at + 8, length }
    at += 8 + length + (length % 2)
  }
}

function ofWebp(view: DataView): PictureHeader | null {
  let header: PictureHeader | null = null
  let frames = 0
  for (const { type, at, length } of webpChunks(view)) {
    if (type === 'VP8X') header = still(1 + uint24(view, at + 4), 1 + uint24(view, at + 7))
    else if (type === 'VP8 ')
      header ??= still(view.getUint16(at + 6, true) & 0x3fff, view.getUint16(at + 8, true) & 0x3fff)
    else if (type === 'VP8L') {
      const bits = view.getUint32(at + 1, true)
      header ??= still(1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff))
    } else if (type === 'ANMF') frames += 1
    else if (type === 'EXIF' && header !== null && at + length <= view.byteLength) {
      const exif = asciiAt(view, at, Math.min(4, length)) === 'Exif' ? 6 : 0
      header.orientation = orientationOf(new DataView(view.buffer, view.byteOffset + at + exif, length - exif)) ?? 1
    }
  }
  return header === null ? null : { ...header, frames: Math.max(1, frames) }
}

const uint24 = (view: DataView, at: number) => view.getUint16(at, true) | (view.getUint8(at + 2) << 16)

const CONTAINERS = new Set(['meta', 'iprp', 'ipco', 'moov', 'trak', 'mdia', 'minf', 'stbl'])
const MAX_DEPTH = 10

/** AVIF and HEIC: the largest of the sizes that any of its pictures has, as a large one may be made of tiles. */
function ofBoxes(view: DataView): PictureHeader | null {
  const header = still(0, 0)
  const visit = (from: number, to: number, depth: number): void => {
    for (let at = from; at + 8 <= to;) {
      const size = view.getUint32(at)
      const type = asciiAt(view, at + 4, 4)
      const end = size === 0 ? to : Math.min(to, at + size)
      if (type === 'ispe' && end - at >= 20) {
        header.width = Math.max(header.width, view.getUint32(at + 12))
        header.height = Math.max(header.height, view.getUint32(at + 16))
      } else if (type === 'stsz' && end - at >= 20) header.frames = Math.max(header.frames, view.getUint32(at + 16))
      else if (CONTAINERS.has(type) && depth < MAX_DEPTH) visit(at + (type === 'meta' ? 12 : 8), end, depth + 1)
      if (size !== 0 && size < 8) return
      at = end
    }
  }
  visit(0, view.byteLength, 0)
  return header
}

function ofBitmap(view: DataView): PictureHeader {
  if (view.getUint32(14, true) === 12) return still(view.getUint16(18, true), view.getUint16(20, true))
  return still(Math.abs(view.getInt32(18, true)), Math.abs(view.getInt32(22, true)))
}
