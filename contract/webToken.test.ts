import { describe, expect, test } from 'vitest'
import { accountOfToken, isOtherAccount, readWebToken, webTokenText } from './webToken.ts'

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const tokenOf = (claims: object, signature = 'x'.repeat(342)) =>
  `${base64({ alg: 'RS256', typ: 'JWT', kid: '19' })}.${base64(claims)}.${signature}`
const TOKEN = tokenOf({ sub: 'auth0|one', exp: 1_900_000_000, scope: 'openid profile email', name: '小林' })
const OTHER = tokenOf({ sub: 'auth0|two' })
const ENCRYPTED = `${base64({ alg: 'dir', enc: 'A256GCM' })}..${'a'.repeat(16)}.${'b'.repeat(200)}.${'c'.repeat(22)}`
const session = (more: object = { accessToken: TOKEN }) => ({
  user: { id: 'user-1', name: 'Lin', email: 'lin@example.org', image: 'https://img.example/a.png', groups: [] },
  expires: '2026-12-01T00:00:00.000Z',
  account: { id: 'acc-1', planType: 'plus' },
  ...more,
  authProvider: 'auth0',
  sessionToken: ENCRYPTED,
})
const wrapped = (text: string, length: number, by = '\n') =>
  (text.match(new RegExp(`.{1,${length}}`, 'g')) ?? []).join(by)

describe('a token of a web account', () => {
  test.each([
    ['alone', TOKEN],
    ['with line ends and spaces around it', `\r\n  ${TOKEN} \n`],
    ['with a mark of the byte order', `\uFEFF${TOKEN}`],
    ['in quotes', `"${TOKEN}"`],
    ['in other quotes, with a comma', `“${TOKEN}”,`],
    ['behind Bearer', `Bearer ${TOKEN}`],
    ['as a header', `Authorization: bearer ${TOKEN}`],
    ['in a command with a cookie', `curl 'https://x/y' -H 'authorization: Bearer ${TOKEN}' -H 'cookie: a=b; c=d'`],
    ['in the JSON of a session', JSON.stringify(session())],
    ['in that with line ends', JSON.stringify(session(), null, 2).replaceAll('\n', '\r\n')],
    ['in that with a mark of the byte order, behind words', `\uFEFFHere it is:\n${JSON.stringify(session())}`],
    ['in that within quotes', `'${JSON.stringify(session())}'`],
    ['in that as a text of JSON', JSON.stringify(JSON.stringify(session()))],
    ['in that as a page shows it', JSON.stringify(session()).replaceAll('"', '&quot;')],
    ['in a line of that', `  "accessToken": "${TOKEN}",`],
    ['in a part of that', `{"accessToken":"${TOKEN}","authProvider":"auth0",`],
    ['in that, with a break within the token', JSON.stringify(session({ accessToken: wrapped(TOKEN, 76, '\n') }))],
    ['of an answer of OAuth', JSON.stringify({ access_token: TOKEN, token_type: 'Bearer', expires_in: 86_400 })],
    ['twice the same', `${TOKEN}\n${TOKEN}`],
    ['in a list of one', JSON.stringify([TOKEN])],
    ['as a variable', `COMMONS_CREDENTIALS_OPENAI_WEB_ACCESS_TOKEN=${TOKEN}`],
    ['as an exported variable', `export CHATGPT_ACCESS_TOKEN="${TOKEN}"`],
    ['broken into lines', wrapped(TOKEN, 64)],
    ['broken into lines with indents', wrapped(TOKEN, 76, '\r\n    ')],
    ['with a break in its signature', `${TOKEN.slice(0, -40)}\n${TOKEN.slice(-40)}`],
    ['with a word behind it', `${TOKEN} (Lin)`],
  ])('is taken %s', (_, pasted) => {
    expect(readWebToken(pasted)).toEqual({ token: TOKEN })
    expect(webTokenText.parse(pasted)).toBe(TOKEN)
  })

  test.each(['opaque-token_1', 'first', 'fk-3f0c', 'a'.repeat(300), 'ab/c+d=='])('may say nothing: %s', token => {
    expect(readWebToken(` ${token}\n`)).toEqual({ token })
  })
  test('is blank where nothing was entered', () => {
    expect(readWebToken(' \n\uFEFF')).toEqual({ token: '' })
    expect(webTokenText.parse(null)).toBe(null)
  })

  test.each([
    ['several', `${TOKEN}\n${OTHER}`],
    ['several', `${TOKEN}${OTHER}`],
    ['several', `${TOKEN}, ${OTHER}`],
    ['several', JSON.stringify([session(), session({ accessToken: OTHER })])],
    ['several', `opaque-token-of-the-first\nopaque-token-of-the-second`],
    ['apiKey', 'sk-proj-abcdefghijklmnopqrstuvwx'],
    ['apiKey', '"sk-ant-api03-abc"'],
    ['apiKey', 'Bearer sk-abcdefghijkl'],
    ['apiKey', 'AIzaSyD-abcdefghijklmnop'],
    ['cookie', `__Secure-next-auth.session-token=${ENCRYPTED}; Path=/`],
    ['cookie', 'Cookie: cf_clearance=abc; oai-did=1'],
    ['cookie', ENCRYPTED],
    ['signedOut', '{}'],
    ['signedOut', JSON.stringify(session({}))],
    ['signedOut', '{"WARNING_BANNER":"!!!!","accessToken":null}'],
    ['signedOut', '{"accessToken":""}'],
    ['other', 'please sign in'],
    ['other', '令牌'],
    ['other', 'x'.repeat(70_000)],
    ['other', 'x'.repeat(9_000)],
  ])('is refused as %s: %s', (problem, pasted) => {
    expect(readWebToken(pasted)).toEqual({ problem })
    expect(webTokenText.safeParse(pasted).success).toBe(false)
  })
})

describe('the account of a token', () => {
  const AUTH = 'https://api.openai.com/auth'
  const of = (claims: object) => accountOfToken(tokenOf(claims))
  const isOther = (one: object, other: object) => isOtherAccount(of(one), of(other))

  test('is read from the claims of the issuer, or from claims by themselves', () => {
    expect(of({ sub: 's', [AUTH]: { user_id: 'user-1', chatgpt_account_id: 'acc-1' } })).toEqual({
      ...{ account_id: 'acc-1', user_id: 'user-1', subject: 's' },
    })
    expect(of({ chatgpt_user_id: 'user-2' })).toEqual({ account_id: null, user_id: 'user-2', subject: null })
    for (const token of [null, 'opaque', 'a.b.c', tokenOf({ exp: 1 }), tokenOf({ sub: 7 })])
      expect(accountOfToken(token)).toBe(null)
  })
  test.each([
    [{ [AUTH]: { user_id: 'a' } }, { [AUTH]: { user_id: 'b' } }, true],
    [{ [AUTH]: { user_id: 'a' }, sub: 'google|1' }, { [AUTH]: { user_id: 'a' }, sub: 'auth0|1' }, false],
    [
      { [AUTH]: { user_id: 'a', chatgpt_account_id: '1' } },
      { [AUTH]: { user_id: 'a', chatgpt_account_id: '2' } },
      true,
    ],
    [{ [AUTH]: { chatgpt_user_id: 'a' } }, { [AUTH]: { user_id: 'a' } }, false],
    [{ sub: 'auth0|1' }, { sub: 'auth0|2' }, true],
    [{ sub: 'auth0|1', exp: 1 }, { sub: 'auth0|1', exp: 2 }, false],
    [{ sub: 'auth0|1' }, { [AUTH]: { user_id: 'a' } }, false],
    [{ account_id: 'x' }, { account_id: 'y' }, true],
  ])('is another one where both say so: %j and %j', (one, other, expected) => {
    expect(isOther(one, other)).toBe(expected)
  })
  test('is not another one where a token does not say', () => {
    expect(isOtherAccount(of({ sub: 'a' }), accountOfToken('opaque'))).toBe(false)
  })
})
