import { randomUUID } from 'node:crypto'

/** A file of an account. */
export type WebFile = {
  id: string
  name: string
  mime_type: string
  use_case: string
  /** Bytes that were announced. */
  size: number
  /** Bytes that have arrived. */
  received: number
  /** `complete` files can be used and downloaded. */
  state: 'announced' | 'sent' | 'complete'
  /** Of generated files everything, of others the beginning: the rest of a large one is only counted. */
  content: () => Uint8Array
}

export const newFileId = (): string => `file-${randomUUID().replaceAll('-', '').slice(0, 24)}`

/** A file that the upstream has made; its content is made when it is read. */
export function generatedFile(name: string, mime_type: string, content: () => Uint8Array, size: number): WebFile {
  return {
    id: newFileId(),
    name,
    mime_type,
    use_case: 'multimodal',
    size,
    received: size,
    state: 'complete',
    content,
  }
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

export function mimeTypeOf(name: string): string {
  return MIME_TYPES[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream'
}
