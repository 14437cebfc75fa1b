import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Journal, type JournalEntry, detailsOf } from '../foundation/journal.ts'
import { answerByFault } from './state/faults.ts'
import type { WebState } from './state/web.ts'
import type { WebFile } from './state/account.ts'

/** Bytes of a file that are kept. The rest is only counted, so that half a gigabyte needs no memory. */
const MAX_KEPT_BYTES = 4_000_000

/** Pages of other origins may send files here, as to the real storage. */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD, PUT, OPTIONS',
  'access-control-allow-headers': 'content-type, x-ms-blob-type, x-ms-version',
}

type Storage = { web: WebState; journal: Journal }

/** The storage host: takes and serves contents of files at addresses with a signature. It wants no token. */
export async function answerStorage(request: IncomingMessage, response: ServerResponse, { web, journal }: Storage) {
  const url = new URL(request.url ?? '/', 'http://storage')
  if (request.method === 'OPTIONS') return void response.writeHead(204, CORS).end()
  const { authorization = '' } = request.headers
  const path = `/storage${url.pathname}`
  const entry = journal.open({ path, authorization, body: null, web: detailsOf(request) }, 0)
  response.on('close', () => journal.end(entry, 'aborted'))

  const fault = web.takeFault('storage')
  if (fault !== undefined && answerByFault({ request, response }, fault)) return journal.end(entry, 'fault')
  const file = web.fileOf(url.pathname.slice(1))
  if (!file || url.searchParams.get('sig') !== file.signature)
    return refuse(response, 403, 'AuthenticationFailed', journal, entry)
  if (request.method === 'PUT') return receive(request, response, file, journal, entry)
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return refuse(response, 405, 'UnsupportedHttpVerb', journal, entry)
  if (file.state === 'announced') return refuse(response, 404, 'BlobNotFound', journal, entry)
  return send(request, response, file, journal, entry)
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  file: WebFile,
  journal: Journal,
  entry: JournalEntry,
) {
  if (request.headers['x-ms-blob-type'] !== 'BlockBlob')
    return refuse(response, 400, 'MissingRequiredHeader', journal, entry)
  const kept: Uint8Array[] = []
  // The real storage returns the MD5 of what it received.
  const hash = createHash('md5')
  let received = 0
  for await (const part of request) {
    hash.update(part)
    if (received < MAX_KEPT_BYTES) kept.push(part.subarray(0, MAX_KEPT_BYTES - received))
    received += part.length
    if (received > file.size) return refuse(response, 413, 'RequestBodyTooLarge', journal, entry)
  }
  const content = Buffer.concat(kept)
  file.received = received
  file.md5 = hash.digest('base64')
  file.content = () => content
  file.kept_bytes = content.length
  file.state = 'sent'
  if (typeof request.headers['content-type'] === 'string') file.mime_type = request.headers['content-type']
  journal.end(entry, 'complete')
  response.writeHead(201, { ...CORS, 'content-md5': file.md5 }).end()
}

/** The part of a large file that was not kept is served as zeros. */
function send(
  request: IncomingMessage,
  response: ServerResponse,
  file: WebFile,
  journal: Journal,
  entry: JournalEntry,
) {
  response.writeHead(200, {
    ...CORS,
    'content-type': file.mime_type,
    'content-length': String(file.received),
    'content-disposition': `inline; filename*=UTF-8''${encodeURIComponent(file.name)}`,
  })
  response.on('finish', () => journal.end(entry, 'complete'))
  if (request.method === 'HEAD') return void response.end()
  const content = file.content()
  let left = file.received - content.length
  const fill = () => {
    while (left > 0) {
      const zeros = Buffer.alloc(Math.min(left, 65_536))
      left -= zeros.length
      if (!response.write(zeros)) return void response.once('drain', fill)
    }
    response.end()
  }
  response.write(content)
  fill()
}

function refuse(response: ServerResponse, status: number, code: string, journal: Journal, entry: JournalEntry) {
  journal.end(entry, 'fault')
  response.writeHead(status, { ...CORS, 'content-type': 'application/xml', connection: 'close' })
  response.end(`<?xml version="1.0" encoding="utf-8"?><Error><Code>${code}</Code></Error>`)
}
