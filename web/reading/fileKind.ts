import type { DocumentFormat } from './reading.ts'
import { extensionOf } from './fileName.ts'

/** What a file is, by its first bytes; its name decides only between texts. */
export type FileKind =
  | { kind: 'picture'; type: PictureType }
  /** A zip: its entries say of what. */
  | { kind: 'archive' }
  | { kind: 'pdf' }
  /** Of the old Office, or of the new one behind a password. */
  | { kind: 'compound' }
  | { kind: 'text'; format: DocumentFormat; type: string }
  | { kind: 'notTaken' }

export type PictureType =
  | 'image/jpeg'
  | 'image/png'
  | 'image/gif'
  | 'image/webp'
  | 'image/avif'
  | 'image/bmp'
  | 'image/heic'
  /** Pictures of whose size nothing is known before they are decoded, and that hardly any browser decodes. */
  | 'image/tiff'
  | 'image/jxl'

type Signature = { at?: number; bytes: string; kind: FileKind }

const picture = (type: PictureType): FileKind => ({ kind: 'picture', type })
const NOT_TAKEN: FileKind = { kind: 'notTaken' }

const SIGNATURES: readonly Signature[] = [
  { bytes: '\xff\xd8\xff', kind: picture('image/jpeg') },
  { bytes: '\x89PNG\r\n\x1a\n', kind: picture('image/png') },
  { bytes: 'GIF87a', kind: picture('image/gif') },
  { bytes: 'GIF89a', kind: picture('image/gif') },
  { at: 8, bytes: 'WEBPVP8', kind: picture('image/webp') },
  { bytes: 'II*\0', kind: picture('image/tiff') },
  { bytes: 'MM\0*', kind: picture('image/tiff') },
  { bytes: '\xff\x0a', kind: picture('image/jxl') },
  { bytes: '\0\0\0\x0cJXL ', kind: picture('image/jxl') },
  { bytes: 'PK\x03\x04', kind: { kind: 'archive' } },
  { bytes: 'PK\x05\x06', kind: NOT_TAKEN },
  { bytes: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', kind: { kind: 'compound' } },
  { bytes: 'MZ', kind: NOT_TAKEN },
  { bytes: '\x7fELF', kind: NOT_TAKEN },
  { bytes: '\x1f\x8b', kind: NOT_TAKEN },
  { bytes: '7z\xbc\xaf', kind: NOT_TAKEN },
  { bytes: 'Rar!', kind: NOT_TAKEN },
  { bytes: 'ID3', kind: NOT_TAKEN },
  { bytes: 'OggS', kind: NOT_TAKEN },
  { bytes: 'SQLite format 3', kind: NOT_TAKEN },
]

const HEIC = /^(?:hei[cmsx]|hev[cmsx]|mif1|msf1)$/
/** How far a PDF may begin behind other bytes. */
const PDF_WITHIN = 1_024

export function fileKindOf(head: Uint8Array, name: string): FileKind {
  const start = String.fromCharCode(...head.subarray(0, PDF_WITHIN))
  if (start.startsWith('BM') && isBitmap(head)) return picture('image/bmp')
  if (start.startsWith('ftyp', 4)) return ofBrand(start)
  const signature = SIGNATURES.find(({ at = 0, bytes }) => start.startsWith(bytes, at))
  // Two letters alone may begin a text.
  if (signature !== undefined && (signature.bytes !== 'MZ' || head.includes(0))) return signature.kind
  if (start.includes('%PDF-')) return { kind: 'pdf' }
  return ofText(start, extensionOf(name))
}

/** The size of a bitmap's header stands in it. */
function isBitmap(head: Uint8Array): boolean {
  return [12, 40, 52, 56, 64, 108, 124].includes(head[14] ?? 0) && head[15] === 0 && head[16] === 0
}

/** AVIF, HEIC and films are of one family; the kind of a file is among its brands. */
function ofBrand(start: string): FileKind {
  const size = Math.min(start.length, Math.max(16, start.charCodeAt(3) + 256 * start.charCodeAt(2)))
  const brands = [start.slice(8, 12), ...(start.slice(16, size).match(/[^]{4}/g) ?? [])]
  if (brands.some(brand => brand === 'avif' || brand === 'avis')) return picture('image/avif')
  return brands.some(brand => HEIC.test(brand)) ? picture('image/heic') : NOT_TAKEN
}

const TEXTS: readonly { extensions: string; format: DocumentFormat; type: string }[] = [
  { extensions: 'eml mht mhtml', format: 'mail', type: 'message/rfc822' },
  { extensions: 'html htm xhtml', format: 'webPage', type: 'text/html' },
  { extensions: 'md markdown mdx', format: 'markdown', type: 'text/markdown' },
  { extensions: 'csv tsv', format: 'csv', type: 'text/csv' },
  { extensions: 'txt text log', format: 'text', type: 'text/plain' },
]
const CODE = new Set(
  `astro bash bat c cc cfg clj cmake cpp cs css dart diff dockerfile ex exs f90 fs go gradle graphql groovy h hpp hs ini
  ipynb java jl js json jsonc json5 jsonl jsx kt less lua m makefile mjs mm nim nix patch php pl properties proto ps1 py r
  rb rs sass scala scss sh sol sql srt svelte svg swift tex tf toml ts tsx vb vtt vue xml yaml yml zig`.split(/\s+/),
)
const MAIL_HEAD = /^(?:[A-Za-z][\w-]{1,40}:[^\n]*\r?\n(?:[ \t][^\n]*\r?\n)*){3}/

function ofText(start: string, extension: string): FileKind {
  const known = TEXTS.find(({ extensions }) => extensions.split(' ').includes(extension))
  if (known !== undefined) return { kind: 'text', format: known.format, type: known.type }
  if (CODE.has(extension)) return { kind: 'text', format: 'code', type: 'text/plain' }
  if (/^\s*<(?:!doctype html|html)\b/i.test(start)) return { kind: 'text', format: 'webPage', type: 'text/html' }
  if (MAIL_HEAD.test(start) && /^(?:received|from|subject|mime-version):/im.test(start))
    return { kind: 'text', format: 'mail', type: 'message/rfc822' }
  return { kind: 'text', format: 'text', type: 'text/plain' }
}
