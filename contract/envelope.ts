import * as z from 'zod/mini'

/** The specification, section 7: every answer under /api is an object with code, message and result. */
export const Envelope = z.object({ code: z.int(), message: z.string(), result: z.unknown() })
export type Envelope = z.infer<typeof Envelope>

export const SUCCESS_CODES: readonly number[] = [200, 201, 204]
export const REQUEST_SUCCESS = 'tips.requestSuccess'

/** The specification, section 5: a validation error carries a detail list. */
export const ValidationDetail = z.object({
  loc: z.array(z.union([z.string(), z.number()])),
  msg: z.string(),
  type: z.string(),
})
export type ValidationDetail = z.infer<typeof ValidationDetail>
export const ValidationResult = z.object({ detail: z.array(ValidationDetail) })

/** A time on the wire: ISO 8601 with a zone. */
export const Time = z.iso.datetime({ offset: true })
/** A conversation, message or ask id. */
export const Uuid = z.uuid()
/** A row number, as it stands in a path. */
export const RowId = z.string().check(z.regex(/^\d{1,15}$/))

/** Text that both databases keep as it is: no NUL, no half of a surrogate pair. */
export const storable = z.refine<string>(text => !text.includes('\0') && text.isWellFormed(), 'unstorable')
