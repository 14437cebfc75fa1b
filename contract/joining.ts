/** What whoever holds the link of an invitation may do, without an account. */
import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { Time } from './envelope.ts'
import { Source } from './models.ts'
import { Nickname, Password, Username } from './users.ts'

/** What is no token is answered like one that nobody has. */
const Token = z.string().check(z.maxLength(200))

/** A limit of the plan: `amount` in asks, tokens or the portal's currency. */
const OfferedLimit = z.object({
  source: Source,
  unit: z.enum(['asks', 'tokens', 'money']),
  amount: z.number(),
  window: z.enum(['rolling', 'from_first', 'day', 'week', 'month', 'ever']),
  /** Of `rolling` and `from_first`. */
  seconds: z.nullable(z.int()),
})
export type OfferedLimit = z.infer<typeof OfferedLimit>

/** What somebody is told who holds the link. */
export const OfferedInvitation = z.object({
  /** The nickname of who invites; null: that account is gone. */
  invited_by: z.nullable(z.string()),
  state: z.enum(['open', 'used', 'expired']),
  uses_left: z.int(),
  end_time: z.nullable(Time),
  plan: z.object({
    /** Null: the default plan, which needs no name. */
    name: z.nullable(z.string()),
    /** Those of all models together. */
    limits: z.array(OfferedLimit),
    currency: z.string(),
    /** How many models can be asked. */
    models: z.int(),
    may_upload: z.boolean(),
  }),
})
export type OfferedInvitation = z.infer<typeof OfferedInvitation>

export const readInvitation = {
  ...nothing,
  access: 'anyone',
  method: 'POST',
  path: '/invitation/read',
  summary: 'What an invitation offers. One that is revoked is not found, like one that never was.',
  body: z.object({ token: Token }),
  result: OfferedInvitation,
} as const satisfies Call

export const checkInvitedName = {
  ...nothing,
  access: 'anyone',
  method: 'POST',
  path: '/invitation/name',
  summary: 'Whether whoever holds an open invitation may take this user name.',
  body: z.object({ token: Token, username: Username }),
  result: z.object({ is_free: z.boolean() }),
} as const satisfies Call

export const acceptInvitation = {
  ...nothing,
  access: 'anyone',
  method: 'POST',
  path: '/invitation/accept',
  summary: 'Makes an account by an invitation, and signs in.',
  body: z.object({ token: Token, username: Username, nickname: Nickname, password: Password }),
  result: z.null(),
} as const satisfies Call
