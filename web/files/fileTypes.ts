import { PICTURE_MODELS } from '#contract/files.ts'

/**
 * What a model that looks at pictures reads, by the end of the name: what a browser makes of a name differs from system to system. The pictures are
 * those that it is shown as pictures.
 */
const TEXTS: Readonly<Record<string, string>> = {
  cs: 'text/x-csharp',
  java: 'text/x-java',
  sh: 'text/x-sh',
  ts: 'text/x-typescript',
  pdf: 'application/pdf',
  txt: 'text/plain',
  json: 'application/json',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  js: 'text/javascript',
  c: 'text/x-c',
  cpp: 'text/x-c++',
  rb: 'text/x-ruby',
  tex: 'text/x-tex',
  php: 'text/x-php',
  html: 'text/html',
  py: 'text/x-script.python',
  md: 'text/markdown',
}
const PICTURES: Readonly<Record<string, string>> = {
  png: 'image/png',
  webp: 'image/webp',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
}

const KNOWN: Readonly<Record<string, string>> = { ...TEXTS, ...PICTURES }
const READ = new Set(Object.values(KNOWN))
const PICTURE_TYPES = new Set(Object.values(PICTURES))

const ANY_TYPE = 'application/octet-stream'

/** The MIME type of a file; a picture from the clipboard may have no name that tells. */
export function typeOf({ name, type }: Pick<File, 'name' | 'type'>): string {
  const end = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  return (Object.hasOwn(KNOWN, end) ? KNOWN[end] : undefined) ?? (type || ANY_TYPE)
}

export function isPicture(mime_type: string): boolean {
  return PICTURE_TYPES.has(mime_type)
}

/** Such a model is shown pictures as such, and reads some kinds of files only. */
export function looksAtPictures(model: string): boolean {
  return PICTURE_MODELS.includes(model)
}

export function isReadBy(model: string, mime_type: string): boolean {
  return !looksAtPictures(model) || READ.has(mime_type)
}

/** For a file chooser; undefined: anything. */
export function acceptOf(model: string): string | undefined {
  return looksAtPictures(model) ? [...Object.keys(KNOWN).map(end => `.${end}`), ...READ].join() : undefined
}
