import { Unreadable } from '../unreadable.ts'

/** Of JPEG: below, text on a photograph frays. */
const QUALITY = 0.86
/** A JPEG loses what a PNG keeps; it is taken where it is less than this share of it. */
const WORTH_LOSING = 0.6

/** A canvas as a file of a type that every model takes: what is transparent, or drawn of few colours, as PNG. */
export async function encoded(canvas: OffscreenCanvas, { hasAlpha }: { hasAlpha: boolean }): Promise<Blob> {
  const png = await converted(canvas, { type: 'image/png' })
  if (hasAlpha) return png
  const jpeg = await converted(canvas, { type: 'image/jpeg', quality: QUALITY })
  return jpeg.size < png.size * WORTH_LOSING ? jpeg : png
}

export async function encodedJpeg(canvas: OffscreenCanvas, quality = QUALITY): Promise<Blob> {
  return converted(canvas, { type: 'image/jpeg', quality })
}

async function converted(canvas: OffscreenCanvas, options: ImageEncodeOptions): Promise<Blob> {
  try {
    return await canvas.convertToBlob(options)
  } catch (cause) {
    throw new Unreadable('failed', {}, { cause })
  }
}
