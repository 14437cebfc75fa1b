import { randomUUID } from 'node:crypto'

/** A file of an account. */
export type WebFile = {
  id: string
  name: string
  mime_type: string
  use_case: string
  /** Announced bytes. */
  size: number
  /** Bytes that have arrived. */
  received: number
  /** MD5 of what has arrived, in base64, as the storage host answers it; null of a file that was never sent. */
  md5: string | null
  /** `complete` files can be used and downloaded. */
  state: 'announced' | 'sent' | 'complete'
  /** The whole content of generated files; only the beginning of uploaded ones, whose rest is just counted. */
  content: () => Uint8Array
  /** Bytes of it in memory. */
  kept_bytes: number
  /** The secret part of its addresses on the storage host. */
  signature: string
}

/** How the service names files: file-3fa8..., or as since 2025 file_000000003fa8.... */
export type FileIds = 'hyphen' | 'underscore'

export function newFile(of: Pick<WebFile, 'name' | 'size' | 'use_case'>, ids: FileIds = 'hyphen'): WebFile {
  const random = randomUUID().replaceAll('-', '').slice(0, 24)
  return {
    ...of,
    id: ids === 'hyphen' ? `file-${random}` : `file_00000000${random}`,
    mime_type: mimeTypeOf(of.name),
    received: 0,
    md5: null,
    state: 'announced',
    content: () => Buffer.alloc(0),
    kept_bytes: 0,
    signature: randomUUID(),
  }
}

/** A file that is complete from the start. Its content may be made each time it is read. */
export function completeFile(
  name: string,
  content: Uint8Array | (() => Uint8Array),
  use_case = 'my_files',
  ids: FileIds = 'hyphen',
): WebFile {
  const read = typeof content === 'function' ? content : () => content
  const size = read().length
  const kept_bytes = typeof content === 'function' ? 0 : size
  return { ...newFile({ name, size, use_case }, ids), received: size, state: 'complete', content: read, kept_bytes }
}

const MIME_TYPES: Record<string, string> = {
  csv: 'text/csv; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  json: 'application/json',
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
}

function mimeTypeOf(name: string): string {
  return MIME_TYPES[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream'
}
