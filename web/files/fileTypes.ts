import { PICTURE_MODELS } from '#contract/files.ts'

/** The types that a model which sees pictures reads, by file extension: the type a browser gives differs between systems. */
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

/** The MIME type of a file: by its extension, else the browser's, as for a picture from the clipboard. */
export function typeOf({ name, type }: Pick<File, 'name' | 'type'>): string {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  return (Object.hasOwn(KNOWN, extension) ? KNOWN[extension] : undefined) ?? (type || ANY_TYPE)
}

export function isPicture(mime_type: string): boolean {
  return PICTURE_TYPES.has(mime_type)
}

/** Such a model gets pictures as parts of the question, and reads some types of files only. */
export function seesPictures(model: string): boolean {
  return PICTURE_MODELS.includes(model)
}

export function isReadBy(model: string, mime_type: string): boolean {
  return !seesPictures(model) || READ.has(mime_type)
}

/** For a file input; undefined accepts any type. */
export function acceptOf(model: string): string | undefined {
  return seesPictures(model) ? [...Object.keys(KNOWN).map(extension => `.${extension}`), ...READ].join() : undefined
}
