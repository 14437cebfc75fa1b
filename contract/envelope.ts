import * as z from 'zod/mini'

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
 * The specification, section 7: every answer under /api is an object with code, message and result. A refusal has what its text names in
 * `values` and the fields that are wrong in `detail`, both left out where there are none; its `result` says the same in one line, since
 * older clients show that and nothing else.
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
/** A row number, as it stands in a path. */
export const RowId = z.string().check(z.regex(/^\d{1,15}$/))

/** Text that both databases keep as it is: no NUL, no half of a surrogate pair. */
export const storable = z.refine<string>(text => !text.includes('\0') && text.isWellFormed(), 'unstorable')

/** A password that was copied with the end of its line. Nothing else is cut: the rest may be meant. */
export const withoutLineEnd = z.overwrite((password: string) => password.replace(/[\r\n\u0085\u2028\u2029]+$/, ''))
