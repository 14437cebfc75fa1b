import * as z from 'zod/mini'
import { detailOf } from '#server/foundation/http/body.ts'
import { Refusal } from '#server/foundation/refusal.ts'

/**
 * Validates with the rules of the wire, and refuses unknown fields: clients send whole objects back, but on the command
 * line an unknown field is misspelt.
 */
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

/** Paths that were given and that the schema dropped. */
function strangersIn(given: unknown, kept: unknown): string[][] {
  if (typeof given !== 'object' || given === null || typeof kept !== 'object' || kept === null) return []
  const fields = new Map<string, unknown>(Object.entries(kept))
  return Object.entries(given).flatMap(([name, value]) => {
    return fields.has(name) ? strangersIn(value, fields.get(name)).map(path => [name, ...path]) : [[name]]
  })
}
