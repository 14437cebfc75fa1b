import { askQuietNow, MAX_QUIET_ASKS, readQuietTimes } from '#contract/quietAsks.ts'
import type { Source } from '#contract/models.ts'
import type { Configuration } from '#contract/configuration/configuration.ts'
import { quietStore } from '#server/asks/quietStore.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { SignedIn } from '#server/foundation/http/sessionGuard.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { LikelyQuiet } from './likelyQuiet.ts'
import { nextMorning } from './quietUntil.ts'
import { NotQuiet } from './refusals.ts'

type Dependencies = {
  open: OpenDatabase
  clock: Pick<Clock, 'now'>
  configuration(): Configuration
  likelyQuiet: LikelyQuiet
  begin(ask_id: string, beginning: 'now'): Promise<void>
}

export type QuietAsks = ReturnType<typeof openQuietAsks>

/** What people do with asks that wait until it is quiet, besides asking and stopping them. */
export function openQuietAsks({ open, clock, configuration, likelyQuiet, begin }: Dependencies) {
  const store = quietStore(open.database)
  return {
    async times(user_id: number, source: Source) {
      const until = nextMorning(clock.now(), configuration().portal.time_zone)
      const [likely_at, waiting] = await Promise.all([likelyQuiet(source, until), store.countOf(user_id)])
      return { until: iso(until), likely_at: likely_at === null ? null : iso(likely_at), waiting, most: MAX_QUIET_ASKS }
    },

    async now(user_id: number, ask_id: string): Promise<null> {
      const ask = await store.find(ask_id)
      if (ask === undefined || ask.user_id !== user_id) throw new Refusal('askNotFound')
      await begin(ask_id, 'now').catch((error: unknown) => {
        // It has begun by itself in this moment.
        if (!(error instanceof NotQuiet)) throw error
      })
      return null
    },
  }
}

const iso = (time: number): string => new Date(time).toISOString()

export function quietRoutes<U extends SignedIn>(http: Http<U>, quiet: QuietAsks): void {
  http.answer(readQuietTimes, ({ user, query }) => quiet.times(user.id, query.source))
  http.answer(askQuietNow, ({ user, params }) => quiet.now(user.id, params.id))
}
