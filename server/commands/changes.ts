import * as z from 'zod/mini'
import { detailOf } from '#server/foundation/httpRequestParts.ts'
import { parseJson } from '#server/foundation/json.ts'
import { Refusal } from '#server/foundation/refusal.ts'

/** What a call would take as its body, written as JSON on the command line. */
export function changesIn<S extends z.ZodMiniType>(schema: S, text: string): z.output<S> {
  return checked(schema, parseJson(text, 'changes'))
}

/** The same rules as for what comes over the wire. */
export function checked<S extends z.ZodMiniType>(schema: S, given: unknown): z.output<S> {
  const { success, data, error } = z.safeParse(schema, given)
  if (!success) throw new Refusal('requestValidationError', {}, { detail: detailOf(error, 'changes') })
  return data
}
