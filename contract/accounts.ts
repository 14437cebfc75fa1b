import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { Time } from './envelope.ts'
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
  password: z.string().check(z.minLength(1), z.maxLength(512)),
  remember: z.optional(z.string()),
  grant_type: z.optional(z.string()),
  scope: z.optional(z.string()),
  client_id: z.optional(z.string()),
  client_secret: z.optional(z.string()),
})

/** A cookie that scripts can read and that holds no secret: it says only that there may be a session (docs/protocol.md). */
export const MARKER_COOKIE = 'cws_user_auth'

export const login = {
  ...nothing,
  access: 'anyone', method: 'POST', path: '/auth/login', summary: 'Signs in by user name and password.',
  body: LoginForm, bodyKind: 'form', result: z.null(),
} as const satisfies Call

export const logout = {
  ...nothing,
  access: 'anyone', method: 'POST', path: '/auth/logout', summary: 'Ends the session, if there is one.', result: z.null(),
} as const satisfies Call

export const readMe = {
  ...nothing, access: 'user', method: 'GET', path: '/user/me', summary: 'The account that is signed in.', result: UserRead,
} as const satisfies Call
