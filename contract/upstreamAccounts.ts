/** What a web account says of itself and of its teams. */
import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { RowId } from './envelope.ts'

const text = z.optional(z.nullable(z.string()))
const flag = z.optional(z.nullable(z.boolean()))

/** The specification, section 3, "Account check". */
export const UpstreamAccount = z.looseObject({
  account: z.looseObject({
    account_user_role: text,
    account_user_id: text,
    processor: z.optional(z.unknown()),
    account_id: text,
    organization_id: text,
    is_most_recent_expired_subscription_gratis: flag,
    has_previously_paid_subscription: flag,
    name: text,
    profile_picture_id: text,
    profile_picture_url: text,
    structure: text,
    plan_type: text,
    is_deactivated: flag,
    promo_data: z.optional(z.unknown()),
  }),
  features: z.optional(z.nullable(z.array(z.string()))),
  entitlement: z.optional(
    z.nullable(
      z.looseObject({
        subscription_id: text,
        has_active_subscription: flag,
        subscription_plan: text,
        expires_at: text,
        billing_period: text,
      }),
    ),
  ),
  last_active_subscription: z.optional(z.unknown()),
  is_eligible_for_yearly_plus_subscription: flag,
})

/** The accounts by their ids, and the ids in the order in which they are offered: the most useful one first. */
export const CheckedAccounts = z.object({
  accounts: z.record(z.string(), UpstreamAccount),
  account_ordering: z.array(z.string()),
})
export type CheckedAccounts = z.infer<typeof CheckedAccounts>

export const checkUpstreamAccount = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/system/check-openai-web-account',
  summary: 'Plans of the first shared web account.',
  result: CheckedAccounts,
} as const satisfies Call

export const checkUpstreamAccounts = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/system/upstreams/:id/accounts',
  summary: 'Plans of a shared web account: of its person, and of the teams it belongs to.',
  params: z.object({ id: RowId }),
  result: CheckedAccounts,
} as const satisfies Call
