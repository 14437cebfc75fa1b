import type { BodyOf } from '#contract/call.ts'
import type { Configuration } from '#contract/configuration/configuration.ts'
import type { linkIdentity } from '#contract/signIn.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Outbound } from '#server/foundation/outbound/outbound.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { SecretBox } from '#server/foundation/secrets.ts'
import { requireAttempt, signInAttempts, type SignedIn } from '#server/users/signIn.ts'
import type { Visitor } from '#server/users/sessions.ts'
import type { Users } from '#server/users/users.ts'
import { openArriving } from './arriving.ts'
import { type Identity, openExchange } from './exchange.ts'
import { isSame, openSteps } from './flow.ts'
import { accessOf, openIdentityProviders } from './providers.ts'
import { type ProviderRow, signInStore } from './store.ts'

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  configuration(): Configuration
  outbound: Outbound
  secretBox: SecretBox
  users: Pick<Users, 'directory' | 'startSession' | 'signIn' | 'endProviderSessions'>
}

/** In place of an account, where failed attempts are counted: no user name has a space. */
const A_PROVIDER = 'a provider'
/** Milliseconds for which a used token of logout is remembered: longer than one is believed. */
const LOGOUT_TOKEN_MS = 600_000

export type ProviderSignIn = ReturnType<typeof openProviderSignIn>

/** What is in the browser that comes back. */
type Returning = { back: URL; sealed: string | undefined }
/** What became of it; `unlinked`: what the browser keeps until the password is entered. */
type Finished = { redirect: string | null; start: (visitor: Visitor, former: readonly string[]) => Promise<SignedIn> }

/** Signing in by OpenID Connect. */
export function openProviderSignIn(dependencies: Dependencies) {
  const { open, clock, configuration, secretBox, users } = dependencies
  const attempts = signInAttempts({ database: open.database, clock })
  const exchange = openExchange({
    ...dependencies,
    privateRanges: () => configuration().auth.allow_private_custom_urls,
  })
  const steps = openSteps(dependencies)
  const arriving = openArriving(dependencies)

  async function requireProvider(id: number): Promise<ProviderRow> {
    const row = await signInStore(open.database).find(id)
    if (row === undefined || !row.enabled) throw new Refusal('providerNotFound')
    return row
  }

  /** Whatever does not hold counts like a wrong password of its address. */
  async function identify(provider: ProviderRow, { back, sealed }: Returning, address: string) {
    const attempt = { account: A_PROVIDER, address }
    await requireAttempt(attempts, attempt)
    const started = steps.started.open(sealed)
    const isOwn = started?.provider_id === provider.id && isSame(started.state, back.searchParams.get('state') ?? '')
    if (started === null || !isOwn) throw new Refusal('signInExpired')
    try {
      const wanted = [provider.groups_claim, 'email', ...provider.rules.flatMap(({ claim }) => claim ?? [])]
      return { started, identity: await exchange.finish(accessOf(secretBox, provider), back, started, wanted) }
    } catch (cause) {
      if (cause instanceof Refusal && cause.key === 'providerInvalid') await attempts.fail(attempt)
      throw cause
    }
  }

  /** The claims that rules look at, and no others: a cookie is small. */
  function unlinkedStep(provider: ProviderRow, { issuer, subject, claims }: Identity): string | null {
    const used = ['email', 'email_verified', provider.groups_claim, ...provider.rules.map(({ claim }) => claim)]
    const kept = Object.fromEntries(Object.entries(claims).filter(([name]) => used.includes(name)))
    return steps.unlinked.seal({ provider_id: provider.id, issuer, subject, claims: kept })
  }

  const proofOf = (provider: ProviderRow, time: number, provider_session: string | null) =>
    ({ kind: 'provider', provider_id: provider.id, provider_session, time }) as const

  return {
    providers: openIdentityProviders(dependencies),

    /** Where the browser goes, and what it keeps until it comes back. */
    async begin(id: number, redirect_uri: string, then: { redirect: string | null; invitation: string | null }) {
      const provider = await requireProvider(id)
      const { url, secrets } = await exchange.begin(accessOf(secretBox, provider), redirect_uri)
      return { url, kept: steps.started.seal({ ...secrets, ...then, provider_id: id }) ?? '' }
    },

    /** `keep` is called with what the browser keeps where a password is needed once. */
    async finish(
      id: number,
      returning: Returning,
      address: string,
      keep: (unlinked: string) => void,
    ): Promise<Finished> {
      const provider = await requireProvider(id)
      const time = clock.now()
      const { started, identity } = await identify(provider, returning, address)
      try {
        const user_id = await arriving.arrive(provider, identity, started.invitation)
        const proof = proofOf(provider, time, identity.session)
        return {
          redirect: started.redirect,
          start: (visitor, former) => users.startSession(user_id, proof, false, visitor, former),
        }
      } catch (cause) {
        const kept = cause instanceof Refusal && cause.key === 'linkNeeded' ? unlinkedStep(provider, identity) : null
        if (kept !== null) keep(kept)
        throw cause
      }
    },

    /** The password shows once whose account it is. */
    async link(
      credentials: BodyOf<typeof linkIdentity>,
      sealed: string | undefined,
      visitor: Visitor,
      former: readonly string[],
    ): Promise<SignedIn> {
      const step = steps.unlinked.open(sealed)
      if (step === null) throw new Refusal('signInExpired')
      const provider = await requireProvider(step.provider_id)
      const identity = { ...step, session: null }
      return users.signIn({ ...credentials, remember: false }, visitor, former, user_id =>
        arriving.link(provider, identity, user_id),
      )
    },

    /** Ends what began by the provider: of one session there, or of all of a person. A token counts once. */
    async endSessions(id: number, logout_token: string): Promise<void> {
      const provider = await requireProvider(id)
      const { jti, issuer, subject, session } = await exchange.readLogout(accessOf(secretBox, provider), logout_token)
      const now = clock.now()
      const store = signInStore(open.database)
      if (!(await store.useLogoutToken(id, jti, { now, expire_time: now + LOGOUT_TOKEN_MS })))
        throw new Refusal('providerInvalid')
      if (session !== null) return users.endProviderSessions({ provider_id: id, provider_session: session })
      const user_id = subject === null ? undefined : (await store.findIdentity(issuer, subject))?.user_id
      if (user_id !== undefined) await users.endProviderSessions({ provider_id: id, user_id })
    },
  }
}
