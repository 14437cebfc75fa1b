import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { keyText } from './settings.ts'

export const Credentials = z.object({
  openai_web_access_token: keyText,
  openai_api_key: keyText,
})
export type Credentials = z.infer<typeof Credentials>
export const CredentialsRead = z.extend(Credentials, {
  _set: z.record(z.string(), z.object({ set: z.boolean(), last4: z.nullable(z.string()) })),
})

export const readCredentials = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/system/credentials',
  summary: 'Which credentials are set.',
  result: CredentialsRead,
} as const satisfies Call

export const updateCredentials = {
  ...nothing,
  access: 'superuser',
  method: 'PUT',
  path: '/system/credentials',
  summary: 'Blank keeps, null clears, anything else replaces.',
  body: z.partial(Credentials),
  result: CredentialsRead,
} as const satisfies Call
