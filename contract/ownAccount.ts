import * as z from 'zod/mini'
import { Avatar, Email, Nickname, Password } from './accountFields.ts'
import { UserRead } from './accounts.ts'
import { type Call, nothing } from './call.ts'
import { withoutLineEnd } from './envelope.ts'
import { CustomApi } from './limits.ts'

/** What a person may change of their own account. */
export const SelfUpdate = z.object({
  password: z.optional(Password),
  /** Required when the session is older than an hour; checked whenever it is sent. */
  current_password: z.optional(z.string().check(withoutLineEnd, z.maxLength(512))),
  email: z.optional(Email),
  nickname: z.optional(Nickname),
  avatar: z.optional(Avatar),
  /** In the specification's shape. This call refuses it for everybody, administrators included. */
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
export const PRIVILEGED_FIELDS = [
  'is_active',
  'is_superuser',
  'is_verified',
  'username',
  'remark',
  'id',
  'setting',
  'credits',
] as const

export const updateMe = {
  ...nothing,
  access: 'user',
  method: 'PATCH',
  path: '/user/me',
  summary: 'Changes one’s own password, nickname, e-mail or avatar.',
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
