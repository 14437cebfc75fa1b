import { strippedAvif } from './avif.ts'
import { orientationIn, orientationSegment } from './orientation.ts'
import { BrokenPicture, type FileBytes, openPieces, openWindow, type Piece, type Window } from './pieces.ts'

/**
 * A picture without what is not needed to draw it: place, camera, times, comments, previews, and whatever follows its
 * end. Of the Exif of a JPEG stays how it is turned. By its bytes alone: nothing is decoded. Fails where it is put
 * together as no picture is (`BrokenPicture`).
 */
export async function strippedPicture(content_type: string, file: FileBytes): Promise<Piece[]> {
  const window = openWindow(file)
  switch (content_type) {
    case 'image/png':
      return strippedPng(window)
    case 'image/jpeg':
      return strippedJpeg(window)
    case 'image/webp':
      return strippedWebp(window)
    case 'image/gif':
      return strippedGif(window)
    case 'image/avif':
      return strippedAvif(file)
    default:
      return [{ start: 0, end: file.size }]
  }
}

/** Further chunks of a PNG that change how it is drawn. All that begin with a capital letter are needed. */
const PNG_CHUNKS = new Set('tRNS gAMA cHRM sRGB iCCP sBIT bKGD hIST pHYs sPLT acTL fcTL fdAT cICP mDCV cLLI'.split(' '))

async function strippedPng(window: Window): Promise<Piece[]> {
  const { pieces, keep } = openPieces()
  keep(0, 8)
  for (let at = 8; ;) {
    const head = window.peek(at, 8) ?? (await window.need(at, 8))
    const type = head.toString('latin1', 4, 8)
    const end = at + 12 + head.readUInt32BE(0)
    if (end > window.size) throw new BrokenPicture()
    if (/^[A-Z]/.test(type) || PNG_CHUNKS.has(type)) keep(at, end)
    if (type === 'IEND') return pieces
    at = end
  }
}

const isText = (head: Buffer, at: number, text: string): boolean =>
  head.toString('latin1', at, at + text.length) === text

/** Segments for applications that change how a JPEG is drawn. */
const isNeeded = (marker: number, head: Buffer): boolean =>
  (marker === 0xe0 && isText(head, 4, 'JFIF\0')) ||
  (marker === 0xe2 && isText(head, 4, 'ICC_PROFILE\0')) ||
  (marker === 0xee && isText(head, 4, 'Adobe'))

const [START, END, SCAN, EXIF, COMMENT] = [0xd8, 0xd9, 0xda, 0xe1, 0xfe]
const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7
const isOfApplication = (marker: number): boolean => marker >= 0xe0 && marker <= 0xef

async function strippedJpeg(window: Window): Promise<Piece[]> {
  const { pieces, keep, put } = openPieces()
  let isTurned = false
  keep(0, 2)
  for (let at = 2; ;) {
    const [first = 0, marker = 0] = window.peek(at, 2) ?? (await window.need(at, 2))
    if (first !== 0xff) throw new BrokenPicture()
    if (marker === 0xff) {
      at += 1 // any number of them may precede a marker
      continue
    }
    if (marker === END) {
      keep(at, at + 2)
      return pieces
    }
    if (marker === START || isRestart(marker) || marker === 0x01) {
      keep(at, at + 2)
      at += 2
      continue
    }
    const length = (await window.need(at, 4)).readUInt16BE(2)
    const end = at + 2 + length
    if (length < 2 || end > window.size) throw new BrokenPicture()
    const head = await window.need(at, Math.min(18, end - at))
    const turning = marker === EXIF && !isTurned ? turningIn(await window.need(at, end - at)) : null
    if (turning !== null) {
      isTurned = true
      if (turning === 'whole') keep(at, end)
      else put(turning)
    } else if (isOfApplication(marker) ? isNeeded(marker, head) : marker !== COMMENT) keep(at, end)
    at = marker === SCAN ? await endOfScan(window, end) : end
    if (marker === SCAN) keep(end, at)
    // One that ends without a mark of its end is drawn as far as it goes.
    if (at >= window.size) return pieces
  }
}

/** What says how a picture is to be turned: bytes in place of the segment, or all of it where it says no more. */
function turningIn(segment: Buffer): Buffer | 'whole' | null {
  const turning = orientationSegment(orientationIn(segment))
  return turning?.equals(segment) === true ? 'whole' : turning
}

/** Where the next marker stands behind what was compressed, or the end of the file. */
async function endOfScan(window: Window, from: number): Promise<number> {
  for (let at = from; ;) {
    const bytes = await window.some(at)
    if (bytes.length < 2) return window.size
    const found = bytes.indexOf(0xff)
    if (found < 0 || found === bytes.length - 1) {
      at += found < 0 ? bytes.length : found
      continue
    }
    const next = bytes[found + 1] ?? 0
    if (next !== 0 && !isRestart(next) && next !== 0xff) return at + found
    at += found + (next === 0xff ? 1 : 2)
  }
}

const WEBP_CHUNKS = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])
/** Of its features: whether it has EXIF or XMP. */
const WEBP_METADATA = 0x0c

async function strippedWebp(window: Window): Promise<Piece[]> {
  const { pieces, keep, put } = openPieces()
  const riff = Buffer.from(await window.need(0, 12))
  put(riff)
  const stated = Math.min(window.size, 8 + riff.readUInt32LE(4))
  let size = 4
  for (let at = 12; at + 8 <= stated;) {
    const head = window.peek(at, 8) ?? (await window.need(at, 8))
    const type = head.toString('latin1', 0, 4)
    const length = head.readUInt32LE(4)
    const end = at + 8 + length + (length % 2)
    if (end > window.size + 1) throw new BrokenPicture()
    if (WEBP_CHUNKS.has(type)) {
      size += end - at
      if (type !== 'VP8X') keep(at, Math.min(end, window.size))
      else {
        const features = Buffer.from(await window.need(at, end - at))
        features[8] = (features[8] ?? 0) & ~WEBP_METADATA
        put(features)
      }
      if (end > window.size) put(Buffer.alloc(1)) // the padding that it lacks
    }
    at = end
  }
  if (size === 4) throw new BrokenPicture()
  riff.writeUInt32LE(size, 4)
  return pieces
}

const [EXTENSION, IMAGE, TRAILER] = [0x21, 0x2c, 0x3b]
const [GIF_COMMENT, GIF_APPLICATION] = [0xfe, 0xff]
/** How often an animation repeats, and colours. */
const GIF_APPLICATIONS = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012'])

async function strippedGif(window: Window): Promise<Piece[]> {
  const { pieces, keep } = openPieces()
  const screen = await window.need(0, 13)
  let at = 13 + colorBytes(screen[10] ?? 0)
  keep(0, at)
  for (;;) {
    const from = at
    const [kind = 0] = window.peek(at, 1) ?? (await window.need(at, 1))
    if (kind === TRAILER) {
      keep(at, at + 1)
      return pieces
    }
    if (kind === IMAGE) {
      const image = await window.need(at, 10)
      at = await endOfBlocks(window, at + 11 + colorBytes(image[9] ?? 0))
      keep(from, at)
    } else if (kind === EXTENSION) {
      const [, label = 0] = await window.need(at, 2)
      const name = label === GIF_APPLICATION ? (await window.need(at, 14)).toString('latin1', 3, 14) : null
      at = await endOfBlocks(window, at + 2)
      if (label !== GIF_COMMENT && (name === null || GIF_APPLICATIONS.has(name))) keep(from, at)
    } else throw new BrokenPicture()
  }
}

/** Of the table of colours that these flags announce. */
const colorBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1))

async function endOfBlocks(window: Window, from: number): Promise<number> {
  for (let at = from; ;) {
    const [length = 0] = window.peek(at, 1) ?? (await window.need(at, 1))
    at += 1 + length
    if (length === 0) return at
  }
}
