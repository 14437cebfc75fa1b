import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  changeProvider,
  createProvider,
  endProviderSessions,
  finishSignIn,
  linkIdentity,
  listProviders,
  listSignInProviders,
  removeProvider,
  startSignIn,
  tryPerson,
} from '#contract/signIn.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { HttpAnswer } from '#server/foundation/http/route.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { hiddenCookie } from '#server/users/browserSession.ts'
import type { User } from '#server/users/user.ts'
import type { Users } from '#server/users/users.ts'
import { STEP_SECONDS } from './flow.ts'
import { decide } from './rules.ts'
import type { ProviderSignIn } from './signIn.ts'

type Dependencies = { providerSignIn: ProviderSignIn; users: Pick<Users, 'browser'> }

export function signInRoutes(http: Http<User>, { providerSignIn, users: { browser } }: Dependencies): void {
  const { providers } = providerSignIn
  http.answer(listSignInProviders, () => providers.listOpen())
  http.answer(listProviders, () => providers.list())
  http.answer(createProvider, ({ body }) => providers.create(body))
  http.answer(changeProvider, ({ params, body }) => providers.change(Number(params.id), body))
  http.answer(removeProvider, async ({ params }) => {
    await providers.remove(Number(params.id))
    return null
  })
  http.answer(tryPerson, ({ body: { claims, ...provider } }) => decide(claims, provider))
  http.answer(endProviderSessions, async ({ params, body }) => {
    await providerSignIn.endSessions(Number(params.id), body.logout_token)
    return null
  })

  const stepCookie = (request: FastifyRequest, name: StepName, value: string): string => {
    const { secure } = browser.addressOf(request)
    return hiddenCookie(cookieName(name, secure), value, value === '' ? 0 : STEP_SECONDS, secure)
  }
  const sentStep = (request: FastifyRequest, name: StepName) =>
    request.cookies[cookieName(name, browser.addressOf(request).secure)]
  const callbackOf = (request: FastifyRequest, id: string): string => {
    const { at, secure } = browser.addressOf(request)
    return `${at.includes('://') ? at : `http${secure ? 's' : ''}://${at}`}/api/auth/provider/${id}/callback`
  }

  http.answer(startSignIn, ({ params, query, request }) =>
    orToLogin(params.id, [], async () => {
      const then = { redirect: query.redirect ?? null, invitation: query.invitation ?? null }
      const { url, kept } = await providerSignIn.begin(Number(params.id), callbackOf(request, params.id), then)
      return leadTo(url, [stepCookie(request, 'started', kept)])
    }),
  )
  http.answer(finishSignIn, ({ params, request }) => {
    const cookies = [stepCookie(request, 'started', '')]
    return orToLogin(params.id, cookies, async () => {
      const back = new URL(callbackOf(request, params.id))
      back.search = new URL(request.url, back).search
      const returning = { back, sealed: sentStep(request, 'started') }
      const keep = (unlinked: string) => void cookies.push(stepCookie(request, 'unlinked', unlinked))
      const { redirect, start } = await providerSignIn.finish(Number(params.id), returning, request.ip, keep)
      const session = await browser.beginning(start, request)
      const target = redirect === null ? '/login' : `/login?redirect=${encodeURIComponent(redirect)}`
      return leadTo(target, [...cookies, ...session])
    })
  })
  http.answer(linkIdentity, async ({ body, request, reply }) => {
    const sealed = sentStep(request, 'unlinked')
    await browser.begin((visitor, former) => providerSignIn.link(body, sealed, visitor, former), request, reply)
    addCookie(reply, stepCookie(request, 'unlinked', ''))
    return null
  })
}

type StepName = 'started' | 'unlinked'

/** Over https no other site can plant it. */
const cookieName = (name: StepName, secure: boolean): string => `${secure ? '__Host-' : ''}commons_sign_in_${name}`

function addCookie(reply: FastifyReply, cookie: string): void {
  reply.header('set-cookie', cookie) // adds to those that are set already
}

const leadTo = (location: string, cookies: string[]): HttpAnswer => ({
  status: 302,
  headers: { location, 'set-cookie': cookies, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  body: '',
})

/** A browser is shown no refusal as JSON: the sign-in page says what it is. */
async function orToLogin(id: string, cookies: string[], work: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
  try {
    return await work()
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause
    return leadTo(`/login?problem=${cause.key}&provider=${id}`, cookies)
  }
}
