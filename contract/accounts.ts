import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { Time, withoutLineEnd } from './envelope.ts'
import { UserSetting } from './limits.ts'

/** Read view of a user (the specification, section 3): no password hash, no remark. */
export const UserRead = z.object({
  id: z.int(),
  username: z.string(),
  nickname: z.string(),
  email: z.string(),
  last_active_time: z.nullable(Time),
  create_time: Time,
  avatar: z.nullable(z.string()),
  is_superuser: z.boolean(),
  is_active: z.boolean(),
  is_verified: z.boolean(),
  setting: UserSetting,
})
export type UserRead = z.infer<typeof UserRead>

/** OAuth2 password form. `remember` is ours and makes the session longer. */
export const LoginForm = z.object({
  username: z.string().check(z.minLength(1), z.maxLength(254)),
  password: z.string().check(withoutLineEnd, z.minLength(1), z.maxLength(512)),
  remember: z.optional(z.string()),
  grant_type: z.optional(z.string()),
  scope: z.optional(z.string()),
  client_id: z.optional(z.string()),
  client_secret: z.optional(z.string()),
})

/** The session token. HttpOnly: no script can read it. */
export const SESSION_COOKIE = 'commons_session'
/** Set together with it and readable by scripts. It holds no secret and says only that there may be a session (docs/protocol.md). */
const MARKER_COOKIE = 'commons_signed_in'
/**
 * The same marker under the name that clients of the original product know. Our page does not read it, since any portal of the host may
 * have set it.
 */
export const OLD_MARKER_COOKIE = 'cws_user_auth'

/**
 * Adds the port to a cookie's name, because browsers send cookies to every port of a host. `at` is a host or an origin; the default port
 * appears in neither.
 */
export function withPort(name: string, at: string): string {
  const port = /:(\d+)$/.exec(at)?.[1]
  return port === undefined ? name : `${name}_${port}`
}

export const markerCookie = (at: string): string => withPort(MARKER_COOKIE, at)

export const login = {
  ...nothing,
  access: 'anyone',
  method: 'POST',
  path: '/auth/login',
  summary: 'Signs in by user name, or an e-mail address that one account has, and password.',
  body: LoginForm,
  bodyKind: 'form',
  result: z.null(),
} as const satisfies Call

export const logout = {
  ...nothing,
  access: 'anyone',
  method: 'POST',
  path: '/auth/logout',
  summary: 'Ends the session, if there is one.',
  result: z.null(),
} as const satisfies Call

export const readMe = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/user/me',
  summary: 'The account that is signed in.',
  result: UserRead,
} as const satisfies Call
