import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { finished, Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import { invalid } from '../refusal.ts'

/** Milliseconds: without a byte, for the whole file, and for what still comes of one that has been refused. */
const TIMES = { pause: 30_000, whole: 3_600_000, refused: 10_000 }

const sendingFiles = new WeakSet<Socket>()

/** Whether a file is being sent there, which may take longer than any other request. */
export const isSendingFile = (socket: Socket): boolean => sendingFiles.has(socket)

/** Leaves the body of an upload unread, so that the handler of its call can stream it. */
export function leaveBodies(scope: FastifyInstance): FastifyInstance {
  scope.removeContentTypeParser('multipart/form-data')
  scope.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null))
  return scope
}

/**
 * Streams the one file of a request to `work`. A client that stalls is cut off; if `work` ends before the file does,
 * the rest is discarded.
 */
export const withFile = <T>(request: FastifyRequest, work: (file: ArrivingFile) => T | Promise<T>): Promise<T> =>
  withBody(request, async ({ raw, headers }) => work(await fileOfForm(raw, headers['content-type'])))

/** The same of a body that `work` reads in a way of its own, and never destroys. */
export async function withBody<T>(request: FastifyRequest, work: (request: FastifyRequest) => Promise<T>): Promise<T> {
  const { raw } = request
  const { socket } = raw
  const release = enforceDeadlines(raw)
  sendingFiles.add(socket)
  try {
    return await work(request)
  } finally {
    release()
    sendingFiles.delete(socket)
    if (!raw.readableEnded) discardRest(raw)
  }
}

/** Leaves any body unread. */
export function leaveContent(scope: FastifyInstance): FastifyInstance {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
  return scope
}

/** Bytes that are held between the sender and whoever reads. */
const HELD = 256 * 1024

/**
 * Streams the body of a request to `work`, as it comes. A client that stalls is cut off; what fails on the way fails
 * the stream.
 */
export async function withContent<T>({ raw }: FastifyRequest, work: (content: Readable) => Promise<T>): Promise<T> {
  const { socket } = raw
  // Not the request itself: whoever reads may destroy it, and the sender would get no answer.
  const content = new Readable({ highWaterMark: HELD, read: () => void raw.resume() })
  content.on('error', () => {}) // nobody may be reading when it breaks off
  const take = (chunk: Buffer): void => {
    if (!content.push(chunk)) raw.pause()
  }
  const release = enforceDeadlines(raw)
  sendingFiles.add(socket)
  raw.pause().on('data', take)
  finished(raw, { writable: false }, error => {
    if (error) content.destroy(error)
    else content.push(null)
  })
  try {
    return await work(content)
  } finally {
    release()
    sendingFiles.delete(socket)
    raw.off('data', take)
    content.destroy()
    if (!raw.readableEnded) discardRest(raw)
  }
}

/** Cuts off a client that stalls although it could send, or that takes too long in all, until released. */
function enforceDeadlines(raw: IncomingMessage): () => void {
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

/**
 * A sender reads the answer when it has sent everything, or when the connection ends: for a while the former may come.
 */
function discardRest(raw: IncomingMessage): void {
  const cut = setTimeout(() => raw.destroy(), TIMES.refused)
  raw.once('close', () => clearTimeout(cut))
  raw.unpipe().resume()
}

/**
 * A file while it is sent. Nothing of it is kept in memory: whoever reads it decides where it goes, and may stop at any
 * time.
 */
export type ArrivingFile = {
  /** As the sender calls it: anything. */
  filename: string
  content: AsyncIterable<Buffer>
}

/** What may stand in a form; the head of its part in bytes. */
const LIMITS = { parts: 1, fields: 0, headerSize: 8 * 1024 }

/**
 * The one part of a multipart form, which must be a file of the field `file`. Refuses any other form, at the latest
 * when the content ends: a second part, or an end without its delimiter. Fails as `body` fails, and never destroys it:
 * whoever gave it unpipes it.
 */
export async function fileOfForm(body: Readable, type: string | undefined): Promise<ArrivingFile> {
  if (type === undefined) throw noFile()
  const form = new Busboy({ headers: { 'content-type': type }, limits: LIMITS, preservePath: true, isPartAFile })
  const { promise: whole, resolve, reject } = Promise.withResolvers<void>()
  form.on('fieldsLimit', () => reject(noFile()))
  form.on('partsLimit', () => reject(invalid(['body'], 'More than one file', 'form_invalid')))
  form.on('error', () => reject(invalid(['body'], 'Not a whole form', 'form_invalid')))
  form.on('finish', resolve)
  finished(body, error => {
    if (error) reject(error)
  })
  const file = new Promise<ArrivingFile>(found =>
    form.on('file', (_field, content, filename) => {
      whole.catch((cause: Error) => content.destroy(cause))
      content.on('error', () => {}) // nobody may be reading when it breaks off
      found({ filename, content: contentOf(content, whole) })
    }),
  )
  body.pipe(form)
  return Promise.race([
    file,
    whole.then(() => {
      throw noFile()
    }),
  ])
}

const noFile = () => invalid(['body', 'file'], 'No file', 'missing')

/** Browsers leave a file out by giving it no name. */
const isPartAFile = (field?: string, _type?: string, filename = ''): boolean => field === 'file' && filename !== ''

async function* contentOf(content: AsyncIterable<Buffer>, whole: Promise<void>): AsyncGenerator<Buffer> {
  try {
    yield* content
  } catch {
    // It fails only together with the form, which knows why.
  }
  await whole
}
