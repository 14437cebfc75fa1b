import * as z from 'zod/mini'
import { detailOf } from '#server/foundation/http/parseRequest.ts'
import { parseJson } from '#server/foundation/json.ts'
import { Refusal } from '#server/foundation/refusal.ts'

/** What a call would take as its body, written as JSON on the command line. */
export function changesIn<S extends z.ZodMiniType>(schema: S, text: string): z.output<S> {
  return checked(schema, parseJson(text, 'changes'))
}

/** The same rules as for what comes over the wire, where clients send back more than may change; here a strange field is a misspelt one. */
export function checked<S extends z.ZodMiniType>(schema: S, given: unknown): z.output<S> {
  const { success, data, error } = z.safeParse(schema, given)
  if (!success) throw new Refusal('requestValidationError', {}, { detail: detailOf(error, 'changes') })
  const detail = strangersIn(given, data).map(path => ({
    loc: ['changes', ...path],
    msg: 'unknownField',
    type: 'unrecognized_keys',
  }))
  if (detail.length > 0) throw new Refusal('requestValidationError', {}, { detail })
  return data
}

/** What was given and is not in what the schema made of it. */
function strangersIn(given: unknown, kept: unknown): string[][] {
  if (typeof given !== 'object' || given === null || typeof kept !== 'object' || kept === null) return []
  const fields = new Map<string, unknown>(Object.entries(kept))
  return Object.entries(given).flatMap(([name, value]) => {
    return fields.has(name) ? strangersIn(value, fields.get(name)).map(path => [name, ...path]) : [[name]]
  })
}
