import { isPictureType, isReadType, READ_EXTENSIONS, READ_TYPES, readTypeOf, PICTURE_MODELS } from '#contract/files.ts'

const ANY_TYPE = 'application/octet-stream'

/** The MIME type of a file: by its extension, else the browser's, as for a picture from the clipboard. */
export function typeOf({ name, type }: Pick<File, 'name' | 'type'>): string {
  return readTypeOf(name) ?? (type || ANY_TYPE)
}

export function isPicture(mime_type: string): boolean {
  return isPictureType(mime_type)
}

/** Whether a model gets pictures as parts of the question. Such a model reads only some other types of files. */
export function seesPictures(model: string): boolean {
  return PICTURE_MODELS.includes(model)
}

export function isReadBy(model: string, mime_type: string): boolean {
  return !seesPictures(model) || isReadType(mime_type)
}

/** The `accept` of a file input; undefined accepts any type. */
export function acceptOf(model: string): string | undefined {
  return seesPictures(model) ? [...READ_EXTENSIONS.map(extension => `.${extension}`), ...READ_TYPES].join() : undefined
}
