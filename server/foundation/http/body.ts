import type { IncomingHttpHeaders } from 'node:http'
import { parse } from 'node:querystring'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { BodyOf, Call, ParamsOf, QueryOf } from '#contract/call.ts'
import { storableText } from '#contract/storableText.ts'
import type { ValidationDetail } from '#contract/envelope.ts'
import { parseJsonBytes, storableTexts, withoutHalves } from '../json.ts'
import { invalid, Refusal } from '../refusal.ts'

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
  parts: [MULTIPART_TYPE],
  content: [/^/], // it is passed on, and nobody reads it by its type
}
/** Of requests without a body: some clients name a content type although they send nothing. */
const OF_NOTHING = [JSON_TYPE, URLENCODED_TYPE]

/** Refuses what is not exactly one of the types the call takes: a type spelt oddly must not lead around the schema. */
export function requireContentType(call: Pick<Call, 'body' | 'bodyKind'>, headers: IncomingHttpHeaders): void {
  const { 'content-type': type, 'content-encoding': encoding } = headers
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw new Refusal('mediaTypeNotSupported')
  if (type === undefined) return
  const types = call.body === null ? [] : TYPES[call.bodyKind ?? 'json']
  const allowed = call.body === null || sendsNothing(headers) ? [...types, ...OF_NOTHING] : types
  if (!allowed.some(each => each.test(type))) throw new Refusal('mediaTypeNotSupported')
}

const sendsNothing = ({ 'content-length': length, 'transfer-encoding': chunked }: IncomingHttpHeaders): boolean =>
  chunked === undefined && (length === undefined || length === '0')

/** Reads JSON and forms; anything else has been refused before. */
export function readBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers()
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: unknown, bytes: Buffer) => {
    return bytes.length === 0 ? undefined : parseJsonBytes(bytes)
  })
  fastify.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer', bodyLimit: MAX_FORM },
    async (_request: unknown, bytes: Buffer) => onlyOnce(new URLSearchParams(withoutHalves(bytes.toString()))),
  )
  fastify.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: MAX_FORM },
    async (request: FastifyRequest, bytes: Buffer) => {
      return onlyOnce(await multipartForm(bytes, request.headers['content-type'] ?? ''))
    },
  )
}

/** Hands every body over as it came, of whatever type: at most so many bytes of it. */
export const leaveBytes = (bodyLimit: number) => (scope: FastifyInstance) => {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, async (_request: unknown, bytes: Buffer) => bytes)
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

// zod/mini brings no texts of its own; what is wrong with a field is told in English and by its type.
z.config(z.locales.en())

type Schema = NonNullable<Call['body']>
type Parts<C extends Call> = { params: ParamsOf<C>; query: QueryOf<C>; body: BodyOf<C> }

/** Whether its handler reads the body itself, as it comes. */
const isStreamed = (kind: Call['bodyKind']): boolean => kind === 'file' || kind === 'parts' || kind === 'content'

/** Parses what a call takes, by its schemas and without coercion; tells of everything that is wrong at once. */
export function parseRequest<C extends Call>(call: C): (request: FastifyRequest) => Parts<C> {
  const { params, query, body, bodyKind } = call
  const takesBody = body !== null && !isStreamed(bodyKind)
  return request => {
    const detail: ValidationDetail[] = []
    const parts = {
      params: params === null ? undefined : parsed(params, plainIds(request.params), 'path', detail),
      query: query === null ? undefined : parsed(query, queryOf(request), 'query', detail),
      body: takesBody
        ? parsed(body, bodyKind === 'form' ? storableTexts(request.body, ['body']) : request.body, 'body', detail)
        : undefined,
    }
    if (detail.length > 0) throw new Refusal('requestValidationError', {}, { detail })
    // Each part has just been parsed by the schema that its type is made from.
    return parts as Parts<C>
  }
}

function parsed(schema: Schema, given: unknown, part: string, detail: ValidationDetail[]): unknown {
  const { success, data, error } = z.safeParse(schema, given)
  if (success) return data
  detail.push(...detailOf(error, part))
  return undefined
}

/** What a schema found wrong, as entries of a validation answer. */
export function detailOf(error: z.core.$ZodError, ...at: (string | number)[]): ValidationDetail[] {
  return error.issues.map(({ path, message, code }) => {
    const loc = path.map(step => (typeof step === 'symbol' ? String(step) : step))
    return { loc: [...at, ...loc], msg: message, type: code }
  })
}

/** What cannot be decoded fastify leaves as it came, and would be kept so; in a path it refuses it. */
function queryOf({ url, query }: FastifyRequest): unknown {
  const at = url.indexOf('?')
  if (at < 0) return storableTexts(query, ['query'])
  const encoded = withoutHalves(url.slice(at + 1))
  try {
    if (encoded.includes('%')) decodeURIComponent(encoded)
  } catch {
    throw invalid(['query'], 'Not an address', 'url_invalid')
  }
  return storableTexts(encoded === url.slice(at + 1) ? query : parse(encoded), ['query'])
}

/** Paths hold ids, which name something or nothing: one with an odd character is not another one without it. */
function plainIds(params: unknown): unknown {
  for (const [name, id] of Object.entries(params ?? {})) {
    if (typeof id === 'string' && id !== storableText(id))
      throw invalid(['path', name], 'Holds a character that cannot be kept', 'invalid_character')
  }
  return params
}
