import { finished, type Readable } from 'node:stream'
import { Busboy, type BusboyFileStream } from '@fastify/busboy'
import type { FastifyRequest } from 'fastify'
import { invalid } from '../refusal.ts'
import { withBody } from './upload.ts'

/** A part of a form while it is sent. What is not read of it is passed over when the next one is asked for. */
export type ArrivingPart = { field: string; filename: string; content: AsyncIterable<Buffer> }

/** What may stand in a form; the head of a part in bytes. */
const LIMITS = { parts: 12, fields: 0, headerSize: 8 * 1024 }

/**
 * Streams the parts of a multipart form to `work`, one after the other. The last one has been given only when the whole
 * form has come: whoever reads them keeps nothing before. A client that stalls is cut off.
 */
export const withParts = <T>(
  request: FastifyRequest,
  work: (parts: AsyncIterable<ArrivingPart>) => T | Promise<T>,
): Promise<T> => withBody(request, async ({ raw, headers }) => work(partsOf(raw, headers['content-type'])))

/**
 * Takes the body at once: what nobody reads waits. Fails as `body` fails, and never destroys it: whoever gave it
 * unpipes it.
 */
export function partsOf(body: Readable, type: string | undefined): AsyncIterable<ArrivingPart> {
  if (type === undefined) throw invalid(['body'], 'Not a form', 'form_invalid')
  const arrival: Arrival = { parts: [], read: null, ended: false, error: null, changed: Promise.withResolvers() }
  const end = (error: Error | null): void => {
    arrival.ended = true
    arrival.error ??= error
    if (error !== null) for (const each of [arrival.read, ...arrival.parts]) each?.content.destroy(error)
    arrival.changed.resolve()
  }
  const form = new Busboy({
    headers: { 'content-type': type },
    limits: LIMITS,
    preservePath: true,
    isPartAFile: () => true,
  })
  form.on('file', (field, content, filename) => {
    content.on('error', () => {}) // nobody may be reading when it breaks off
    arrival.parts.push({ field: field ?? '', filename: filename ?? '', content })
    arrival.changed.resolve()
  })
  form.on('partsLimit', () => end(invalid(['body'], 'Too many parts', 'form_invalid')))
  form.on('error', () => end(invalid(['body'], 'Not a whole form', 'form_invalid')))
  form.on('finish', () => end(null))
  finished(body, error => {
    if (error) end(error)
  })
  body.pipe(form)
  return inTurn(arrival)
}

type ArrivedPart = { field: string; filename: string; content: BusboyFileStream }
type Arrival = {
  /** That nobody has read yet, and the one that is read. */
  parts: ArrivedPart[]
  read: ArrivedPart | null
  ended: boolean
  error: Error | null
  /** Resolved when something has come, or it has ended. */
  changed: PromiseWithResolvers<void>
}

async function* inTurn(arrival: Arrival): AsyncGenerator<ArrivingPart> {
  for (;;) {
    if (arrival.error !== null) throw arrival.error
    const part = arrival.parts.shift()
    if (part !== undefined) {
      arrival.read = part
      yield { ...part, content: contentOf(part, arrival) }
      if (!part.content.readableEnded) part.content.resume()
    } else if (arrival.ended) return
    else {
      await arrival.changed.promise
      arrival.changed = Promise.withResolvers()
    }
  }
}

async function* contentOf({ content }: ArrivedPart, arrival: Arrival): AsyncGenerator<Buffer> {
  try {
    yield* content
  } catch (cause) {
    throw arrival.error ?? cause
  }
  if (arrival.error !== null) throw arrival.error
}
