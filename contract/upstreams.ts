import * as z from 'zod/mini'

/** What came of testing an upstream. */
export const UpstreamTest = z.object({
  /** `errors.<key>` of what went wrong, with the values of its text; null where it answered as it should. */
  message: z.nullable(z.string()),
  values: z.nullable(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))),
  /** How many models it lists; null where it gives no list. */
  listed: z.nullable(z.int()),
  /** Milliseconds until it was known. */
  duration: z.int(),
})
export type UpstreamTest = z.infer<typeof UpstreamTest>
