import { extname } from 'node:path'
import { imageIn } from '#server/foundation/pictures.ts'

export const ANY_TYPE = 'application/octet-stream'

/** Types by file extension; none that a browser would execute. */
const TYPES: Readonly<Record<string, string>> = {
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  tex: 'text/x-tex',
  c: 'text/x-c',
  cpp: 'text/x-c++',
  cs: 'text/x-csharp',
  java: 'text/x-java',
  py: 'text/x-python',
  rb: 'text/x-ruby',
  sh: 'text/x-sh',
  ts: 'text/x-typescript',
  json: 'application/json',
  pdf: 'application/pdf',
  zip: 'application/zip',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  epub: 'application/epub+zip',
  eml: 'message/rfc822',
}
const PICTURES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
}

type Detected = { content_type: string; width: number | null; height: number | null }

/** Pictures by their first bytes, other files by name. */
export function detectType(name: string, head: Buffer): Detected {
  return imageIn(head) ?? { content_type: lookedUp(TYPES, name) ?? ANY_TYPE, width: null, height: null }
}

/** For files whose content this server never sees. */
export const typeByName = (name: string): string => lookedUp(TYPES, name) ?? lookedUp(PICTURES, name) ?? ANY_TYPE

function lookedUp(types: Readonly<Record<string, string>>, name: string): string | undefined {
  const end = extname(name).slice(1).toLowerCase()
  return Object.hasOwn(types, end) ? types[end] : undefined
}
