import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type RefusalKey, REFUSALS } from '#contract/refusals.ts'
import { envelopeOf, Refusal } from '../refusal.ts'
import { isSendingFile } from './upload.ts'

/** Of refusals whose code is -1; of any other of those it is 400. */
const STATUSES: Partial<Record<RefusalKey, number>> = {
  timeout: 408,
  fileTooLarge: 413,
  tooManyRequests: 429,
  tooManySignInAttempts: 429,
  askedTooOften: 429,
  queueFull: 429,
  conversationNotFound: 404,
  messageNotFound: 404,
  askNotFound: 404,
  internal: 500,
  arkoseError: 502,
  unknownError: 500,
  serverStopping: 503,
  diskFull: 507,
  diskNotWritable: 503,
  databaseUnreachable: 503,
}

/** The HTTP status of a refusal, for what is answered outside the envelope, where every status is 200. */
export function statusOf(key: RefusalKey): number {
  const { code } = REFUSALS[key]
  switch (code) {
    case 10401:
      return 401
    case 10403:
      return 403
    case -1:
      return STATUSES[key] ?? 400
    default:
      return code
  }
}

/**
 * What is no HTTP at all, or too slow, or has too large headers: answered as well as can be, then cut. A file has
 * deadlines of its own.
 */
export function badRequest(error: { code: string }, socket: Socket): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isSendingFile(socket)) return
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const refusal = new Refusal(error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'timeout' : 'invalidRequest')
  socket.end(rawAnswer(refusal, error.code === 'HPE_HEADER_OVERFLOW' ? 431 : statusOf(refusal.key)))
}

/** An answer in bytes, for a connection that is closed after it: there is no reply of Fastify to send it by. */
export function rawAnswer(refusal: Refusal, status = statusOf(refusal.key)): string {
  const body = JSON.stringify(envelopeOf(refusal))
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'connection: close',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    '',
    body,
  ].join('\r\n')
}
