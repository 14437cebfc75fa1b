import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { RowId, Time } from './envelope.ts'
import { NamedUser } from './jobs.ts'

/** People who may come by one invitation at most. */
export const MAX_USES = 1_000
/** Days until the end of one where nothing else is said. */
export const INVITATION_DAYS = 7
/** Invitations that are open at the same time. */
export const MAX_INVITATIONS = 500

/** `revoked` goes before `used`, and that before `expired`. */
export const INVITATION_STATES = ['open', 'used', 'expired', 'revoked'] as const
export const InvitationState = z.enum(INVITATION_STATES)
export type InvitationState = z.infer<typeof InvitationState>

export const Invitation = z.object({
  id: z.int(),
  /** The plan that whoever comes by it is in; null: the default plan. */
  plan_id: z.nullable(z.int()),
  uses: z.int(),
  used: z.int(),
  /** null: it has no end. */
  end_time: z.nullable(Time),
  state: InvitationState,
  create_time: Time,
  created_by: z.nullable(NamedUser),
})
export type Invitation = z.infer<typeof Invitation>

export const listInvitations = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/invitation',
  summary: 'Invitations, the latest first, without their links.',
  result: z.array(Invitation),
} as const satisfies Call

export const createInvitation = {
  ...nothing,
  access: 'superuser',
  method: 'POST',
  path: '/invitation',
  summary: 'Makes an invitation. Its link, `/invite/` and the token, is answered this once.',
  body: z.object({
    plan_id: z._default(z.nullable(z.int().check(z.minimum(1), z.maximum(999_999_999_999_999))), null),
    uses: z._default(z.int().check(z.minimum(1), z.maximum(MAX_USES)), 1),
    /** Left out: after a week. null: it has no end. */
    end_time: z.optional(z.nullable(Time)),
  }),
  result: z.extend(Invitation, { token: z.string() }),
} as const satisfies Call

export const revokeInvitation = {
  ...nothing,
  access: 'superuser',
  method: 'DELETE',
  path: '/invitation/:id',
  summary: 'Revokes an invitation: nobody comes by it any more. Whoever has come stays.',
  params: z.object({ id: RowId }),
  result: z.null(),
} as const satisfies Call
