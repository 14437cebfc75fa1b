import { BOUNDS, type ReadPicture } from '../reading.ts'
import type { PictureType } from '../fileKind.ts'
import { sha256Of } from '../sha256.ts'
import { Unreadable } from '../unreadable.ts'
import { encoded, encodedJpeg } from './encode.ts'
import { headerOf, type PictureHeader } from './header.ts'
import { stripped } from './strip.ts'

/** Pixels of the longest side of the small picture in the composer, for screens of twice the density. */
const THUMBNAIL_SIDE = 192
/** What models take as it is; of other types another one is made. */
const TAKEN: ReadonlySet<PictureType> = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif'])
/** A picture that was taken as it is, is encoded again only where that saves a fifth. */
const WORTH_ENCODING = 0.8

export type PictureResult = Omit<ReadPicture, 'kind' | 'name'>

/** Turns a picture upright, scales it down, and takes from it what the camera noted. */
export async function readPicture(file: Blob, type: PictureType, maxSide: number): Promise<PictureResult> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const header = headerOf(bytes, type)
  if (header === null) throw new Unreadable(type === 'image/heic' ? 'cannotDecodeHeic' : undecodable(type), { type })
  refuseTooLarge(header)
  const bitmap = await decoded(new Blob([bytes], { type }), header, type, maxSide)
  try {
    const canvas = drawn(bitmap, Math.min(1, maxSide / Math.max(bitmap.width, bitmap.height)))
    const original =
      TAKEN.has(type) && header.orientation === 1 && header.frames === 1 && isWhole(bitmap, header, canvas)
        ? stripped(bytes, type)
        : null
    const result = await smallest(original, canvas, type)
    return {
      type: result.type,
      bytes: result,
      width: canvas.width,
      height: canvas.height,
      sha256: await sha256Of(new Uint8Array(await result.arrayBuffer())),
      thumbnail: await thumbnailOf(canvas, type),
      frames: header.frames,
    }
  } finally {
    bitmap.close()
  }
}

/** A type that no browser decodes, or a file of a known type that is broken. */
const undecodable = (type: PictureType) => (type === 'image/tiff' || type === 'image/jxl' ? 'cannotDecode' : 'broken')

export function refuseTooLarge({ width, height, frames }: PictureHeader): void {
  if (width * height > BOUNDS.pixels)
    throw new Unreadable('tooManyPixels', { width, height, most: BOUNDS.pixels / 1e6 })
  if (frames > BOUNDS.frames) throw new Unreadable('tooManyFrames', { count: frames, most: BOUNDS.frames })
}

/** The first frame, upright. The browser scales while it draws, so that the whole is not kept beside the result. */
async function decoded(file: Blob, header: PictureHeader, type: PictureType, maxSide: number): Promise<ImageBitmap> {
  const isTurned = header.orientation >= 5
  const [width, height] = isTurned ? [header.height, header.width] : [header.width, header.height]
  const scale = Math.min(1, maxSide / Math.max(width, height))
  try {
    return await createImageBitmap(file, {
      imageOrientation: 'from-image',
      ...(scale < 1 && {
        resizeWidth: Math.max(1, Math.round(width * scale)),
        resizeHeight: Math.max(1, Math.round(height * scale)),
        resizeQuality: 'high' as const,
      }),
    })
  } catch (cause) {
    if (type === 'image/heic') throw new Unreadable('cannotDecodeHeic', { type }, { cause })
    throw new Unreadable(type === 'image/avif' ? 'cannotDecode' : 'broken', { type }, { cause })
  }
}

function drawn(bitmap: ImageBitmap, scale: number): OffscreenCanvas {
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(bitmap.width * scale)),
    Math.max(1, Math.round(bitmap.height * scale)),
  )
  const context = canvas.getContext('2d')
  if (context === null) throw new Unreadable('failed')
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  return canvas
}

const isWhole = (bitmap: ImageBitmap, { width, height }: PictureHeader, canvas: OffscreenCanvas) =>
  bitmap.width === width && bitmap.height === height && canvas.width === width && canvas.height === height

async function smallest(original: Blob | null, canvas: OffscreenCanvas, type: PictureType): Promise<Blob> {
  const hasAlpha = type !== 'image/jpeg' && isTransparent(canvas)
  // A JPEG is a photograph already, and only a scaled or turned one has to be encoded.
  const made =
    type === 'image/jpeg'
      ? await encodedJpeg(canvas)
      : hasAlpha && original !== null
        ? null
        : await encoded(canvas, { hasAlpha })
  if (original === null) return made ?? encoded(canvas, { hasAlpha })
  return made !== null && made.size < original.size * WORTH_ENCODING ? made : original
}

/** Rows that are looked through at once. */
const ROWS = 64

function isTransparent(canvas: OffscreenCanvas): boolean {
  const context = canvas.getContext('2d')
  if (context === null) return false
  for (let top = 0; top < canvas.height; top += ROWS) {
    const { data } = context.getImageData(0, top, canvas.width, Math.min(ROWS, canvas.height - top))
    for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return true
  }
  return false
}

async function thumbnailOf(picture: OffscreenCanvas, type: PictureType): Promise<Blob> {
  const scale = Math.min(1, THUMBNAIL_SIDE / Math.max(picture.width, picture.height))
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(picture.width * scale)),
    Math.max(1, Math.round(picture.height * scale)),
  )
  const context = canvas.getContext('2d')
  if (context === null) throw new Unreadable('failed')
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return type === 'image/jpeg' ? encodedJpeg(canvas, 0.8) : encoded(canvas, { hasAlpha: isTransparent(canvas) })
}
