import { describe, expect, test } from 'vitest'
import type { FirstSignIn, SignInRule } from '#contract/signIn.ts'
import { type Claims, decide, verifiedEmail } from './rules.ts'

const rule = (fields: Partial<SignInRule>): SignInRule => ({
  claim: 'groups',
  value: 'family',
  plan_id: null,
  is_active: null,
  is_superuser: null,
  ...fields,
})
const outcome = (claims: Claims, rules: SignInRule[], first_sign_in: FirstSignIn = 'nobody', allowed: string[] = []) =>
  decide(claims, { rules, first_sign_in, allowed, groups_claim: 'groups' })

describe('rules', () => {
  test('say nothing of somebody whom none of them fits', () => {
    expect(outcome({ groups: ['elders'] }, [rule({ plan_id: 3 })])).toMatchObject({
      plan_id: null,
      is_active: null,
      is_superuser: null,
    })
  })
  test('decide each value by the first that fits and says something of it', () => {
    const rules = [
      rule({ value: 'elders', plan_id: 2 }),
      rule({ is_superuser: true }),
      rule({ plan_id: 3 }),
      rule({ claim: null, value: '', plan_id: 4, is_active: false }),
    ]
    expect(outcome({ groups: ['family'] }, rules)).toMatchObject({ plan_id: 3, is_superuser: true, is_active: false })
    expect(outcome({ groups: ['family', 'elders'] }, rules)).toMatchObject({ plan_id: 2, is_superuser: true })
    expect(outcome({}, rules)).toMatchObject({ plan_id: 4, is_superuser: null, is_active: false })
  })
  test.each<[string, Claims, boolean]>([
    ['a list', { groups: ['x', 'family'] }, true],
    ['one value', { groups: 'family' }, true],
    ['a part of a value', { groups: ['family-friends'] }, false],
    ['other letters', { groups: ['Family'] }, false],
    ['no list at all', { groups: null }, false],
    ['an object', { groups: { family: true } }, false],
    ['another claim', { roles: ['family'] }, false],
  ])('compare whole values of a claim: %s', (_, claims, fits) => {
    expect(outcome(claims, [rule({ plan_id: 3 })]).plan_id).toBe(fits ? 3 : null)
  })
  test('compare numbers and switches as they are written, and nothing that claims inherit', () => {
    expect(outcome({ level: 7 }, [rule({ claim: 'level', value: '7', plan_id: 3 })]).plan_id).toBe(3)
    expect(outcome({ staff: true }, [rule({ claim: 'staff', value: 'true', plan_id: 3 })]).plan_id).toBe(3)
    expect(outcome({}, [rule({ claim: 'constructor', value: String(Object), plan_id: 3 })]).plan_id).toBe(null)
  })
})

describe('somebody who comes for the first time', () => {
  const MAIL = { email: 'lin@Example.org', email_verified: true }
  test.each<[FirstSignIn, string[], Claims, boolean]>([
    ['nobody', ['example.org'], MAIL, false],
    ['invitation', ['example.org'], MAIL, false],
    ['domain', ['example.org'], MAIL, true],
    ['domain', ['EXAMPLE.ORG'], MAIL, true],
    ['domain', ['ample.org'], MAIL, false],
    ['domain', ['example.org'], { ...MAIL, email_verified: false }, false],
    ['domain', ['example.org'], { email: MAIL.email }, false],
    ['domain', ['evil.example'], { ...MAIL, email: 'x@evil.example@example.org' }, false],
    ['domain', [], MAIL, false],
    ['group', ['family'], { groups: ['family'] }, true],
    ['group', ['family'], { groups: ['elders'] }, false],
    ['group', ['family'], {}, false],
  ])('is welcome, as %s of %j has it: %j', (first_sign_in, allowed, claims, is_welcome) => {
    expect(outcome(claims, [], first_sign_in, allowed).is_welcome).toBe(is_welcome)
  })
  test('is not where a rule closes their account', () => {
    const closed = [rule({ claim: null, value: '', is_active: false })]
    expect(outcome(MAIL, closed, 'domain', ['example.org']).is_welcome).toBe(false)
  })
})

describe('an e-mail address', () => {
  test('is believed where the provider has verified it', () => {
    expect(verifiedEmail({ email: 'a@example.org', email_verified: 'true' })).toBe('a@example.org')
    expect(verifiedEmail({ email: 'a@example.org', email_verified: 'yes' })).toBe(null)
    expect(verifiedEmail({ email: ['a@example.org'], email_verified: true })).toBe(null)
  })
})
