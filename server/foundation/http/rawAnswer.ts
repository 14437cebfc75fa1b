import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { isSendingFile } from './upload.ts'
import { statusOf } from './status.ts'
import { Refusal, envelopeOf } from '../refusal.ts'

/** What is no HTTP at all, or too slow, or has too large headers: answered as well as can be, then cut. A file has deadlines of its own. */
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
