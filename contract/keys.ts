/** Personal keys, by which other tools ask as their owner (docs/gateway.md). */
import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { RowId, storable, Time } from './envelope.ts'
import { NamedUser } from './jobs.ts'
import { ModelCode } from './models.ts'
import { pageOf, paging } from './paging.ts'
import { hasEachOnce, PlanLimit } from './plans.ts'

/** What every key begins with, so that it is found where it was left by mistake. */
export const KEY_PREFIX = 'cmn_'
/** Characters of its end that stay visible. */
export const KEY_ENDING = 4
/** Characters. */
export const MAX_KEY_NAME = 64
export const MAX_KEY_LIMITS = 20

const Name = z.string().check(storable, z.trim(), z.minLength(1), z.maxLength(MAX_KEY_NAME))

/** Keys ask openai_api alone, and a limit of theirs always has an amount. */
const KeyLimit = z.safeExtend(PlanLimit, { source: z.literal('openai_api'), amount: z.number().check(z.minimum(0)) })

/** What a key alone may use; what its owner has left of the same holds beside it. */
const KeyLimits = z.array(KeyLimit).check(z.maxLength(MAX_KEY_LIMITS), hasEachOnce)

const fields = {
  name: Name,
  /** Null: it has no end. */
  expires_at: z.nullable(Time),
  limits: KeyLimits,
  /** Null: all that its owner may ask. */
  models: z.nullable(z.array(ModelCode).check(z.minLength(1), z.maxLength(200))),
  /** False: it asks within its owner's share alone. */
  may_borrow: z.boolean(),
  /** What it asks is kept as conversations of its owner. */
  keeps_conversations: z.boolean(),
}

/** What a key has used of one of its limits. */
const UsedOfKey = z.object({ used: z.number(), allowed: z.number(), resets_at: z.nullable(Time) })

const stored = {
  id: z.int(),
  name: z.string(),
  /** The last characters of the secret. */
  ending: z.string(),
  create_time: Time,
  expires_at: z.nullable(Time),
  last_used_time: z.nullable(Time),
  last_tool: z.nullable(z.string()),
}

export const UserKey = z.object({
  ...stored,
  limits: z.array(PlanLimit),
  models: z.nullable(z.array(z.string())),
  may_borrow: z.boolean(),
  /** It asks only while nobody else waits, and pays half. */
  quiet_only: z.boolean(),
  /** What it asks is kept as conversations of its owner. */
  keeps_conversations: z.boolean(),
  used: z.object({
    /** Of its limits, in their order. */
    limits: z.array(UsedOfKey),
    asks_of_week: z.number(),
  }),
})
export type UserKey = z.infer<typeof UserKey>

export const listOwnKeys = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/user/me/keys',
  summary: 'The keys of the user, the latest first, and how many there may be.',
  result: z.object({ keys: z.array(UserKey), most: z.int() }),
} as const satisfies Call

export const NewKey = z.object({
  ...fields,
  expires_at: z._default(fields.expires_at, null),
  limits: z._default(fields.limits, []),
  models: z._default(fields.models, null),
  may_borrow: z._default(fields.may_borrow, true),
  quiet_only: z._default(z.boolean(), false),
  keeps_conversations: z._default(fields.keeps_conversations, false),
})
export type NewKey = z.infer<typeof NewKey>

export const createKey = {
  ...nothing,
  access: 'user',
  method: 'POST',
  path: '/user/me/keys',
  summary: 'Makes a key. It is answered this once.',
  body: NewKey,
  result: z.object({ id: z.int(), key: z.string() }),
} as const satisfies Call

export const KeyChanges = z.extend(z.partial(z.object(fields)), {
  /** The key gets another secret; the former one does not hold any more. */
  rotate: z.optional(z.literal(true)),
})
export type KeyChanges = z.infer<typeof KeyChanges>

const byId = z.object({ id: RowId })

export const changeKey = {
  ...nothing,
  access: 'user',
  method: 'PATCH',
  path: '/user/me/keys/:id',
  summary: 'Changes what is sent of a key. `rotate`: it is answered anew, this once.',
  params: byId,
  body: KeyChanges,
  result: z.object({ key: z.nullable(z.string()) }),
} as const satisfies Call

export const revokeOwnKey = {
  ...nothing,
  access: 'user',
  method: 'DELETE',
  path: '/user/me/keys/:id',
  summary: 'Revokes a key: what it asks at the moment ends.',
  params: byId,
  result: z.null(),
} as const satisfies Call

export const KeyOfUser = z.object({ ...stored, user: NamedUser })
export type KeyOfUser = z.infer<typeof KeyOfUser>

export const listKeys = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/keys',
  summary: 'The keys of everybody, the latest first, without their secrets.',
  query: z.object({ page: paging.page, size: paging.size }),
  result: pageOf(KeyOfUser),
} as const satisfies Call

export const revokeKey = {
  ...nothing,
  access: 'superuser',
  method: 'DELETE',
  path: '/keys/:id',
  summary: 'Revokes a key of somebody: what it asks at the moment ends.',
  params: byId,
  result: z.null(),
} as const satisfies Call
