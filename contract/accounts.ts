import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { RowId, storable, Time } from './envelope.ts'
import { CustomApi, UserSetting, UserSettingUpdate } from './limits.ts'

/** "More than 6" of the specification, section 5: 7 or more characters, no spaces. The maximum only limits the cost of hashing. */
export const MIN_PASSWORD_LENGTH = 7
export const MAX_PASSWORD_LENGTH = 128
export const Password = z.string().check(
  z.minLength(MIN_PASSWORD_LENGTH, 'invalidPassword'),
  z.maxLength(MAX_PASSWORD_LENGTH, 'invalidPassword'),
  z.regex(/^[^\p{Z}\p{C}]*$/u, 'invalidPassword'),
)

export const Username = z.string().check(z.trim(), z.minLength(1), z.maxLength(32), z.regex(/^[\p{L}\p{N}][\p{L}\p{N}_.@-]*$/u))
/** No invisible characters, except the zero-width joiner inside an emoji sequence such as a family. */
const VISIBLE = /^(?:\p{Extended_Pictographic}[\u{FE0F}\p{EMod}]?\u{200D}(?=\p{Extended_Pictographic})|[^\p{C}])*$/u
export const Nickname = z.string().check(z.trim(), z.minLength(1), z.maxLength(64), z.regex(VISIBLE))
export const Email = z.string().check(z.trim(), z.maxLength(254), z.email('invalidEmail'))
const Remark = z.nullable(z.string().check(z.maxLength(256), storable))
/** The URL of a picture on this portal, or a small data URL. */
export const Avatar = z.nullable(z.string().check(z.maxLength(200_000), storable))

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

export const UserReadAdmin = z.extend(UserRead, { remark: z.nullable(z.string()) })
export type UserReadAdmin = z.infer<typeof UserReadAdmin>

export const UserCreate = z.object({
  username: Username,
  nickname: Nickname,
  email: Email,
  password: Password,
  is_active: z._default(z.boolean(), true),
  is_superuser: z._default(z.boolean(), false),
  is_verified: z._default(z.boolean(), false),
  avatar: z.optional(Avatar),
  remark: z.optional(Remark),
})
export type UserCreate = z.output<typeof UserCreate>

/** What a person may change of their own account. */
export const SelfUpdate = z.object({
  password: z.optional(Password),
  /** Asked for when the session is older than an hour. */
  current_password: z.optional(z.string().check(z.maxLength(512))),
  email: z.optional(Email),
  nickname: z.optional(Nickname),
  avatar: z.optional(Avatar),
  /** Part of the specification's shape. Refused for everybody, administrators too, in this call. */
  is_active: z.optional(z.boolean()),
  is_superuser: z.optional(z.boolean()),
  is_verified: z.optional(z.boolean()),
  username: z.optional(z.unknown()),
  remark: z.optional(z.unknown()),
  id: z.optional(z.unknown()),
  setting: z.optional(z.unknown()),
  credits: z.optional(z.unknown()),
})
export type SelfUpdate = z.infer<typeof SelfUpdate>
export const PRIVILEGED_FIELDS = ['is_active', 'is_superuser', 'is_verified', 'username', 'remark', 'id', 'setting', 'credits'] as const

export const UserUpdate = z.object({
  password: z.optional(Password),
  email: z.optional(Email),
  is_active: z.optional(z.boolean()),
  is_superuser: z.optional(z.boolean()),
  is_verified: z.optional(z.boolean()),
  nickname: z.optional(Nickname),
  avatar: z.optional(Avatar),
  username: z.optional(Username),
  remark: z.optional(Remark),
})
export type UserUpdate = z.infer<typeof UserUpdate>

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

const byId = z.object({ id: RowId })

export const login = {
  ...nothing,
  access: 'anyone', method: 'POST', path: '/auth/login', summary: 'Signs in by user name and password.',
  body: LoginForm, bodyKind: 'form', result: z.null(),
} as const satisfies Call

export const logout = {
  ...nothing,
  access: 'anyone', method: 'POST', path: '/auth/logout', summary: 'Ends the session, if there is one.', result: z.null(),
} as const satisfies Call

export const register = {
  ...nothing,
  access: 'superuser', method: 'POST', path: '/auth/register', summary: 'Makes an account under the plan for new users.',
  body: UserCreate, result: UserReadAdmin,
} as const satisfies Call

export const readMe = {
  ...nothing, access: 'user', method: 'GET', path: '/user/me', summary: 'The account that is signed in.', result: UserRead,
} as const satisfies Call

export const updateMe = {
  ...nothing,
  access: 'user', method: 'PATCH', path: '/user/me', summary: 'Changes one’s own password, nickname, e-mail or avatar.',
  body: SelfUpdate, result: UserRead,
} as const satisfies Call

/** The key is written and never sent back: blank keeps it, as long as the address stays with the same host; null clears. */
export const updateOwnApi = {
  ...nothing,
  access: 'user', method: 'PUT', path: '/user/me/openai-api',
  summary: 'Sets an address and key of one’s own for openai_api, where an administrator allows it.',
  body: CustomApi, result: UserRead,
} as const satisfies Call

export const listUsers = {
  ...nothing, access: 'superuser', method: 'GET', path: '/user', summary: 'All accounts.', result: z.array(UserReadAdmin),
} as const satisfies Call

export const readUser = {
  ...nothing, access: 'superuser', method: 'GET', path: '/user/:id', summary: 'One account.', params: byId, result: UserReadAdmin,
} as const satisfies Call

export const updateUser = {
  ...nothing,
  access: 'superuser', method: 'PATCH', path: '/user/:id', summary: 'Changes an account.', params: byId, body: UserUpdate, result: UserReadAdmin,
} as const satisfies Call

export const deleteUser = {
  ...nothing, access: 'superuser', method: 'DELETE', path: '/user/:id', summary: 'Removes an account.', params: byId, result: z.null(),
} as const satisfies Call

export const updateUserSetting = {
  ...nothing,
  access: 'superuser', method: 'PATCH', path: '/user/:id/setting', summary: 'Changes what a person may ask.',
  params: byId, body: UserSettingUpdate, result: UserReadAdmin,
} as const satisfies Call
