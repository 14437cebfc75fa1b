import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { RowId, Time } from './envelope.ts'
import { Allowance, Counted } from './allowance.ts'
import { ChatStatus, Count, UserSettingUpdate } from './limits.ts'
import { ModelCode, Source } from './models.ts'
import { pageOf, paging } from './paging.ts'
import { NewPassword, UserCreate, UserRead, UserReadAdmin, UserUpdate } from './users.ts'

/** Days before the end of the validity from which on a person is about to expire. */
export const EXPIRES_SOON = 7

export const USER_STATES = ['active', 'inactive', 'asking', 'queueing', 'idling'] as const
export const USER_EXPIRIES = ['expired', 'soon', 'never'] as const
const USER_SORTS = [
  'nickname',
  'username',
  'email',
  'create_time',
  'last_active_time',
  'valid_until',
  'used_share',
  'remaining',
  'conversations',
  'sessions',
] as const

const filter = {
  /** Each word must be in nickname, user name, e-mail or remark, regardless of order, case and width. */
  words: paging.words,
  state: z.optional(z.enum(USER_STATES)),
  role: z.optional(z.enum(['user', 'superuser'])),
  /** Who may use this source. */
  allowed: z.optional(Source),
  /** Of `source`, or of any source that the person may use; `never`: of all of them. */
  expiry: z.optional(z.enum(USER_EXPIRIES)),
  source: z.optional(Source),
  /** The id of the plan that they are in themselves. */
  plan: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(999_999_999_999_999))),
}
/** The filter of the list, and of a bulk change of all who match. */
export const UserFilter = z.object(filter)
export type UserFilter = z.infer<typeof UserFilter>

export const UserListQuery = z.object({
  ...paging,
  ...filter,
  /**
   * Default: `last_active_time`. By default names are ascending, times and numbers descending; missing or unlimited
   * values come last. `valid_until`, `used_share` and `remaining` are those of `source`, else of the source that ends
   * or is used up first.
   */
  sort: z.optional(z.enum(USER_SORTS)),
  /** The model whose count `used_share` and `remaining` use; default: the total count. */
  model: z.optional(ModelCode),
})
export type UserListQuery = z.infer<typeof UserListQuery>

/** What a person may do with a source, in short. */
export const SourceSummary = z.object({
  allow_to_use: z.boolean(),
  valid_until: z.nullable(Time),
  total: Counted,
  conversations: z.object({ used: z.int(), allowed: Count }),
  /** Those that have a count; every other one is unlimited. */
  models: z.array(z.object({ model: ModelCode, count: Counted })),
})
export type SourceSummary = z.infer<typeof SourceSummary>

export const UserRow = z.extend(z.omit(UserRead, { setting: true, avatar: true }), {
  remark: z.nullable(z.string()),
  chat_status: ChatStatus,
  /** The queue position, from 1, of the person's next ask; null when none waits. */
  queue_position: z.nullable(z.int()),
  credits: z.number(),
  plan: z.object({ plan_id: z.int(), name: z.string() }),
  openai_web: SourceSummary,
  openai_api: SourceSummary,
  /** Conversations that are theirs and not hidden. */
  conversations: z.int(),
  /** Sessions that have not expired. */
  sessions: z.int(),
})
export type UserRow = z.infer<typeof UserRow>

export const UserPage = z.extend(pageOf(UserRow), {
  /** Of everybody, whatever the filter. Online: active in the last five minutes. */
  counts: z.object({ all: z.int(), online: z.int() }),
})
export type UserPage = z.infer<typeof UserPage>

export const listUserPage = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/system/users',
  summary: 'Accounts, a page at a time, with what people do and have left.',
  query: UserListQuery,
  result: UserPage,
} as const satisfies Call

const byId = z.object({ id: RowId })

export const readUserRow = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/system/users/:id',
  summary: 'One account as it stands in the list.',
  params: byId,
  result: UserRow,
} as const satisfies Call

export const createUser = {
  ...nothing,
  access: 'superuser',
  method: 'POST',
  path: '/system/users',
  summary: 'Makes an account; without a password it gets one, which is shown this once.',
  body: z.extend(UserCreate, { password: NewPassword }),
  /** `password`: the generated one; null when one was given. */
  result: z.object({ user: UserReadAdmin, password: z.nullable(z.string()) }),
} as const satisfies Call

export const saveUser = {
  ...nothing,
  access: 'superuser',
  method: 'PATCH',
  path: '/system/users/:id',
  summary:
    'Changes an account as `PATCH /user/:id` and its settings as `PATCH /user/:id/setting`, both or nothing of it.',
  params: byId,
  body: z.object({ account: z.optional(UserUpdate), setting: z.optional(UserSettingUpdate) }),
  result: UserReadAdmin,
} as const satisfies Call

export const resetPassword = {
  ...nothing,
  access: 'superuser',
  method: 'POST',
  path: '/user/:id/password',
  summary: 'Sets a password, or makes one up and shows it this once; ends the sessions.',
  params: byId,
  body: z.object({ password: NewPassword }),
  result: z.object({ password: z.nullable(z.string()) }),
} as const satisfies Call

export const UserRemoval = z.object({
  /** Kept, without an owner. */
  conversations: z.int(),
  /** Removed with their content. */
  files: z.int(),
  file_bytes: z.int(),
  /** Stopped. */
  running_asks: z.int(),
  sessions: z.int(),
  /** If true, the account cannot be removed. */
  is_last_superuser: z.boolean(),
})
export type UserRemoval = z.infer<typeof UserRemoval>

export const previewRemoval = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/user/:id/removal',
  summary: 'What would become of what a person has if the account were removed.',
  params: byId,
  result: UserRemoval,
} as const satisfies Call

/** By what somebody showed who they are when a session began. */
export const PROOFS = ['password', 'invitation', 'provider'] as const
export type ProofKind = (typeof PROOFS)[number]

export const UserSession = z.object({
  id: z.string(),
  proof: z.enum(PROOFS),
  create_time: Time,
  /** To the minute. */
  last_seen_time: Time,
  expire_time: Time,
  user_agent: z.nullable(z.string()),
  address: z.nullable(z.string()),
  /** The session that makes this call. */
  is_current: z.boolean(),
})
export type UserSession = z.infer<typeof UserSession>

export const listUserSessions = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/user/:id/sessions',
  summary: 'Where a person is signed in, the latest used first.',
  params: byId,
  result: z.array(UserSession),
} as const satisfies Call

const Ended = z.object({ ended: z.int() })

export const endUserSession = {
  ...nothing,
  access: 'superuser',
  method: 'DELETE',
  path: '/user/:id/sessions/:session',
  summary: 'Ends one session of a person; none when it has ended.',
  params: z.extend(byId, { session: z.string().check(z.regex(/^[A-Za-z0-9_-]{22}$/)) }),
  result: Ended,
} as const satisfies Call

export const endUserSessions = {
  ...nothing,
  access: 'superuser',
  method: 'DELETE',
  path: '/user/:id/sessions',
  summary: 'Ends all sessions of a person, except the one that asks.',
  params: byId,
  result: Ended,
} as const satisfies Call

export const readUserAllowance = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/user/:id/allowance',
  summary: 'Whether a person may ask now, what remains, and when it opens: what they see themselves.',
  params: byId,
  result: Allowance,
} as const satisfies Call

export const LedgerRow = z.object({
  id: z.int(),
  create_time: Time,
  source: Source,
  /** null: only the total count changed. */
  model: z.nullable(ModelCode),
  /** The change of what remains. */
  change: z.int(),
  of_total: z.boolean(),
  of_model: z.boolean(),
  /** Reserved by an ask, given back by one without an answer, or set or adjusted by an administrator. */
  reason: z.enum(['reserved', 'given back', 'set', 'adjusted']),
  ask_id: z.nullable(z.string()),
})
export type LedgerRow = z.infer<typeof LedgerRow>

export const listLedger = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/user/:id/ledger',
  summary: 'Each change of a person’s counts, the latest first.',
  params: byId,
  query: z.object({ page: paging.page, size: paging.size, source: z.optional(Source) }),
  result: pageOf(LedgerRow),
} as const satisfies Call
