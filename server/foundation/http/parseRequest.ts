import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { BodyOf, Call, ParamsOf, QueryOf } from '#contract/call.ts'
import type { ValidationDetail } from '#contract/envelope.ts'
import { requireStorable } from '../json.ts'
import { invalid, Refusal } from '../refusal.ts'

// zod/mini brings no texts of its own; what is wrong with a field is told in English and by its type.
z.config(z.locales.en())

type Schema = NonNullable<Call['body']>
type Parts<C extends Call> = { params: ParamsOf<C>; query: QueryOf<C>; body: BodyOf<C> }

/** Parses what a call takes, by its schemas and without coercion; tells of everything that is wrong at once. */
export function parseRequest<C extends Call>(call: C): (request: FastifyRequest) => Parts<C> {
  const { params, query, body, bodyKind } = call
  const takesBody = body !== null && bodyKind !== 'file'
  return request => {
    const detail: ValidationDetail[] = []
    const parts = {
      params: params === null ? undefined : parsed(params, texts(request.params, 'path'), 'path', detail),
      query: query === null ? undefined : parsed(query, texts(queryOf(request), 'query'), 'query', detail),
      body: takesBody
        ? parsed(body, bodyKind === 'form' ? texts(request.body, 'body') : request.body, 'body', detail)
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
  const encoded = url.slice(url.indexOf('?') + 1)
  try {
    if (url.includes('?') && encoded.includes('%')) decodeURIComponent(encoded)
  } catch {
    throw invalid(['query'], 'Not an address', 'url_invalid')
  }
  return query
}

/** Paths, queries and forms hold text, which may have arrived percent-encoded. */
function texts(values: unknown, part: string): unknown {
  requireStorable(values, [part])
  return values
}
