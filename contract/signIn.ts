/** Signing in with an account that people have elsewhere, by OpenID Connect. */
import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { RowId, storable } from './envelope.ts'
import { LoginForm } from './users.ts'

export const MAX_PROVIDERS = 20
export const MAX_RULES = 100

/** Why nobody was signed in: refusals, which the sign-in page shows. */
export const SIGN_IN_PROBLEMS = [
  'providerNotFound',
  'providerUnreachable',
  'providerInvalid',
  'providerClock',
  'signInExpired',
  'signInNotAllowed',
  'linkNeeded',
  'invitationUsed',
  'tooManySignInAttempts',
] as const
export type SignInProblem = (typeof SIGN_IN_PROBLEMS)[number]

/** Who gets an account when they come for the first time. */
export const FIRST_SIGN_INS = ['nobody', 'invitation', 'domain', 'group'] as const
export type FirstSignIn = (typeof FIRST_SIGN_INS)[number]

const shortText = z.string().check(storable, z.trim(), z.maxLength(200))

/** What a claim of the provider is to an account. Null says nothing: a later rule may, or it stays as it is. */
export const SignInRule = z.object({
  /** Null: everybody, whatever the provider says of them. */
  claim: z.nullable(shortText.check(z.minLength(1))),
  value: shortText,
  plan_id: z.nullable(z.int().check(z.minimum(1), z.maximum(999_999_999_999_999))),
  is_active: z.nullable(z.boolean()),
  is_superuser: z.nullable(z.boolean()),
})
export type SignInRule = z.infer<typeof SignInRule>

/** Encrypted connections only; without, on this machine itself. */
const isIssuer = (text: string): boolean => {
  if (!/^https?:\/\/[^\s/?#@\\]+(?:\/[^\s?#\\]*)?$/.test(text)) return false
  return text.startsWith('https:') || /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/|$)/.test(text)
}

const Fields = z.object({
  label: shortText.check(z.minLength(1), z.maxLength(40)),
  issuer: shortText.check(z.refine(isIssuer, 'not an issuer')),
  client_id: shortText.check(z.minLength(1)),
  /** Blank leaves it as it is; null clears it: the provider then knows the portal by PKCE alone. */
  secret: z.nullable(z.string().check(z.maxLength(1_000), storable)),
  /** Beside `openid`, with spaces between. */
  scopes: shortText,
  /** The smallest comes first. */
  position: z.int().check(z.minimum(0), z.maximum(1_000)),
  enabled: z.boolean(),
  first_sign_in: z.enum(FIRST_SIGN_INS),
  /** Domains of e-mail addresses, or groups, as `first_sign_in` says. */
  allowed: z.array(shortText.check(z.minLength(1))).check(z.maxLength(100)),
  groups_claim: shortText.check(z.minLength(1)),
  /** In their order: of each value the first rule that says something counts. */
  rules: z.array(SignInRule).check(z.maxLength(MAX_RULES)),
})

export const IdentityProvider = z.extend(z.omit(Fields, { secret: true }), {
  id: z.int(),
  has_secret: z.boolean(),
  /** How many accounts are connected with it. */
  people: z.int(),
})
export type IdentityProvider = z.infer<typeof IdentityProvider>

export const NewIdentityProvider = z.object({
  ...Fields.shape,
  secret: z._default(Fields.shape.secret, null),
  scopes: z._default(Fields.shape.scopes, 'profile email'),
  position: z._default(Fields.shape.position, 0),
  enabled: z._default(z.boolean(), true),
  first_sign_in: z._default(Fields.shape.first_sign_in, 'nobody'),
  allowed: z._default(Fields.shape.allowed, []),
  groups_claim: z._default(Fields.shape.groups_claim, 'groups'),
  rules: z._default(Fields.shape.rules, []),
})
export type NewIdentityProvider = z.output<typeof NewIdentityProvider>

export const IdentityProviderChanges = z.partial(Fields)
export type IdentityProviderChanges = z.output<typeof IdentityProviderChanges>

const byId = z.object({ id: RowId })

export const listSignInProviders = {
  ...nothing,
  access: 'anyone',
  method: 'GET',
  path: '/auth/provider',
  summary: 'By which providers people may sign in, in the order of the sign-in page.',
  result: z.array(z.object({ id: z.int(), label: z.string() })),
} as const satisfies Call

export const startSignIn = {
  ...nothing,
  access: 'anyone',
  method: 'GET',
  path: '/auth/provider/:id/start',
  summary: 'Leads to the provider, to be opened by a browser. It comes back to the callback.',
  params: byId,
  query: z.object({
    /** The page to go to afterwards. */
    redirect: z.optional(z.string().check(z.maxLength(500))),
    /** The token of an invitation, for whoever has no account yet. */
    invitation: z.optional(z.string().check(z.maxLength(200))),
  }),
  resultKind: 'file',
  result: z.unknown(),
} as const satisfies Call

export const finishSignIn = {
  ...nothing,
  access: 'anyone',
  method: 'GET',
  path: '/auth/provider/:id/callback',
  summary: 'Where a provider leads back to. Signs in and leads into the portal, or to the sign-in page with a reason.',
  params: byId,
  resultKind: 'file',
  result: z.unknown(),
} as const satisfies Call

export const linkIdentity = {
  ...nothing,
  access: 'anyone',
  method: 'POST',
  path: '/auth/provider/link',
  summary: 'Signs in with a password and connects the account with whom a provider has just named (`linkNeeded`).',
  body: z.pick(LoginForm, { username: true, password: true }),
  result: z.null(),
} as const satisfies Call

export const endProviderSessions = {
  ...nothing,
  access: 'anyone',
  method: 'POST',
  path: '/auth/provider/:id/logout',
  summary: 'Back-channel logout: a provider says by a signed token that somebody has signed out there.',
  params: byId,
  body: z.object({ logout_token: z.string().check(z.minLength(1), z.maxLength(16_000)) }),
  bodyKind: 'form',
  result: z.null(),
} as const satisfies Call

export const listProviders = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/system/provider',
  summary: 'The providers of signing in, without their secrets.',
  result: z.array(IdentityProvider),
} as const satisfies Call

export const createProvider = {
  ...nothing,
  access: 'superuser',
  method: 'POST',
  path: '/system/provider',
  summary: 'Adds a provider of signing in.',
  body: NewIdentityProvider,
  result: IdentityProvider,
} as const satisfies Call

export const changeProvider = {
  ...nothing,
  access: 'superuser',
  method: 'PATCH',
  path: '/system/provider/:id',
  summary: 'Changes a provider of signing in. With another issuer its secret must be sent again.',
  params: byId,
  body: IdentityProviderChanges,
  result: IdentityProvider,
} as const satisfies Call

export const removeProvider = {
  ...nothing,
  access: 'superuser',
  method: 'DELETE',
  path: '/system/provider/:id',
  summary: 'Removes a provider, with the sessions that began by it. The accounts stay.',
  params: byId,
  result: z.null(),
} as const satisfies Call

/** What the rules make of somebody. Null: it stays as it is. */
export const RuleOutcome = z.object({
  plan_id: z.nullable(z.int()),
  is_active: z.nullable(z.boolean()),
  is_superuser: z.nullable(z.boolean()),
  /** Whether they would get an account when they come for the first time, without an invitation. */
  is_welcome: z.boolean(),
})
export type RuleOutcome = z.infer<typeof RuleOutcome>

export const tryPerson = {
  ...nothing,
  access: 'superuser',
  method: 'POST',
  path: '/system/provider/try',
  summary: 'What rules would make of somebody with these claims. Changes nothing.',
  body: z.object({
    claims: z.record(z.string().check(z.maxLength(200)), z.unknown()),
    ...z.pick(Fields, { rules: true, first_sign_in: true, allowed: true, groups_claim: true }).shape,
  }),
  result: RuleOutcome,
} as const satisfies Call
