import * as z from 'zod/mini'
import { type Call, nothing } from '../call.ts'
import { ConfigurationRead } from './configuration.ts'
import { Time } from '../envelope.ts'
import { type CredentialName, keyText } from '../settings.ts'
import { webTokenText } from '../webToken.ts'

export const Credentials = z.object({
  openai_web_access_token: webTokenText,
  openai_api_key: keyText,
} satisfies Record<CredentialName, z.ZodMiniType>)
export type Credentials = z.infer<typeof Credentials>

/** What is known of a credential besides its value, which is never sent. */
export const CredentialState = z.object({
  set: z.boolean(),
  last4: z.nullable(z.string()),
  /** null: there is none. One from the environment or the configuration file cannot be changed on the page. */
  origin: z.nullable(z.enum(['file', 'stored', 'environment'])),
  /** The environment variable that sets it. */
  variable: z.nullable(z.string()),
  /** Nickname of whoever stored it; null also when that is not known. */
  changed_by: z.nullable(z.string()),
  changed_at: z.nullable(Time),
  /**
   * The address that the stored one was entered for, when that is not the present one: then it is kept and not used.
   */
  kept_for: z.nullable(z.string()),
  /**
   * A stored one that cannot be opened with the present secret key: nothing is asked without it, it has to be entered
   * again.
   */
  unreadable: z.boolean(),
})
export type CredentialState = z.infer<typeof CredentialState>

export const CredentialsRead = z.extend(Credentials, { _set: z.record(z.string(), CredentialState) })
export type CredentialsRead = z.infer<typeof CredentialsRead>

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

/** Sections with some of their settings, `_reset` as for `updateConfiguration`, and credentials. */
export const SavedSettings = z.looseObject({
  /** As for `updateCredentials`; they are bound to the address that the settings have then. */
  credentials: z.optional(z.partial(Credentials)),
  /**
   * The values that were seen of the settings that are sent, in their sections, and the `changed_at` of the
   * credentials: where somebody has changed one meanwhile, nothing is stored.
   */
  expected: z.optional(z.record(z.string(), z.record(z.string(), z.unknown()))),
})
export type SavedSettings = z.infer<typeof SavedSettings>

export const saveSettings = {
  ...nothing,
  access: 'superuser',
  method: 'PUT',
  path: '/system/settings',
  summary: 'Stores settings, as `PUT /system/config` does, and credentials beside them: all of it or nothing.',
  body: SavedSettings,
  result: z.object({ configuration: ConfigurationRead, credentials: CredentialsRead }),
} as const satisfies Call
