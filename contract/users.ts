import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { RowId, storable, Time, withoutLineEnd } from './envelope.ts'
import { CustomApi, UserSetting, UserSettingUpdate } from './limits.ts'

/**
 * The specification, section 5, "more than 6": 7 or more characters, no spaces. The maximum limits the cost of hashing.
 */
export const MIN_PASSWORD_LENGTH = 7
export const MAX_PASSWORD_LENGTH = 128
export const Password = z
  .string()
  .check(
    withoutLineEnd,
    z.minLength(MIN_PASSWORD_LENGTH, 'invalidPassword'),
    z.maxLength(MAX_PASSWORD_LENGTH, 'invalidPassword'),
    z.regex(/^[^\p{Z}\p{C}]*$/u, 'invalidPassword'),
  )

/** The password in a form that holds a whole account: blank means unchanged. */
export const NewPassword = z.optional(
  z.pipe(
    z.transform((given: string | null | undefined) => (given === '' || given === null ? undefined : given)),
    z.optional(Password),
  ),
)

/**
 * Letters of any script with combining marks, which many scripts need for vowels. No invisible characters, or two names
 * could look alike.
 */
const NAME = /^(?!.*\p{Default_Ignorable_Code_Point})[\p{L}\p{N}][\p{L}\p{N}\p{M}_.@-]*$/u
export const Username = z.string().check(z.trim(), z.normalize('NFC'), z.minLength(1), z.maxLength(32), z.regex(NAME))
/** No invisible characters, except the zero-width joiner inside an emoji sequence such as a family. */
const VISIBLE = /^(?:\p{Extended_Pictographic}[\u{FE0F}\p{EMod}]?\u{200D}(?=\p{Extended_Pictographic})|[^\p{C}])*$/u
export const Nickname = z.string().check(storable, z.trim(), z.minLength(1), z.maxLength(64), z.regex(VISIBLE))
const ADDRESS_OR_BLANK = new RegExp(`^$|${z.regexes.email.source}`)
/**
 * Blank: the person has none. One that another account has is refused (`emailTaken`); accounts that share one from
 * before keep it.
 */
export const Email = z.string().check(z.trim(), z.maxLength(254), z.regex(ADDRESS_OR_BLANK, 'invalidEmail'))
/** The same where clients may send null for none. */
const SentEmail = z.pipe(
  z.nullable(Email),
  z.transform((given: string | null) => given ?? ''),
)
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
/**
 * Set together with it and readable by scripts. It holds no secret and says only that there may be a session
 * (docs/protocol.md).
 */
const MARKER_COOKIE = 'commons_signed_in'
/**
 * The same marker under the name that clients of the original product know. Our page does not read it, since any portal
 * of the host may have set it.
 */
export const OLD_MARKER_COOKIE = 'cws_user_auth'

/**
 * Adds the port to a cookie's name, because browsers send cookies to every port of a host. `at` is a host or an origin;
 * the default port appears in neither.
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

/** What a person may change of their own account. */
export const SelfUpdate = z.object({
  password: z.optional(Password),
  /** Required when the session is older than an hour; checked whenever it is sent. */
  current_password: z.optional(z.string().check(withoutLineEnd, z.maxLength(512))),
  email: z.optional(SentEmail),
  nickname: z.optional(Nickname),
  avatar: z.optional(Avatar),
  /** Administrators may change their own; for everybody else these are refused, like the fields below. */
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
/**
 * What administrators may change of their own account by `PATCH /user/me`, and nobody else; the last active one stays
 * one.
 */
export const FLAGS = ['is_active', 'is_superuser', 'is_verified'] as const
/** What that call changes for nobody: there are calls for accounts. */
export const PRIVILEGED_FIELDS = ['username', 'remark', 'id', 'setting', 'credits'] as const

export const updateMe = {
  ...nothing,
  access: 'user',
  method: 'PATCH',
  path: '/user/me',
  summary: 'Changes one’s own password, nickname, e-mail or avatar; of an administrator also the flags.',
  body: SelfUpdate,
  result: UserRead,
} as const satisfies Call

/** The key is never sent back. Blank keeps it as long as the address stays on the same host; null clears it. */
export const updateOwnApi = {
  ...nothing,
  access: 'user',
  method: 'PUT',
  path: '/user/me/openai-api',
  summary: 'Sets an address and key of one’s own for openai_api, where an administrator allows it.',
  body: CustomApi,
  result: UserRead,
} as const satisfies Call

const Remark = z.nullable(z.string().check(z.maxLength(256), storable))

export const UserReadAdmin = z.extend(UserRead, { remark: z.nullable(z.string()) })
export type UserReadAdmin = z.infer<typeof UserReadAdmin>

export const UserCreate = z.object({
  username: Username,
  nickname: Nickname,
  email: z._default(SentEmail, ''),
  password: Password,
  is_active: z._default(z.boolean(), true),
  is_superuser: z._default(z.boolean(), false),
  is_verified: z._default(z.boolean(), false),
  avatar: z.optional(Avatar),
  remark: z.optional(Remark),
})
export type UserCreate = z.output<typeof UserCreate>

/** What is stored may be older than a rule for what is sent. */
const SeenUser = z.pick(UserReadAdmin, {
  username: true,
  nickname: true,
  email: true,
  avatar: true,
  is_active: true,
  is_superuser: true,
  is_verified: true,
  remark: true,
})
export const UserUpdate = z.object({
  password: NewPassword,
  email: z.optional(SentEmail),
  is_active: z.optional(z.boolean()),
  is_superuser: z.optional(z.boolean()),
  is_verified: z.optional(z.boolean()),
  nickname: z.optional(Nickname),
  avatar: z.optional(Avatar),
  username: z.optional(Username),
  remark: z.optional(Remark),
  /**
   * The values that were seen of the fields that are sent: where somebody has changed one meanwhile, nothing is stored
   * (`changedMeanwhile`).
   */
  expected: z.optional(z.partial(SeenUser)),
})
export type UserUpdate = z.infer<typeof UserUpdate>

const byId = z.object({ id: RowId })

export const register = {
  ...nothing,
  access: 'superuser',
  method: 'POST',
  path: '/auth/register',
  summary: 'Makes an account under the plan for new users.',
  body: UserCreate,
  result: UserReadAdmin,
} as const satisfies Call

export const listUsers = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/user',
  summary: 'All accounts.',
  result: z.array(UserReadAdmin),
} as const satisfies Call

export const readUser = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/user/:id',
  summary: 'One account.',
  params: byId,
  result: UserReadAdmin,
} as const satisfies Call

export const updateUser = {
  ...nothing,
  access: 'superuser',
  method: 'PATCH',
  path: '/user/:id',
  summary: 'Changes an account.',
  params: byId,
  body: UserUpdate,
  result: UserReadAdmin,
} as const satisfies Call

export const deleteUser = {
  ...nothing,
  access: 'superuser',
  method: 'DELETE',
  path: '/user/:id',
  summary: 'Removes an account.',
  params: byId,
  result: z.null(),
} as const satisfies Call

export const updateUserSetting = {
  ...nothing,
  access: 'superuser',
  method: 'PATCH',
  path: '/user/:id/setting',
  summary: 'Changes what a person may ask.',
  params: byId,
  body: UserSettingUpdate,
  result: UserReadAdmin,
} as const satisfies Call
