import { describe, expect, test } from 'vitest'
import type { IdentityProvider } from '#contract/signIn.ts'
import { eachStorage } from '#testing/database.ts'
import { CLIENT, startOidcProvider, Visit } from '#testing/oidcProvider.ts'
import { callApi, signIn } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'

const LIN = { name: 'Lin Xiaoyu', preferred_username: 'lin', email: 'lin@example.org', email_verified: true }
const RULE = { claim: 'groups', plan_id: null, is_active: null, is_superuser: null }
const EVERYBODY_ELSE = { ...RULE, claim: null, value: '', is_active: false }

eachStorage((_, newStorage) => {
  async function opened(fields: object = {}) {
    const portal = await startPortal({ storage: await newStorage() })
    const { admin, url } = portal
    const oidc = await startOidcProvider(url)
    oidc.person('lin', { ...LIN, groups: ['family'] })
    const add = (more: object = {}) =>
      admin.result<IdentityProvider>('POST', '/system/provider', {
        ...{ label: 'Example', issuer: oidc.issuer, client_id: CLIENT.client_id, secret: CLIENT.client_secret },
        ...{ first_sign_in: 'domain', allowed: ['example.org'], ...fields, ...more },
      })
    const { id } = await add()
    const start = `${url}/api/auth/provider/${id}/start`
    /** Where it ended: the reason on the sign-in page, or null for somebody who is in. */
    const come = async (visit = new Visit(), query = '') => {
      const { searchParams } = await visit.open(start + query)
      return searchParams.get('problem')
    }
    const who = async (visit: Visit) => {
      const { code, result } = await callApi(url, visit.cookieHeader(url), 'GET', '/user/me')
      return code === 200 ? (result as { id: number; username: string; nickname: string; email: string }) : null
    }
    const change = (values: object) => admin.result('PATCH', `/system/provider/${id}`, values)
    const link = (visit: Visit, username: string, password: string) =>
      callApi(url, visit.cookieHeader(url), 'POST', '/auth/provider/link', { username, password })
    return { ...portal, oidc, id, add, start, come, who, change, link }
  }

  describe('the first sign-in by a provider', () => {
    test('of an allowed domain makes an account without a password, and the next one finds it', async () => {
      const { come, who, url, admin } = await opened()
      const visit = new Visit()
      expect(await come(visit, '?redirect=%2Fkeys')).toBe(null)
      expect(visit.opened[1]).toMatch(/code_challenge_method=S256/)
      const lin = await who(visit)
      expect(lin).toMatchObject({ username: 'lin', nickname: 'Lin Xiaoyu', email: 'lin@example.org' })
      expect(await admin.result('GET', `/user/${lin?.id}/sessions`)).toMatchObject([{ proof: 'provider' }])
      await expect(signIn(url, 'lin', '!')).rejects.toThrow('badCredentials')
      const again = new Visit()
      await come(again)
      expect(await who(again)).toMatchObject({ id: lin?.id })
    })
    test.each([
      ['domain', ['other.org'], 'linkNeeded'],
      ['group', ['elders'], 'linkNeeded'],
      ['group', ['family'], null],
      ['nobody', ['example.org', 'family'], 'linkNeeded'],
      ['invitation', ['example.org'], 'linkNeeded'],
    ])('as %s of %j comes to %s', async (first_sign_in, allowed, problem) => {
      const { come } = await opened({ first_sign_in, allowed })
      expect(await come()).toBe(problem)
    })
    test('of an address that the provider has not verified is nobody’s domain', async () => {
      const { come, oidc } = await opened()
      oidc.person('lin', { ...LIN, email_verified: false })
      expect(await come()).toBe('linkNeeded')
    })
    test('by an invitation uses it, and puts the account into its plan', async () => {
      const { come, who, admin } = await opened({ first_sign_in: 'invitation' })
      const plan = await admin.result<{ id: number }>('POST', '/plan', { name: 'Family' })
      const { token } = await admin.result<{ token: string }>('POST', '/invitation', { plan_id: plan.id, uses: 1 })
      const visit = new Visit()
      expect(await come(visit, `?invitation=${token}`)).toBe(null)
      const policy = await admin.result('GET', `/user/${(await who(visit))?.id}/policy`)
      expect(policy).toMatchObject({ plan: { plan_id: plan.id } })
      expect(await admin.result('GET', '/invitation')).toMatchObject([{ state: 'used' }])
    })
    test('with a name that is taken gets another one; two at once of one subject get one account', async () => {
      const { come, who, person, oidc } = await opened()
      await person('lin')
      oidc.person('lin', { ...LIN, email: 'xiaoyu@example.org' })
      const [one, other] = [new Visit(), new Visit()]
      expect(await Promise.all([come(one), come(other)])).toEqual([null, null])
      const [first, second] = await Promise.all([who(one), who(other)])
      expect(first).toMatchObject({ username: 'lin2' })
      expect(second).toMatchObject({ id: first?.id })
    })
  })

  describe('connecting an account', () => {
    test('is never by its e-mail address alone: its password is needed, once', async () => {
      const { come, who, link, admin, url } = await opened()
      const owner = { username: 'old-lin', nickname: 'Lin', email: 'LIN@example.org', password: 'correct-horse-7' }
      const { id } = await admin.result<{ id: number }>('POST', '/auth/register', owner)
      const visit = new Visit()
      expect(await come(visit)).toBe('linkNeeded')
      expect(await who(visit)).toBe(null)
      expect((await link(visit, 'old-lin', 'wrong-horse-7')).message).toBe('errors.badCredentials')
      expect((await callApi(url, '', 'POST', '/auth/provider/link', owner)).message).not.toBe('')
      expect((await link(visit, 'old-lin', owner.password)).code).toBe(200)
      const again = new Visit()
      expect(await come(again)).toBe(null)
      expect(await who(again)).toMatchObject({ id })
      // The subject has its account: nobody else is connected with it.
      expect((await link(visit, 'old-lin', owner.password)).message).toBe('errors.signInExpired')
    })
    test('goes on where passwords are for superusers alone, who can always come in with theirs', async () => {
      const { come, link, admin, person, url } = await opened({ first_sign_in: 'nobody' })
      await person('mei')
      await admin.result('PUT', '/system/config', { auth: { password_sign_in: false } })
      await expect(signIn(url, 'mei', 'correct-horse-7')).rejects.toThrow('badCredentials')
      await signIn(url, 'admin', 'correct-horse-7')
      const visit = new Visit()
      expect(await come(visit)).toBe('linkNeeded')
      expect((await link(visit, 'mei', 'correct-horse-7')).code).toBe(200)
      expect(await come()).toBe(null)
    })
  })

  describe('groups', () => {
    test('decide the plan at each sign-in; whoever lost theirs is out, and comes back with it', async () => {
      const { come, who, oidc, change, admin } = await opened()
      const [family, elders] = await Promise.all(
        ['Family', 'Elders'].map(name => admin.result<{ id: number }>('POST', '/plan', { name })),
      )
      const rules = [
        { ...RULE, value: 'elders', plan_id: elders?.id, is_active: true },
        { ...RULE, value: 'family', plan_id: family?.id, is_active: true },
        EVERYBODY_ELSE,
      ]
      await change({ rules })
      const visit = new Visit()
      expect(await come(visit)).toBe(null)
      const id = (await who(visit))?.id
      await admin.result('PUT', `/user/${id}/policy`, { share_weight: 4 })
      const policy = () => admin.result('GET', `/user/${id}/policy`)
      expect(await policy()).toMatchObject({ plan: { plan_id: family?.id } })
      oidc.person('lin', { ...LIN, groups: ['family', 'elders'] })
      await come()
      expect(await policy()).toMatchObject({ plan: { plan_id: elders?.id }, share_weight: { value: 4 } })
      oidc.person('lin', { ...LIN, groups: [] })
      expect(await come()).toBe('signInNotAllowed')
      expect(await who(visit)).toBe(null)
      oidc.person('lin', { ...LIN, groups: ['family'] })
      expect(await come()).toBe(null)
      await admin.result('PATCH', `/user/${id}`, { is_active: false })
      expect(await come()).toBe('signInNotAllowed')
    })
    test('make superusers only where a setting allows it, and never take the last one with a password', async () => {
      const { come, who, change, admin, link } = await opened()
      await change({ rules: [{ ...RULE, value: 'family', is_superuser: true }] })
      const visit = new Visit()
      await come(visit)
      expect(await who(visit)).toMatchObject({ is_superuser: false })
      await admin.result('PUT', '/system/config', { auth: { superusers_by_rules: true } })
      await come(visit)
      expect(await who(visit)).toMatchObject({ is_superuser: true })
      // Another one without a password does not count.
      const removed = await admin.call('PATCH', `/user/${admin.id}`, { is_superuser: false })
      expect(removed.message).toBe('errors.lastSuperuser')
      expect((await link(visit, 'admin', 'correct-horse-7')).message).toBe('errors.signInExpired')
    })
  })

  describe('a provider that signs somebody out', () => {
    test('ends what began by it, once for each token, and nothing on a token that does not hold', async () => {
      const { come, who, oidc, id, url, admin } = await opened()
      const visit = new Visit()
      await come(visit)
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
      const send = async (logout_token: string) => {
        const body = new URLSearchParams({ logout_token })
        return (await (await fetch(`${url}/api/auth/provider/${id}/logout`, { method: 'POST', body })).json()) as {
          code: number
        }
      }
      const claims = { sub: 'lin', jti: 'one', events }
      const unsigned = [{ alg: 'none' }, { iss: oidc.issuer, aud: CLIENT.client_id, ...claims }].map(part =>
        Buffer.from(JSON.stringify(part)).toString('base64url'),
      )
      for (const token of [
        `${unsigned.join('.')}.`,
        await oidc.sign({ ...claims, aud: 'another' }),
        await oidc.sign({ ...claims, iss: 'https://evil.example' }),
        await oidc.sign({ ...claims, nonce: 'an id token' }),
        await oidc.sign({ ...claims, events: {} }),
        await oidc.sign(claims, { iat: Date.now() / 1_000 - 900 }),
      ])
        expect((await send(token)).code).not.toBe(200)
      expect(await who(visit)).not.toBe(null)
      const token = await oidc.sign(claims)
      expect((await send(token)).code).toBe(200)
      expect(await who(visit)).toBe(null)
      await come(visit)
      expect((await send(token)).code).not.toBe(200)
      expect(await who(visit)).not.toBe(null)
      expect((await admin.call('GET', '/user/me')).code).toBe(200)
    })
  })

  describe('nobody is in', () => {
    test('with what another browser began, what is begun twice, or nothing', async () => {
      const { come, who, start, url, id } = await opened()
      const mine = new Visit()
      const callback = await mine.open(start, each => each.pathname.endsWith('/callback'))
      const thief = new Visit()
      expect((await thief.open(callback.href)).searchParams.get('problem')).toBe('signInExpired')
      await thief.open(start, each => each.pathname.endsWith('/callback'))
      expect((await thief.open(callback.href)).searchParams.get('problem')).toBe('signInExpired')
      expect(await who(thief)).toBe(null)
      expect((await mine.open(callback.href)).searchParams.get('problem')).toBe(null)
      const bare = await new Visit().open(`${url}/api/auth/provider/${id}/callback`)
      expect(bare.searchParams.get('problem')).toBe('signInExpired')
      expect(await come()).toBe(null)
    })
    test.each<[string, (token: { claims: Record<string, unknown> }) => void, string]>([
      ['another issuer', ({ claims }) => void (claims['iss'] = 'https://evil.example'), 'providerInvalid'],
      ['another audience', ({ claims }) => void (claims['aud'] = 'another'), 'providerInvalid'],
      ['another nonce', ({ claims }) => void (claims['nonce'] = 'another'), 'providerInvalid'],
      ['a clock five minutes behind', ({ claims }) => shift(claims, -300), 'providerClock'],
      ['a clock five minutes ahead', ({ claims }) => shift(claims, 300), 'providerClock'],
      ['a token that is over', ({ claims }) => shift(claims, -86_400), 'providerClock'],
    ])('by a token of %s', async (_name, spoil, problem) => {
      const { come, oidc } = await opened()
      oidc.changeTokens(spoil)
      expect(await come()).toBe(problem)
    })
    test('by a token that nobody signed, or with a key that the provider has not', async () => {
      const { come, oidc } = await opened()
      for (const how of ['none', 'another key'] as const) {
        oidc.signTokens(how)
        expect(await come()).toBe('providerInvalid')
      }
    })
    test('of a provider that is away, gives nonsense, or is switched off; others come in with its next keys', async () => {
      const { come, oidc, change } = await opened()
      expect(await come()).toBe(null)
      await oidc.rotateKeys()
      expect(await come()).toBe(null)
      oidc.state.answer = () => response => void response.writeHead(503).end()
      expect(await come()).toBe('providerUnreachable')
      oidc.state.answer = () => response =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end('{"issuer":"https://evil.example"}')
      expect(await come()).toBe('providerInvalid')
      oidc.close()
      expect(await come()).toBe('providerUnreachable')
      await change({ enabled: false })
      expect(await come()).toBe('providerNotFound')
    })
  })

  describe('a provider', () => {
    test('is shown without its secret, which goes to no other issuer', async () => {
      const { admin, id, change, person, url } = await opened()
      expect(JSON.stringify(await admin.result('GET', '/system/provider'))).not.toContain(CLIENT.client_secret)
      const moved = await admin.call('PATCH', `/system/provider/${id}`, { issuer: 'https://other.example' })
      expect(moved).toMatchObject({ code: 422, detail: [{ loc: ['body', 'secret'] }] })
      await change({ issuer: 'https://other.example', secret: '' })
      expect(await admin.result('GET', '/system/provider')).toMatchObject([{ has_secret: false, people: 0 }])
      for (const issuer of ['http://example.org', 'https://a@example.org', 'ftp://example.org', 'example.org'])
        expect((await admin.call('PATCH', `/system/provider/${id}`, { issuer })).code).toBe(422)
      expect((await (await person()).call('GET', '/system/provider')).code).toBe(10403)
      expect(await callApi(url, '', 'GET', '/auth/provider')).toMatchObject({ result: [{ id, label: 'Example' }] })
    })
    test('is written down with who changed it, and never its secret', async () => {
      const { admin, id, change, come, link, person } = await opened({ first_sign_in: 'nobody' })
      await person('mei')
      await change({ label: 'Other' })
      const visit = new Visit()
      await come(visit)
      await link(visit, 'mei', 'correct-horse-7')
      await admin.result('DELETE', `/system/provider/${id}`)
      const { rows } = await admin.result<{ rows: { action: string; after: unknown }[] }>('GET', '/audit?size=100')
      const actions = rows.map(({ action }) => action)
      expect(actions).toEqual(
        expect.arrayContaining(['provider.created', 'provider.changed', 'provider.deleted', 'user.linked']),
      )
      expect(JSON.stringify(rows)).not.toContain(CLIENT.client_secret)
    })
    test('is tried with claims before its rules are stored', async () => {
      const { admin } = await opened()
      const tried = (claims: object) =>
        admin.result('POST', '/system/provider/try', {
          claims,
          rules: [{ ...RULE, value: 'family', plan_id: 1, is_active: true }, EVERYBODY_ELSE],
          ...{ first_sign_in: 'group', allowed: ['family'], groups_claim: 'groups' },
        })
      expect(await tried({ groups: ['family'] })).toEqual({
        plan_id: 1,
        is_active: true,
        is_superuser: null,
        is_welcome: true,
      })
      expect(await tried({ groups: ['elders'] })).toMatchObject({ is_active: false, is_welcome: false })
    })
    test('that is removed takes the sessions that began by it, and leaves the accounts', async () => {
      const { admin, id, come, who } = await opened()
      const visit = new Visit()
      await come(visit)
      const lin = await who(visit)
      await admin.result('DELETE', `/system/provider/${id}`)
      expect(await who(visit)).toBe(null)
      expect(await admin.result('GET', `/user/${lin?.id}`)).toMatchObject({ is_active: true })
    })
  })
})

/** The whole token, as a clock that is wrong makes it. */
function shift(claims: Record<string, unknown>, seconds: number): void {
  for (const name of ['iat', 'exp']) claims[name] = Number(claims[name]) + seconds
}
