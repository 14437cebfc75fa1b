import type { FastifyReply, FastifyRequest } from 'fastify'
import { type login, markerCookie, OLD_MARKER_COOKIE } from '#contract/users.ts'
import type { BodyOf } from '#contract/call.ts'
import { isHttps, type SentSession, sentSessions, sessionCookieName } from '#server/foundation/http/sessionGuard.ts'
import type { Renewal, Sessions, Visitor } from './sessions.ts'
import type { SignedIn, signingIn } from './signIn.ts'

type Dependencies = { signIn: ReturnType<typeof signingIn>; sessions: Sessions; publicOrigin(): string | null }

/** Starts a session and ends the former ones of the browser, given by their tokens. */
type StartSession = (visitor: Visitor, former: readonly string[]) => Promise<SignedIn>

/** Signing in and out by cookies. */
export function browserSession({ signIn, sessions, publicOrigin }: Dependencies) {
  const addressOf = (request: FastifyRequest): Address => ({
    at: publicOrigin() ?? request.headers.host ?? '',
    secure: isHttps(publicOrigin()) || request.protocol === 'https',
  })

  /** The sessions of this portal that the browser has. Cookies of other portals on the same host are left out. */
  async function heldBy(request: FastifyRequest): Promise<SentSession[]> {
    const held: SentSession[] = []
    for (const sent of sentSessions(request.cookies, publicOrigin(), request.headers.host)) {
      if ((await sessions.find(sent.token)) !== null) held.push(sent)
    }
    return held
  }

  /** The cookies of a new session; those of the sessions that the browser has had go. */
  async function startedCookies(
    held: readonly SentSession[],
    start: StartSession,
    request: FastifyRequest,
  ): Promise<string[]> {
    const former = held.map(({ token }) => token)
    const { token, cookie_seconds } = await start(visitorOf(request), former)
    const names = held.map(({ name }) => name)
    return sessionCookies(token, cookie_seconds, addressOf(request), names)
  }

  async function enter(
    held: readonly SentSession[],
    start: StartSession,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    const cookies = await startedCookies(held, start, request)
    reply.removeHeader('set-cookie').header('set-cookie', cookies)
  }

  return {
    addressOf,
    /** The cookies of a session for somebody who comes in another way than by name and password. */
    beginning: async (start: StartSession, request: FastifyRequest): Promise<string[]> =>
      startedCookies(await heldBy(request), start, request),

    async signIn(
      { username, password, remember }: BodyOf<typeof login>,
      request: FastifyRequest,
      reply: FastifyReply,
    ): Promise<void> {
      const held = await heldBy(request)
      // The specification, section 4: a failed login clears the cookie. The header is set first, since a refusal is
      // thrown.
      reply.header(
        'set-cookie',
        clearedCookies(
          addressOf(request),
          held.map(({ name }) => name),
        ),
      )
      const credentials = { username, password, remember: isTicked(remember) }
      await enter(held, (visitor, former) => signIn(credentials, visitor, former), request, reply)
    },

    /** For somebody who comes in another way than by name and password. A refusal leaves the browser as it is. */
    async begin(start: StartSession, request: FastifyRequest, reply: FastifyReply): Promise<void> {
      await enter(await heldBy(request), start, request, reply)
    },

    /**
     * Somebody without a session is signed out already. The cookies go first, since ending a session may be refused.
     */
    async signOut(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const held = await heldBy(request)
      reply.header(
        'set-cookie',
        clearedCookies(
          addressOf(request),
          held.map(({ name }) => name),
        ),
      )
      for (const { token } of held) await sessions.end(token)
    },

    /** Sets the cookies for a new token, if there is one, and returns the result. */
    async renewed<V>(
      { user, renewed }: { user: V; renewed: Renewal | null },
      request: FastifyRequest,
      reply: FastifyReply,
    ): Promise<V> {
      if (renewed) {
        reply.header(
          'set-cookie',
          sessionCookies(renewed.token, await sessions.secondsLeft(renewed.token), addressOf(request)),
        )
      }
      return user
    },
  }
}

const isTicked = (field: string | undefined) =>
  field !== undefined && !['', '0', 'false', 'off', 'no'].includes(field.toLowerCase())

function visitorOf(request: FastifyRequest): Visitor {
  return { user_agent: request.headers['user-agent'] ?? null, address: request.ip }
}

/** Where the browser finds the portal: its public origin, or else the host that the request is for. */
type Address = { at: string; secure: boolean }

/**
 * The values of Set-Cookie that begin a session: the secret one, and the markers that scripts may read. `held` are the
 * names under which the browser has had sessions of this portal. Those of another portal at the same host stay.
 */
export function sessionCookies(
  token: string,
  max_age_seconds: number,
  { at, secure }: Address,
  held: readonly string[] = [],
): string[] {
  const own = sessionCookieName(at, secure)
  return [
    cookie(own, token, max_age_seconds, secure, 'HttpOnly'),
    cookie(markerCookie(at), '1', max_age_seconds, secure),
    cookie(OLD_MARKER_COOKIE, '1', max_age_seconds, secure),
    ...held.filter(name => name !== own).map(name => cleared(name, secure)),
  ]
}

export function clearedCookies({ at, secure }: Address, held: readonly string[] = []): string[] {
  const own = secure ? [sessionCookieName(at, true), sessionCookieName(at, false)] : [sessionCookieName(at, false)]
  return [
    ...[...new Set([...own, ...held])].map(name => cleared(name, secure)),
    cookie(markerCookie(at), '', 0, secure),
    cookie(OLD_MARKER_COOKIE, '', 0, secure),
  ]
}

/** One that no script reads. */
export const hiddenCookie = (name: string, value: string, max_age_seconds: number, secure: boolean): string =>
  cookie(name, value, max_age_seconds, secure, 'HttpOnly')

const cleared = (name: string, secure: boolean): string => hiddenCookie(name, '', 0, secure)

function cookie(name: string, value: string, max_age_seconds: number, secure: boolean, ...more: string[]): string {
  const attributes = [
    `${name}=${value}`,
    'Path=/',
    `Max-Age=${max_age_seconds}`,
    'SameSite=Lax',
    ...(secure ? ['Secure'] : []),
    ...more,
  ]
  return attributes.join('; ')
}
