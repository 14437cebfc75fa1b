import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type ArrivingFile, fileOfForm } from './multipartFile.ts'

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

/** Streams the one file of a request to `work`. A client that stalls is cut off; if `work` ends before the file does, the rest is discarded. */
export async function withFile<T>(
  { raw, headers }: FastifyRequest,
  work: (file: ArrivingFile) => T | Promise<T>,
): Promise<T> {
  const { socket } = raw
  const release = enforceDeadlines(raw)
  sendingFiles.add(socket)
  try {
    return await work(await fileOfForm(raw, headers['content-type']))
  } finally {
    release()
    sendingFiles.delete(socket)
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

/** A sender reads the answer when it has sent everything, or when the connection ends: for a while the former may come. */
function discardRest(raw: IncomingMessage): void {
  const cut = setTimeout(() => raw.destroy(), TIMES.refused)
  raw.once('close', () => clearTimeout(cut))
  raw.unpipe().resume()
}
