import { beginTrial, readTrial } from '#contract/keyTrials.ts'
import type { Http } from '#server/foundation/http/http.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { SignedIn } from '#server/foundation/http/sessionGuard.ts'
import { hasVersion } from './paths.ts'
import type { Trials } from './trials.ts'

export function trialRoutes<U extends SignedIn>(http: Http<U>, trials: Trials): void {
  http.answer(beginTrial, async ({ user, params, body, request: { ip } }) => {
    await trials.begin(user.id, Number(params.id), { secret: body.key, ip })
    return null
  })
  http.answer(readTrial, ({ user, params }) => trials.read(user.id, Number(params.id)))
}

/** Tells whoever waits for a tool what comes to no address of the gateway at all. */
export function followUnknownPaths<U extends SignedIn>({ fastify }: Pick<Http<U>, 'fastify'>, trials: Trials): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (request.is404 && !hasVersion(request.url)) trials.refused(request, new Refusal('resourceNotFound'))
    done()
  })
}
