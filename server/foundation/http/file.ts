import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ArrivingFile, fileOfForm } from './multipartFile.ts'

/** Milliseconds: without a byte, for the whole file, and for what still comes of one that has been refused. */
const TIMES = { pause: 30_000, whole: 3_600_000, refused: 10_000 }

const sendingFiles = new WeakSet<Socket>()

/** Whether a file is being sent there, which may take longer than any other request. */
export const isSendingFile = (socket: Socket): boolean => sendingFiles.has(socket)

/** Leaves the body of a call that takes a file where it is: on its way. */
export function leaveBodies(scope: FastifyInstance): FastifyInstance {
  scope.removeContentTypeParser('multipart/form-data')
  scope.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null))
  return scope
}

/** Streams the one file of a request to `work`. A client that stalls is cut off; if `work` ends before the file does, the rest is discarded. */
export async function withFile<T>(
  { raw, headers }: FastifyRequest,
  work: (file: ArrivingFile) => T | Promise<T>,
): Promise<T> {
  const { socket } = raw
  const release = holdToTime(raw)
  sendingFiles.add(socket)
  try {
    return await work(await fileOfForm(raw, headers['content-type']))
  } finally {
    release()
    sendingFiles.delete(socket)
    if (!raw.readableEnded) throwAway(raw)
  }
}

/** Cuts off a client that stalls although it could send, or that takes too long in all, until released. */
function holdToTime(raw: IncomingMessage): () => void {
  const tooLong = setTimeout(() => raw.destroy(), TIMES.whole)
  // While it is paused it waits for us.
  const stalled = setTimeout(() => (raw.isPaused() ? stalled.refresh() : raw.destroy()), TIMES.pause)
  const goesOn = () => {
    stalled.refresh()
  }
  raw.on('data', goesOn).on('resume', goesOn)
  return () => {
    raw.off('data', goesOn).off('resume', goesOn)
    clearTimeout(stalled)
    clearTimeout(tooLong)
  }
}

/** A sender reads the answer when it has sent everything, or when the connection ends: for a while the former may come. */
function throwAway(raw: IncomingMessage): void {
  const cut = setTimeout(() => raw.destroy(), TIMES.refused)
  raw.once('close', () => clearTimeout(cut))
  raw.unpipe().resume()
}

/** An opened file: read once, whole or from one byte to another, or only closed. A FileHandle of Node is one. */
export type FileContent = { createReadStream(part?: Part): Readable; close(): Promise<void> }

/** First and last byte. */
type Part = { start: number; end: number }

/** `tag` names the content: another content has another one. */
type Described = { content: FileContent; size: number; content_type: string; name: string; tag: string }

/** In place of a result: a file that is to be saved, under this name. */
export class FileAnswer {
  readonly content: FileContent
  readonly size: number
  readonly tag: string
  readonly head: Record<string, string>

  constructor({ content, size, content_type, name, tag }: Described) {
    this.content = content
    this.size = size
    this.tag = `"${tag}"`
    this.head = {
      'content-type': content_type,
      'content-disposition': attachmentNamed(name),
      'accept-ranges': 'bytes',
      etag: this.tag,
      // Whatever it is: opened under our address it is nobody's page, and runs nothing.
      'content-security-policy': "sandbox; default-src 'none'",
    }
  }
}

/** The whole file with 200, the part that was asked for with 206, or 416 when the file ends before it; to HEAD, what GET would say of the whole. */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { content, size, tag, head }: FileAnswer,
): Promise<FastifyReply> {
  const { method, headers } = request
  const part = method === 'HEAD' ? null : partOf(headers.range, headers['if-range'], { size, tag })
  reply.headers(head)
  if (method === 'HEAD' || part === 'beyond') await content.close()
  if (method === 'HEAD') return reply.header('content-length', size).send('')
  if (part === 'beyond') {
    request.verdict = 416
    return reply.code(416).header('content-range', `bytes */${size}`).send('')
  }
  if (part === null) return reply.header('content-length', size).send(content.createReadStream())
  const { start, end } = part
  return reply
    .code(206)
    .headers({ 'content-range': `bytes ${start}-${end}/${size}`, 'content-length': end - start + 1 })
    .send(content.createReadStream(part))
}

/**
 * RFC 9110, section 14. One part only: who asks for several at once gets the whole, and so does who asks in a way that is not understood, or for
 * a part of another content than there is now.
 */
function partOf(
  range: string | undefined,
  ifRange: string | string[] | undefined,
  { size, tag }: { size: number; tag: string },
): Part | 'beyond' | null {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(range?.trim() ?? '') ?? []
  if ((first === '' && last === '') || (ifRange !== undefined && ifRange !== tag)) return null
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
