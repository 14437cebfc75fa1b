import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { HttpAnswer } from './route.ts'

/** An opened file: read once, whole or from one byte to another, or only closed. A FileHandle of Node is one. */
export type FileContent = { createReadStream(part?: Part): Readable; close(): Promise<void> }

/** First and last byte. */
type Part = { start: number; end: number }

/**
 * A file that is to be saved under its name, or shown where it is a picture. `tag` names the content: another content
 * has another one.
 */
export type Download = {
  content: FileContent
  size: number
  content_type: string
  name: string
  tag: string
  isShown?: boolean
}

/**
 * The whole file with 200, a picture that the reader has with 304, the part that was asked for with 206, or 416 when
 * the file ends before it; to HEAD, what GET would say of the whole.
 */
export async function downloadAnswer(
  { method, headers }: Pick<FastifyRequest, 'method' | 'headers'>,
  { content, size, content_type, name, tag, isShown = false }: Download,
): Promise<HttpAnswer> {
  const etag = `"${tag}"`
  const head = {
    'content-type': content_type,
    'content-disposition': isShown ? attachmentNamed(name).replace('attachment', 'inline') : attachmentNamed(name),
    'accept-ranges': 'bytes',
    etag,
    // Whatever it is: opened under our address it is nobody's page, and runs nothing.
    'content-security-policy': "sandbox; default-src 'none'",
    // A picture stands in a page that is opened again and again; whether it may still be seen is asked each time.
    ...(isShown && { 'cache-control': 'private, no-cache', vary: 'Cookie' }),
  }
  if (isShown && headers['if-none-match'] === etag) {
    await content.close()
    return { status: 304, headers: head, body: '' }
  }
  const part = method === 'HEAD' ? null : partOf(headers.range, headers['if-range'], { size, etag })
  if (method === 'HEAD' || part === 'beyond') await content.close()
  if (method === 'HEAD') return { status: 200, headers: { ...head, 'content-length': size }, body: '' }
  if (part === 'beyond') return { status: 416, headers: { ...head, 'content-range': `bytes */${size}` }, body: '' }
  if (part === null)
    return { status: 200, headers: { ...head, 'content-length': size }, body: content.createReadStream() }
  const { start, end } = part
  return {
    status: 206,
    headers: { ...head, 'content-range': `bytes ${start}-${end}/${size}`, 'content-length': end - start + 1 },
    body: content.createReadStream(part),
  }
}

/**
 * RFC 9110, section 14. One part only: who asks for several at once gets the whole, and so does who asks in a way that
 * is not understood, or for a part of another content than there is now.
 */
function partOf(
  range: string | undefined,
  ifRange: string | string[] | undefined,
  { size, etag }: { size: number; etag: string },
): Part | 'beyond' | null {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(range?.trim() ?? '') ?? []
  if ((first === '' && last === '') || (ifRange !== undefined && ifRange !== etag)) return null
  if (first === '')
    return Number(last) === 0 || size === 0 ? 'beyond' : { start: Math.max(0, size - Number(last)), end: size - 1 }
  const [start, end] = [Number(first), last === '' ? size - 1 : Math.min(Number(last), size - 1)]
  if (last !== '' && Number(last) < start) return null
  return start >= size ? 'beyond' : { start, end }
}

/** RFC 6266: the name in ASCII for old readers, and in full (RFC 8187) for all others. */
export function attachmentNamed(name: string): string {
  const inFull = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${name.replaceAll(/[^ -~]|["\\%]/gu, '_')}"; filename*=UTF-8''${inFull}`
}

/** A CSV file, sent while its lines are made. Spreadsheets take it for UTF-8 by the mark it begins with. */
export function csvAnswer(name: string, lines: AsyncIterable<string> | Iterable<string>): HttpAnswer {
  async function* marked(): AsyncGenerator<string> {
    yield '\uFEFF'
    yield* lines
  }
  return {
    status: 200,
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': attachmentNamed(name),
      'content-security-policy': "sandbox; default-src 'none'",
    },
    body: Readable.from(marked(), { objectMode: false, highWaterMark: 1 }),
  }
}
