import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { isSendingFile } from './file.ts'
import { Refusal, envelopeOf } from '../refusal.ts'

/** Names each request for the log and for whoever reports an error: eight random characters of this process and a number. */
export function requestIds(): () => string {
  const process = randomBytes(6).toString('base64url')
  let count = 0
  return () => `${process}-${(++count).toString(36)}`
}

/** What is no HTTP at all, or too slow, or has too large headers: answered as well as can be, then cut. A file has deadlines of its own. */
export function badRequest(error: { code: string }, socket: Socket): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isSendingFile(socket)) return
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  socket.end(
    rawAnswer(
      STATUS[error.code] ?? 400,
      new Refusal(error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'timeout' : 'invalidRequest'),
    ),
  )
}

const STATUS: Record<string, number> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 }

const REASONS: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  408: 'Request Timeout',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

/** An answer for a connection on which nothing else will be said. */
export function rawAnswer(status: number, refusal: Refusal): string {
  const body = JSON.stringify(envelopeOf(refusal))
  return [
    `HTTP/1.1 ${status} ${REASONS[status] ?? ''}`,
    'connection: close',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    '',
    body,
  ].join('\r\n')
}
