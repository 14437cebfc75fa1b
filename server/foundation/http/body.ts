import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Call } from '#contract/call.ts'
import { parseJsonBytes } from '../json.ts'
import { Refusal, invalid } from '../refusal.ts'

/** Bytes. */
export const MAX_JSON = 1024 * 1024
export const MAX_FORM = 16 * 1024

const JSON_TYPE = /^application\/json(?:; ?charset="?utf-8"?)?$/i
const URLENCODED_TYPE = /^application\/x-www-form-urlencoded(?:; ?charset="?utf-8"?)?$/i
const MULTIPART_TYPE = /^multipart\/form-data; ?boundary=(?:"[\w'()+,./:=? -]{1,70}"|[\w'()+,./:=?-]{1,70})$/i

const TYPES: Record<NonNullable<Call['bodyKind']>, RegExp[]> = {
  json: [JSON_TYPE],
  form: [URLENCODED_TYPE, MULTIPART_TYPE],
  file: [MULTIPART_TYPE],
}
/** For calls that take no body: some clients name a content type although they send nothing. */
const OF_NOTHING = [JSON_TYPE, URLENCODED_TYPE]

/** Refuses what is not exactly one of the types the call takes: a type spelt oddly must not lead around the schema. */
export function requireContentType(
  call: Pick<Call, 'body' | 'bodyKind'>,
  type: string | undefined,
  encoding: string | undefined,
): void {
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw new Refusal('mediaTypeNotSupported')
  if (type === undefined) return
  const allowed = call.body === null ? OF_NOTHING : TYPES[call.bodyKind ?? 'json']
  if (!allowed.some(each => each.test(type))) throw new Refusal('mediaTypeNotSupported')
}

/** Reads JSON and forms; anything else has been refused before. */
export function readBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers()
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: unknown, bytes: Buffer) => {
    return bytes.length === 0 ? undefined : parseJsonBytes(bytes)
  })
  fastify.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer', bodyLimit: MAX_FORM },
    async (_request: unknown, bytes: Buffer) => onlyOnce(new URLSearchParams(bytes.toString())),
  )
  fastify.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: MAX_FORM },
    async (request: FastifyRequest, bytes: Buffer) => {
      return onlyOnce(await multipartForm(bytes, request.headers['content-type'] ?? ''))
    },
  )
}

async function multipartForm(bytes: Buffer, type: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
  } catch {
    throw invalid(['body'], 'Not a form', 'form_invalid')
  }
}

/** Each field must be text and occur once: of two with the same name another parser might take the other. */
function onlyOnce(fields: Iterable<[string, unknown]>): Record<string, string> {
  const form = new Map<string, string>()
  for (const [name, value] of fields) {
    if (typeof value !== 'string') throw invalid(['body', name], 'Not a text field', 'form_invalid')
    if (form.has(name)) throw invalid(['body', name], 'Given twice', 'form_invalid')
    form.set(name, value)
  }
  return Object.fromEntries(form)
}
