import { zlibSync } from 'fflate'

/** Pictures by their bytes. */

const u16 = (value: number) => [value >> 8, value & 255]
const u32 = (value: number) => [(value >>> 24) & 255, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]
const ascii = (text: string) => Array.from(text, character => character.charCodeAt(0))

/** The Exif segment of a JPEG: how it is held, the maker of the camera, and a place. */
export function exifSegment(orientation: number): number[] {
  const entry = (tag: number, type: number, count: number, value: number[]) => [
    ...u16(tag),
    ...u16(type),
    ...u32(count),
    ...[...value, 0, 0, 0, 0].slice(0, 4),
  ]
  const position = 8 + 2 + 3 * 12 + 4
  const tiff = [
    ...ascii('MM\0*'),
    ...u32(8),
    ...u16(3),
    ...entry(0x010f, 2, 4, ascii('Cam\0')),
    ...entry(0x0112, 3, 1, u16(orientation)),
    ...entry(0x8825, 4, 1, u32(position)),
    ...u32(0),
    ...u16(1),
    ...entry(0x001d, 2, 11, u32(position + 18)),
    ...u32(0),
    ...ascii('PLACE 1.3N\0'),
  ]
  const content = [...ascii('Exif\0\0'), ...tiff]
  return [0xff, 0xe1, ...u16(content.length + 2), ...content]
}

/** Puts segments behind the first two bytes of a JPEG, and bytes behind its end. */
export function withSegments(
  jpeg: Uint8Array,
  segments: readonly number[],
  appended: readonly number[] = [],
): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([...jpeg.subarray(0, 2), ...segments, ...jpeg.subarray(2), ...appended])
}

/** The head of a JPEG of any size, without its picture. */
export function jpegHead(width: number, height: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([
    0xff,
    0xd8,
    0xff,
    0xc0,
    ...u16(17),
    8,
    ...u16(height),
    ...u16(width),
    3,
    1,
    17,
    0,
    2,
    17,
    0,
    3,
    17,
    0,
  ])
}

function pngChunk(type: string, content: readonly number[] | Uint8Array): number[] {
  const body = [...ascii(type), ...content]
  return [...u32(content.length), ...body, ...u32(crc32(body))]
}

function crc32(bytes: readonly number[]): number {
  let crc = -1
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc
}

type PngOptions = { width: number; height: number; frames?: number; text?: string; rows?: Uint8Array }

/** A PNG; without rows of its own it is black, and of a large one only the head is true. */
export function aPng({ width, height, frames, text, rows }: PngOptions): Uint8Array<ArrayBuffer> {
  const pixels = rows ?? new Uint8Array(Math.min((1 + width * 3) * height, 100_000))
  return Uint8Array.from([
    ...ascii('\x89PNG\r\n\x1a\n'),
    ...pngChunk('IHDR', [...u32(width), ...u32(height), 8, 2, 0, 0, 0]),
    ...(frames === undefined ? [] : pngChunk('acTL', [...u32(frames), ...u32(0)])),
    ...(text === undefined ? [] : pngChunk('tEXt', ascii(`Comment\0${text}`))),
    ...pngChunk('IDAT', zlibSync(pixels)),
    ...pngChunk('IEND', []),
  ])
}

/** So many pixels of the first colour: in codes of three bits, whose table is cleared before it grows. */
function gifPixels(count: number): number[] {
  const codes = [...Array.from({ length: count }, (_, at) => (at % 2 === 0 ? [4, 0] : [0])).flat(), 5]
  const bits = codes.flatMap(code => [code & 1, (code >> 1) & 1, code >> 2])
  const bytes = Array.from({ length: Math.ceil(bits.length / 8) }, (_, at) =>
    bits.slice(at * 8, at * 8 + 8).reduce((byte, bit, index) => byte | (bit << index), 0),
  )
  return [2, bytes.length, ...bytes, 0]
}

/** A GIF of one colour whose frames are all the same. */
export function aGif({ width = 4, height = 4, frames = 1, comment = '' } = {}): Uint8Array<ArrayBuffer> {
  const low = (value: number) => [value & 255, value >> 8]
  const frame = [0x21, 0xf9, 4, 0, 5, 0, 0, 0, 0x2c, 0, 0, 0, 0, ...low(width), ...low(height), 0]
  const pixels = gifPixels(width * height)
  return Uint8Array.from([
    ...ascii('GIF89a'),
    ...low(width),
    ...low(height),
    0x80,
    0,
    0,
    ...[255, 0, 0, 0, 0, 255],
    ...(comment === '' ? [] : [0x21, 0xfe, comment.length, ...ascii(comment), 0]),
    ...Array.from({ length: frames }, () => [...frame, ...pixels]).flat(),
    0x3b,
  ])
}

/** The head of a picture of the family of AVIF and HEIC. */
export function boxes(brand: string, width: number, height: number): Uint8Array<ArrayBuffer> {
  const box = (type: string, content: readonly number[]) => [...u32(8 + content.length), ...ascii(type), ...content]
  const ispe = box('ispe', [...u32(0), ...u32(width), ...u32(height)])
  return Uint8Array.from([
    ...box('ftyp', [...ascii(brand), ...u32(0), ...ascii('mif1'), ...ascii(brand)]),
    ...box('meta', [...u32(0), ...box('iprp', box('ipco', ispe))]),
  ])
}
