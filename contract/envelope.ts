import * as z from 'zod/mini'
import { storableText } from './storableText.ts'

export const SUCCESS_CODES: readonly number[] = [200, 201, 204]
export const REQUEST_SUCCESS = 'tips.requestSuccess'

/** The specification, section 5: a validation error carries a detail list. */
export const ValidationDetail = z.object({
  loc: z.array(z.union([z.string(), z.number()])),
  msg: z.string(),
  type: z.string(),
})
export type ValidationDetail = z.infer<typeof ValidationDetail>

/**
 * The specification, section 7: every answer under /api is an object with code, message and result. In a refusal
 * `values` fills its text and `detail` lists the wrong fields; both are left out when empty. `result` says the same in
 * one line, because older clients show nothing else.
 */
export const Envelope = z.object({
  code: z.int(),
  message: z.string(),
  result: z.unknown(),
  values: z.optional(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))),
  detail: z.optional(z.array(ValidationDetail)),
})
export type Envelope = z.infer<typeof Envelope>

/** A time on the wire: ISO 8601 with a zone. */
export const Time = z.iso.datetime({ offset: true })
/** A conversation, message or ask id. */
export const Uuid = z.uuid()
/** A row number in a path. */
export const RowId = z.string().check(z.regex(/^\d{1,15}$/))

/**
 * Text that both databases store unchanged. The page’s forms go by it as well; what reaches the server is so before it
 * is parsed.
 */
export const storable = z.overwrite(storableText)

const LINE_ENDS = '\r\n\u0085\u2028\u2029'

/**
 * Removes line ends behind a copied password, and nothing else: everything else may be part of it. An expression would
 * look through a run of line ends from each of them: a long one in the midst of a text kept the server for minutes.
 */
export const withoutLineEnd = z.overwrite((password: string) => {
  let end = password.length
  while (end > 0 && LINE_ENDS.includes(password.charAt(end - 1))) end -= 1
  return password.slice(0, end)
})
