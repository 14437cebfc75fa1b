import * as z from 'zod/mini'
import { Avatar, Email, NewPassword, Nickname, Password, Username } from './accountFields.ts'
import { UserRead } from './accounts.ts'
import { type Call, nothing } from './call.ts'
import { RowId, storable } from './envelope.ts'
import { UserSettingUpdate } from './limits.ts'

const Remark = z.nullable(z.string().check(z.maxLength(256), storable))

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

export const UserUpdate = z.object({
  password: NewPassword,
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
