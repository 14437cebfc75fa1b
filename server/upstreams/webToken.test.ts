import { describe, expect, test } from 'vitest'
import type { CredentialsRead } from '#contract/configuration/credentials.ts'
import type { UpstreamRead } from '#contract/upstreams.ts'
import { readStartConfiguration } from '#server/configuration/start.ts'
import { emptyFolder } from '#testing/dataFolder.ts'
import { startPortal } from '#testing/portal.ts'

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const tokenOf = (user_id: string) =>
  `${base64({ alg: 'RS256' })}.${base64({ sub: 'auth0|1', 'https://api.openai.com/auth': { user_id } })}.${'s'.repeat(342)}`
const TOKEN = tokenOf('user-1')
const SESSION = JSON.stringify({ user: { id: 'user-1', name: 'Lin' }, accessToken: TOKEN, authProvider: 'x' }, null, 2)
const SEVERAL = 'there is more than one token; enter one'
const ADDRESS = 'http://127.0.0.1:9/web/'

describe('the JSON of a session in place of a token', () => {
  test('is taken as its token: in the credentials, with the settings, at a further account and in a test of one', async () => {
    const { admin, app } = await startPortal({
      environment: { COMMONS_OPENAI_WEB_ENABLED: 'true', COMMONS_OPENAI_WEB_CHATGPT_BASE_URL: ADDRESS },
    })
    const { credentials, upstreams } = app.services
    await admin.result('PUT', '/system/credentials', { openai_web_access_token: SESSION })
    expect(credentials.inUse('openai_web_access_token')).toBe(TOKEN)
    const { _set } = await admin.result<CredentialsRead>('GET', '/system/credentials')
    expect(_set['openai_web_access_token']).toMatchObject({ set: true, last4: 'ssss' })
    const of_user_2 = { credentials: { openai_web_access_token: `Bearer ${tokenOf('user-2')}` } }
    await admin.result('PUT', '/system/settings', of_user_2)
    expect(credentials.inUse('openai_web_access_token')).toBe(tokenOf('user-2'))
    const account = { account_id: null, user_id: 'user-2', subject: 'auth0|1' }
    expect((await admin.result<UpstreamRead[]>('GET', '/system/upstreams')).map(each => each.token_account)).toEqual([
      account,
      null,
    ])

    const further = { source: 'openai_web', label: 'Second', base_url: ADDRESS }
    const added = await admin.result<UpstreamRead>('POST', '/system/upstreams', { ...further, secret: SESSION })
    expect(upstreams.reach({ id: added.id }).key).toBe(TOKEN)
    const { id } = added
    await admin.result('PATCH', `/system/upstreams/${id}`, { secret: `"${tokenOf('user-3')}",\n` })
    expect(upstreams.reach({ id }).key).toBe(tokenOf('user-3'))
    const draft = { source: 'openai_web', base_url: ADDRESS, secret: SESSION }
    expect(await admin.result('POST', '/system/upstreams/test', draft)).toMatchObject({ message: 'errors.httpError' })
  })

  test('says whose it was when it has been removed', async () => {
    const { admin } = await startPortal({
      environment: { COMMONS_OPENAI_WEB_ENABLED: 'true', COMMONS_OPENAI_WEB_CHATGPT_BASE_URL: ADDRESS },
    })
    const account = { account_id: null, user_id: 'user-1', subject: 'auth0|1' }
    await admin.result('PUT', '/system/credentials', { openai_web_access_token: SESSION })
    await admin.result('PUT', '/system/credentials', { openai_web_access_token: null })
    const further = { source: 'openai_web', label: 'Second', base_url: ADDRESS, secret: TOKEN }
    const { id } = await admin.result<UpstreamRead>('POST', '/system/upstreams', further)
    await admin.result('PATCH', `/system/upstreams/${id}`, { secret: null })
    const accounts = await admin.result<UpstreamRead[]>('GET', '/system/upstreams')
    const web = accounts.filter(({ source }) => source === 'openai_web')
    expect(web.map(({ _set, token_account }) => [_set.secret?.set, token_account])).toEqual([
      [false, account],
      [false, account],
    ])
    await admin.result('PATCH', `/system/upstreams/${id}`, { secret: tokenOf('user-2') })
    const [, second] = await admin
      .result<UpstreamRead[]>('GET', '/system/upstreams')
      .then(all => all.filter(({ source }) => source === 'openai_web'))
    expect(second?.token_account).toEqual({ ...account, user_id: 'user-2' })
  })

  test('is refused in words where it holds no token or several, and nothing is stored', async () => {
    const { admin, app } = await startPortal({ environment: { COMMONS_OPENAI_WEB_ENABLED: 'true' } })
    const wrong = `${TOKEN}\n${tokenOf('user-2')}`
    const saysSo = (loc: string[], msg = SEVERAL) =>
      expect.objectContaining({ code: 422, detail: [expect.objectContaining({ loc, msg })] })
    expect(await admin.call('PUT', '/system/credentials', { openai_web_access_token: wrong })).toEqual(
      saysSo(['body', 'openai_web_access_token']),
    )
    const cookie = '__Secure-next-auth.session-token=abc; a=b'
    const is_cookie = 'this is a cookie or a session token; a web account is asked with the access token of the session'
    expect(await admin.call('PUT', '/system/credentials', { openai_web_access_token: cookie })).toEqual(
      saysSo(['body', 'openai_web_access_token'], is_cookie),
    )
    const further = { source: 'openai_web', label: 'Second', base_url: ADDRESS, secret: wrong }
    expect(await admin.call('POST', '/system/upstreams', further)).toEqual(saysSo(['body', 'secret']))
    expect(await admin.call('POST', '/system/upstreams/test', further)).toMatchObject({ code: 422 })
    // A key of the other source is what it was.
    const key = { source: 'openai_api', label: 'Third', secret: 'Bearer sk-abc' }
    const { id } = await admin.result<UpstreamRead>('POST', '/system/upstreams', key)
    expect(app.services.upstreams.reach({ id }).key).toBe('sk-abc')
    expect(await admin.call('POST', '/system/upstreams', { ...key, secret: 'two words' })).toEqual(
      saysSo(['body', 'secret'], 'a key is made of letters, digits and symbols of ASCII, without spaces'),
    )
  })

  test('is taken from the environment, or named as what is wrong with that', async () => {
    const given = async (token: string) =>
      readStartConfiguration({
        COMMONS_DATA_DATA_DIR: await emptyFolder(),
        COMMONS_CREDENTIALS_OPENAI_WEB_ACCESS_TOKEN: token,
      }).credentials.openai_web_access_token
    expect(await given(SESSION)).toBe(TOKEN)
    await expect(given(`${TOKEN}\n${tokenOf('user-2')}`)).rejects.toThrow(
      `COMMONS_CREDENTIALS_OPENAI_WEB_ACCESS_TOKEN: ${SEVERAL}`,
    )
  })
})
