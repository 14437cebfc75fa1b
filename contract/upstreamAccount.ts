import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'

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

export const checkUpstreamAccount = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/system/check-openai-web-account',
  summary: 'Plans of the shared web account.',
  result: z.object({ accounts: z.record(z.string(), UpstreamAccount), account_ordering: z.array(z.string()) }),
} as const satisfies Call

export const syncConversations = {
  ...nothing,
  access: 'superuser',
  method: 'POST',
  path: '/system/action/sync-openai-web-conv',
  summary: 'Fetches the list of conversations of the shared account.',
  result: z.null(),
} as const satisfies Call
