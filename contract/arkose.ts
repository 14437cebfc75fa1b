import * as z from 'zod/mini'
import { MAX_ARKOSE_TOKEN } from './asking.ts'
import { type Call, nothing } from './call.ts'

/** By which the enforcement script knows the web service. */
export const ARKOSE_KEY = '35536E1E-65B4-4D96-9D97-6ADB7EFF8147'

export const readArkose = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/arkose/info',
  summary: 'Whether a question needs an Arkose token; asked by old clients before every ask.',
  result: z.object({ enabled: z.boolean(), url: z.string() }),
} as const satisfies Call

/** Ours. The frame has no cookie: the ticket in its address is what lets it through the forwarder. */
export const beginArkose = {
  ...nothing,
  access: 'user',
  method: 'POST',
  path: '/arkose/ticket',
  summary:
    'Address of a sandboxed page that fetches an Arkose token; good for five minutes, not found while that is off.',
  result: z.object({ frame_url: z.string() }),
} as const satisfies Call

/** What the sandboxed page says to the one that holds it. */
export const ArkoseResult = z.discriminatedUnion('arkose', [
  z.object({ arkose: z.literal('token'), token: z.string().check(z.minLength(1), z.maxLength(MAX_ARKOSE_TOKEN)) }),
  /** There is something to be solved before a token comes. */
  z.object({ arkose: z.literal('shown') }),
  /** `script`: it could not be loaded; `enforcement`: it says that it failed. */
  z.object({ arkose: z.literal('failed'), reason: z.enum(['script', 'enforcement']) }),
])
export type ArkoseResult = z.infer<typeof ArkoseResult>
