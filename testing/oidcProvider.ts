import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt, exportJWK, SignJWT, UnsecuredJWT } from 'jose'
import { Provider } from 'oidc-provider'
import { onTestFinished } from 'vitest'

export const CLIENT = { client_id: 'portal', client_secret: 'the secret of the portal' }

type Person = Record<string, unknown>

/** A real OpenID Connect provider on loopback. Who signs in there is set by the test; nobody is asked. */
export async function startOidcProvider(portal_url: string) {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  const issuer = `http://127.0.0.1:${port}`
  const people = new Map<string, Person>()
  const state = { subject: 'lin', answer: null as null | ((request: { url: string }) => Answer | null) }
  let key = await newKey()
  let provider = providerWith()
  let spoil: Spoil | null = null

  function providerWith(): Provider {
    const made = new Provider(issuer, {
      clients: [
        {
          ...CLIENT,
          redirect_uris: Array.from({ length: 5 }, (_, at) => `${portal_url}/api/auth/provider/${at + 1}/callback`),
          grant_types: ['authorization_code'],
          response_types: ['code'],
        },
      ],
      jwks: { keys: [key.jwk] },
      cookies: { keys: ['a key of the cookies of the provider'] },
      claims: {
        openid: ['sub', 'sid'],
        profile: ['name', 'preferred_username', 'groups'],
        email: ['email', 'email_verified'],
      },
      conformIdTokenClaims: false,
      features: { devInteractions: { enabled: false } },
      findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...people.get(id) }) }),
      interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
      // Whoever is set is signed in already, and agrees.
      loadExistingGrant: async ctx => {
        const grant = new ctx.oidc.provider.Grant({
          clientId: ctx.oidc.client?.clientId ?? '',
          accountId: ctx.oidc.session?.accountId ?? '',
        })
        grant.addOIDCScope('openid profile email')
        await grant.save()
        return grant
      },
    })
    made.on('server_error', (_, error) => process.stderr.write(`${error.stack}\n`))
    return made
  }

  server.on('request', (request, response) => {
    const url = request.url ?? ''
    const answer = state.answer?.({ url }) ?? null
    if (answer !== null) {
      answer(response)
      return
    }
    if (url.startsWith('/interaction/'))
      void provider.interactionFinished(request, response, { login: { accountId: state.subject } })
    else if (url === '/token' && spoil !== null) void spoiled(request, response, spoil)
    else void provider.callback()(request, response)
  })
  /** The answer of the token endpoint, with another token in place of its own. */
  async function spoiled(request: IncomingMessage, response: ServerResponse, change: Spoil): Promise<void> {
    const write = response.end.bind(response)
    response.end = ((body: Buffer | string) => {
      const answer = JSON.parse(String(body)) as { id_token?: string }
      if (answer.id_token === undefined) return write(body)
      void change(decodeJwt(answer.id_token)).then(id_token => {
        response.removeHeader('content-length')
        write(JSON.stringify({ ...answer, id_token }))
      })
      return response
    }) as typeof response.end
    await provider.callback()(request, response)
  }

  const signed = (claims: Record<string, unknown>, privateKey = key.privateKey) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: key.jwk.kid }).sign(privateKey)

  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(close)

  return {
    issuer,
    state,
    close,
    person: (subject: string, claims: Person) => people.set(subject, claims),
    async rotateKeys() {
      key = await newKey()
      provider = providerWith()
    },
    /** Tokens are signed by the provider with other claims than its own. */
    changeTokens(change: (token: { claims: Record<string, unknown> }) => void): void {
      spoil = async claims => {
        change({ claims })
        return signed(claims)
      }
    },
    signTokens(how: 'none' | 'another key'): void {
      spoil = async claims =>
        how === 'another key' ? signed(claims, (await newKey()).privateKey) : new UnsecuredJWT(claims).encode()
    },
    /** A token signed with the provider's key. */
    sign: (claims: Record<string, unknown>, { iat = Date.now() / 1_000 }: { iat?: number } = {}) =>
      new SignJWT({ iss: issuer, aud: CLIENT.client_id, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: key.jwk.kid })
        .setIssuedAt(Math.floor(iat))
        .setExpirationTime(Math.floor(iat) + 3_600)
        .sign(key.privateKey),
  }
}

type Answer = (response: ServerResponse) => void
type Spoil = (claims: Record<string, unknown>) => Promise<string>

let keys = 0
async function newKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = { ...(await exportJWK(privateKey)), kid: `key ${++keys}`, use: 'sig', alg: 'RS256' }
  return { privateKey, jwk }
}

/** Follows the redirects of a browser between portal and provider, with a jar for each host. */
export class Visit {
  readonly jar = new Map<string, Map<string, string>>()
  /** Every address that was opened. */
  readonly opened: string[] = []

  async open(address: string, until: (url: URL) => boolean = () => false): Promise<URL> {
    let url = new URL(address)
    for (let at = 0; at < 20; at++) {
      this.opened.push(url.href)
      if (until(url)) return url
      const cookies = this.#cookies(url.host)
      const answer = await fetch(url, {
        redirect: 'manual',
        headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      })
      for (const set of answer.headers.getSetCookie()) {
        const [name = '', value = ''] = set.slice(0, set.indexOf(';')).split(/=(.*)/s)
        if (/Max-Age=0(?:;|$)/i.test(set) || value === '') cookies.delete(name)
        else cookies.set(name, value)
      }
      const location = answer.headers.get('location')
      await answer.arrayBuffer()
      if (location === null) return url
      url = new URL(location, url)
      if (url.pathname === '/login') return url
    }
    throw new Error('too many redirects')
  }

  #cookies(host: string): Map<string, string> {
    const known = this.jar.get(host) ?? new Map<string, string>()
    this.jar.set(host, known)
    return known
  }

  cookieHeader(url: string): string {
    return [...this.#cookies(new URL(url).host)].map(([name, value]) => `${name}=${value}`).join('; ')
  }
}
