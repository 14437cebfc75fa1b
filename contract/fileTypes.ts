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

/** What a file's extension says it is; undefined for one that such a model does not read. */
export function readTypeOf(name: string): string | undefined {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(KNOWN, extension) ? KNOWN[extension] : undefined
}

/** All that such a model reads: extensions, then types. */
export const READ_EXTENSIONS: readonly string[] = Object.keys(KNOWN)
export const READ_TYPES: readonly string[] = [...READ]

export const isReadType = (mime_type: string): boolean => READ.has(mime_type)
export const isPictureType = (mime_type: string): boolean => PICTURE_TYPES.has(mime_type)
