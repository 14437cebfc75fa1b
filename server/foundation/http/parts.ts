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

/** Fails as `body` fails, and never destroys it: whoever gave it unpipes it. */
export async function* partsOf(body: Readable, type: string | undefined): AsyncGenerator<ArrivingPart> {
  if (type === undefined) throw invalid(['body'], 'Not a form', 'form_invalid')
  const arrived: ArrivedPart[] = []
  let next = Promise.withResolvers<void>()
  const state: { ended: boolean; error: Error | null } = { ended: false, error: null }
  const end = (error: Error | null): void => {
    state.ended = true
    state.error ??= error
    if (error !== null) for (const { content } of arrived) content.destroy(error)
    next.resolve()
  }
  const form = new Busboy({
    headers: { 'content-type': type },
    limits: LIMITS,
    preservePath: true,
    isPartAFile: () => true,
  })
  form.on('file', (field, content, filename) => {
    content.on('error', () => {}) // nobody may be reading when it breaks off
    arrived.push({ field: field ?? '', filename: filename ?? '', content })
    next.resolve()
  })
  form.on('partsLimit', () => end(invalid(['body'], 'Too many parts', 'form_invalid')))
  form.on('error', () => end(invalid(['body'], 'Not a whole form', 'form_invalid')))
  form.on('finish', () => end(null))
  finished(body, error => {
    if (error) end(error)
  })
  body.pipe(form)
  for (let at = 0; ;) {
    const part = arrived[at]
    if (state.error !== null) throw state.error
    if (part !== undefined) {
      at += 1
      yield { ...part, content: failingWith(part.content, state) }
      if (!part.content.readableEnded) part.content.resume()
    } else if (state.ended) return
    else {
      await next.promise
      next = Promise.withResolvers<void>()
    }
  }
}

type ArrivedPart = { field: string; filename: string; content: BusboyFileStream }

async function* failingWith(content: BusboyFileStream, state: { error: Error | null }): AsyncGenerator<Buffer> {
  try {
    yield* content
  } catch (cause) {
    throw state.error ?? cause
  }
}
