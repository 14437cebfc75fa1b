import type { FirstSignIn, RuleOutcome, SignInRule } from '#contract/signIn.ts'

/** What a provider says of somebody, by the names that it has for it. */
export type Claims = Readonly<Record<string, unknown>>

type Welcome = {
  rules: readonly SignInRule[]
  first_sign_in: FirstSignIn
  allowed: readonly string[]
  groups_claim: string
}

/** A claim is one value or a list of them; a value that is no text counts as it is written. */
const valuesOf = (claims: Claims, name: string): string[] => {
  const claim = Object.hasOwn(claims, name) ? claims[name] : undefined
  return (Array.isArray(claim) ? claim : [claim]).filter(each => each !== undefined && each !== null).map(String)
}

/** The address, where the provider says that it is theirs: another one says nothing of who they are. */
export function verifiedEmail({ email, email_verified }: Claims): string | null {
  return typeof email === 'string' && (email_verified === true || email_verified === 'true') ? email : null
}

/** Of each value the first rule that matches and says something. */
export function decide(claims: Claims, { rules, first_sign_in, allowed, groups_claim }: Welcome): RuleOutcome {
  const matching = rules.filter(({ claim, value }) => claim === null || valuesOf(claims, claim).includes(value))
  const first = <F extends 'plan_id' | 'is_active' | 'is_superuser'>(field: F) =>
    matching.find(rule => rule[field] !== null)?.[field] ?? null
  const is_active = first('is_active')
  return {
    plan_id: first('plan_id'),
    is_active,
    is_superuser: first('is_superuser'),
    is_welcome: is_active !== false && isAllowed(claims, { first_sign_in, allowed, groups_claim }),
  }
}

function isAllowed(claims: Claims, { first_sign_in, allowed, groups_claim }: Omit<Welcome, 'rules'>): boolean {
  if (first_sign_in === 'group') return valuesOf(claims, groups_claim).some(group => allowed.includes(group))
  if (first_sign_in !== 'domain') return false
  const domain = verifiedEmail(claims)?.split('@').at(-1)?.toLowerCase()
  return domain !== undefined && allowed.some(each => each.toLowerCase() === domain)
}
