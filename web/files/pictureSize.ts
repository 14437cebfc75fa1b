import { isPicture } from './fileTypes.ts'

/** Pixels; nothing for what is no picture, or none that this browser can read. */
export async function pictureSize(file: File, mime_type: string): Promise<{ width: number; height: number } | null> {
  if (!isPicture(mime_type)) return null
  try {
    const picture = await createImageBitmap(file)
    const { width, height } = picture
    picture.close()
    return { width, height }
  } catch {
    return null
  }
}
