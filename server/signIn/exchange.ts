import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import * as openid from 'openid-client'
import type { Clock } from '#server/foundation/clock.ts'
import type { AddressPolicy, Outbound } from '#server/foundation/outbound/outbound.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { Claims } from './rules.ts'

type Dependencies = {
  outbound: Pick<Outbound, 'request'>
  clock: Pick<Clock, 'now'>
  /** Ranges of the private network that a provider may lead to beside its own origin. */
  privateRanges(): readonly string[]
}

export type ProviderAccess = { issuer: string; client_id: string; secret: string | null; scopes: string }

/** What must not leave the browser that began: whoever has it can end what it began. */
export type Secrets = { state: string; nonce: string; verifier: string }

export type Identity = { issuer: string; subject: string; session: string | null; claims: Claims }

/** Milliseconds. */
const DEADLINES = {
  connect_timeout_ms: 5_000,
  first_byte_timeout_ms: 10_000,
  idle_timeout_ms: 5_000,
  total_timeout_ms: 10_000,
}
const MAX_BYTES = 256 * 1024
/** Seconds that the clocks of portal and provider may differ. */
const CLOCK_TOLERANCE = 60
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** The signatures that are believed; `none` and secrets that both sides know are not among them. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** Goes to the origin of the issuer, as the administrator entered it, or to the public network. */
const guardedBy =
  ({ outbound, privateRanges }: Pick<Dependencies, 'outbound' | 'privateRanges'>) =>
  (issuer: string, failures: unknown[]): openid.CustomFetch =>
  async (url, { method, headers, body, signal }) => {
    const own = new URL(url).origin === new URL(issuer).origin
    const addresses: AddressPolicy = own ? 'any' : { public_only: true, except: privateRanges() }
    try {
      const answer = await outbound.request({
        method: method === 'POST' ? 'POST' : 'GET',
        url,
        headers,
        ...(body instanceof URLSearchParams || typeof body === 'string' ? { body: String(body) } : {}),
        ...(signal !== undefined && { signal }),
        addresses,
        ...DEADLINES,
      })
      if (answer.status >= 500) failures.push(new Error(`the provider answered ${answer.status}`))
      const text = await answer.body.text(MAX_BYTES)
      const type = answer.header('content-type')
      return new Response(text, {
        status: answer.status,
        ...(type !== undefined && { headers: { 'content-type': type } }),
      })
    } catch (cause) {
      failures.push(cause)
      throw cause
    }
  }

/** What is asked of providers, by the code flow with PKCE, state and nonce. */
export function openExchange({ clock, ...dependencies }: Dependencies) {
  const guarded = guardedBy(dependencies)

  /** Asks for what the provider says of itself each time: its keys may be others than the last time. */
  async function asked<T>(provider: ProviderAccess, work: (found: openid.Configuration) => Promise<T>): Promise<T> {
    const { issuer, client_id, secret } = provider
    const failures: unknown[] = []
    try {
      const found = await openid.discovery(
        new URL(issuer),
        client_id,
        {
          [openid.clockTolerance]: CLOCK_TOLERANCE,
          [openid.clockSkew]: Math.round((clock.now() - Date.now()) / 1_000),
        },
        secret === null ? openid.None() : openid.ClientSecretBasic(secret),
        {
          [openid.customFetch]: guarded(issuer, failures),
          execute: [
            openid.enableNonRepudiationChecks,
            ...(issuer.startsWith('http:') ? [openid.allowInsecureRequests] : []),
          ],
        },
      )
      return await work(found)
    } catch (cause) {
      if (cause instanceof Refusal) throw cause
      if (failures.length > 0) throw new Refusal('providerUnreachable', {}, { cause })
      throw new Refusal(isClock(cause) ? 'providerClock' : 'providerInvalid', {}, { cause })
    }
  }

  return {
    /** Where the browser is sent, and what it must bring back. */
    begin: (provider: ProviderAccess, redirect_uri: string): Promise<{ url: string; secrets: Secrets }> =>
      asked(provider, async found => {
        const secrets = {
          state: openid.randomState(),
          nonce: openid.randomNonce(),
          verifier: openid.randomPKCECodeVerifier(),
        }
        const url = openid.buildAuthorizationUrl(found, {
          redirect_uri,
          response_type: 'code',
          scope: ['openid', ...provider.scopes.split(' ').filter(Boolean)].join(' '),
          state: secrets.state,
          nonce: secrets.nonce,
          code_challenge: await openid.calculatePKCECodeChallenge(secrets.verifier),
          code_challenge_method: 'S256',
        })
        return { url: url.href, secrets }
      }),

    /** Who it is that comes back with this address. `wanted`: claims to ask for where the token has not all of them. */
    finish: (provider: ProviderAccess, back: URL, secrets: Secrets, wanted: readonly string[]): Promise<Identity> =>
      asked(provider, async found => {
        if (back.searchParams.get('error') === 'access_denied') throw new Refusal('signInNotAllowed')
        const tokens = await openid.authorizationCodeGrant(found, back, {
          expectedState: secrets.state,
          expectedNonce: secrets.nonce,
          pkceCodeVerifier: secrets.verifier,
          idTokenExpected: true,
        })
        const token = tokens.claims()
        if (token === undefined) throw new Refusal('providerInvalid')
        if (Math.abs(clock.now() / 1_000 - token.iat) > CLOCK_TOLERANCE) throw new Refusal('providerClock')
        const lacks = wanted.some(name => token[name] === undefined)
        const asks = lacks && found.serverMetadata().userinfo_endpoint !== undefined
        const more = asks ? await openid.fetchUserInfo(found, tokens.access_token, token.sub) : {}
        const session = typeof token['sid'] === 'string' ? token['sid'] : null
        return { issuer: token.iss, subject: token.sub, session, claims: { ...more, ...token } }
      }),

    /** Whom a token of back-channel logout names; refused unless the provider has signed it for this portal, lately. */
    readLogout: (provider: ProviderAccess, logout_token: string) =>
      asked(provider, async found => {
        const { jwks_uri, issuer } = found.serverMetadata()
        if (jwks_uri === undefined) throw new Refusal('providerInvalid')
        const keys = await guarded(provider.issuer, [])(jwks_uri, {
          method: 'GET',
          headers: {},
          body: null,
          redirect: 'manual',
        })
        // What it holds is checked where the signature is.
        const { payload } = await jwtVerify(logout_token, createLocalJWKSet((await keys.json()) as JSONWebKeySet), {
          issuer,
          audience: provider.client_id,
          algorithms: ALGORITHMS,
          clockTolerance: CLOCK_TOLERANCE,
          maxTokenAge: 300,
          currentDate: new Date(clock.now()),
          requiredClaims: ['jti', 'events'],
        })
        const { sub, sid, jti, events, nonce } = payload
        const isLogout = typeof events === 'object' && events !== null && LOGOUT_EVENT in events
        if (!isLogout || nonce !== undefined || typeof jti !== 'string') throw new Refusal('providerInvalid')
        return { jti, issuer, subject: sub ?? null, session: typeof sid === 'string' ? sid : null }
      }),
  }
}

const isClock = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED'
