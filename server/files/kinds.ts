import { extname } from 'node:path'
import { imageIn } from '#server/foundation/pictures.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { ANY_TYPE, typeByName } from './contentType.ts'

/** What the first bytes of a file say that it is. */
type Family = 'picture' | 'pdf' | 'zip' | 'ole' | 'binary' | 'other'

const begins = (...texts: readonly string[]) => texts.map(text => Buffer.from(text, 'latin1'))
const BEGINNINGS: readonly (readonly [Family, readonly Buffer[]])[] = [
  ['zip', begins('PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08')],
  ['ole', begins('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')],
  // gzip, bzip2, xz, 7z, RAR, ELF, Mach-O, programs of Windows, WebAssembly, SQLite, Java
  [
    'binary',
    begins(
      ...['\x1f\x8b', 'BZh', '\xfd7zXZ\0', "7z\xbc\xaf'\x1c", 'Rar!\x1a', '\x7fELF', '\xcf\xfa\xed\xfe', 'MZ\x90\0'],
      ...['\0asm', 'SQLite format 3\0', '\xca\xfe\xba\xbe', 'II*\0', 'MM\0*', 'ID3', 'OggS', '\x1aE\xdf\xa3'],
    ),
  ],
]
/** Where a PDF may say so. */
const PDF_HEAD = 1024

function familyOf(head: Buffer): Family {
  if (imageIn(head) !== null) return 'picture'
  if (head.subarray(0, PDF_HEAD).includes('%PDF-')) return 'pdf'
  return BEGINNINGS.find(([, texts]) => texts.some(text => head.subarray(0, text.length).equals(text)))?.[0] ?? 'other'
}

const group = (family: Family | null, ends: string): [string, Family | null][] =>
  ends.split(' ').map(end => [end, family])

/** By the end of the name. Null: any text. Office files with a password begin as older ones do. */
const EXPECTED = new Map<string, Family | null>([
  ...group('picture', 'png jpg jpeg jfif gif webp avif'),
  ...group('pdf', 'pdf'),
  ...group('zip', 'docx xlsx pptx odt ods odp epub zip'),
  ...group('ole', 'doc xls ppt'),
  ...group(
    null,
    'txt md csv tsv tex json xml html htm svg css js ts py c cpp cs java rb sh php go rs yaml yml eml log',
  ),
])
const OFFICE = new Set(['docx', 'xlsx', 'pptx'])

export type Kind = { content_type: string; width: number | null; height: number | null }

/**
 * What a file is, by its first bytes. Refuses one that they show to be something else than its name says: a page in
 * place of a picture, a program in place of a text. Of a picture the bytes alone count; one may be named as another.
 */
export function requireKind(name: string, head: Buffer): Kind {
  const end = extname(name).slice(1).toLowerCase()
  const family = familyOf(head)
  const expected = EXPECTED.get(end)
  const isAsNamed =
    expected === undefined ||
    (expected === null ? family === 'other' : family === expected || (family === 'ole' && OFFICE.has(end)))
  if (!isAsNamed) throw new Refusal('fileKindDiffers', { name })
  const picture = imageIn(head)
  if (picture !== null) return picture
  if (family === 'pdf') return { content_type: 'application/pdf', width: null, height: null }
  const byName = typeByName(name)
  const content_type = byName === ANY_TYPE && family === 'other' && !head.includes(0) ? 'text/plain' : byName
  return { content_type: content_type.startsWith('image/') ? ANY_TYPE : content_type, width: null, height: null }
}
