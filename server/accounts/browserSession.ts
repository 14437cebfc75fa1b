import type { FastifyReply, FastifyRequest } from 'fastify'
import type { login } from '#contract/accounts.ts'
import type { BodyOf } from '#contract/call.ts'
import { clearedCookies, isHttps, sessionCookies, tokenOf } from './cookies.ts'
import type { Renewal, Sessions, Visitor } from './sessions.ts'
import type { signingIn } from './signIn.ts'

type Deps = { signIn: ReturnType<typeof signingIn>; sessions: Sessions; publicOrigin(): string | null }

/** Signing in and out by cookies. */
export function browserSession({ signIn, sessions, publicOrigin }: Deps) {
  const isSecure = (request: FastifyRequest) => isHttps(publicOrigin()) || request.protocol === 'https'
  const tokenFrom = (request: FastifyRequest) => tokenOf(request.cookies, publicOrigin())

  return {
    async signIn({ username, password, remember }: BodyOf<typeof login>, request: FastifyRequest, reply: FastifyReply): Promise<void> {
      // The specification, section 4: a failed login clears the cookie. Said first, since a refusal leaves at once.
      reply.header('set-cookie', clearedCookies(isSecure(request)))
      const { token, cookie_seconds } = await signIn(
        { username, password, remember: isTicked(remember) }, visitorOf(request), tokenFrom(request))
      reply.removeHeader('set-cookie').header('set-cookie', sessionCookies(token, cookie_seconds, isSecure(request)))
    },

    /** Always succeeds: somebody without a session is signed out already. */
    async signOut(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const token = tokenFrom(request)
      if (token !== null) await sessions.end(token)
      reply.header('set-cookie', clearedCookies(isSecure(request)))
    },

    /** Sets the cookies for a new token, if there is one, and returns the result. */
    async renewed<V>({ user, renewed }: { user: V; renewed: Renewal | null }, request: FastifyRequest, reply: FastifyReply): Promise<V> {
      if (renewed) {
        reply.header('set-cookie', sessionCookies(renewed.token, await sessions.secondsLeft(renewed.token), isSecure(request)))
      }
      return user
    },
  }
}

const isTicked = (field: string | undefined) => field !== undefined && !['', '0', 'false', 'off', 'no'].includes(field.toLowerCase())

function visitorOf(request: FastifyRequest): Visitor {
  return { user_agent: request.headers['user-agent'] ?? null, address: request.ip }
}
