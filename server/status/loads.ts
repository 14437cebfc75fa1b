import type { UpstreamLoad } from '#contract/upstreams.ts'
import { SOURCES } from '#contract/models.ts'
import { namesOf } from '#server/users/store.ts'
import { askLogStore } from '#server/asks/logStore.ts'
import { queueStore } from '#server/asks/queueStore.ts'
import { conversationCounts } from '#server/conversations/store.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { IDLE } from '#server/upstreams/upstream.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'

export type Loads = ReturnType<typeof openLoads>

type Dependencies = { open: OpenDatabase; clock: Clock; upstreams: Pick<Upstreams, 'shared' | 'snapshot'> }

/** How the shared accounts are used now, for those who look after them: those that are off or paused too. */
export function openLoads({ open, clock, upstreams }: Dependencies) {
  const [queues, logs] = [queueStore(open.database), askLogStore(open.database)]

  return async (): Promise<{ now: string; loads: UpstreamLoad[] }> => {
    const now = clock.now()
    const pausedBy = new Map(upstreams.snapshot.rows().map(({ id, paused_by }) => [id, paused_by]))
    const [queued, conversations, nameOf] = await Promise.all([
      queues.loads(),
      conversationCounts(open.readOnly()).execute(),
      namesOf(open.database, pausedBy.values()),
    ])
    const loads = SOURCES.flatMap(upstreams.shared).map(async upstream => {
      const { id, concurrency, shared_limit, shared_limit_window_seconds: window_seconds } = upstream
      const logged = await logs.answeredSince(upstream, now - window_seconds * 1000)
      return {
        id,
        ...(queued.get(id) ?? IDLE),
        places: concurrency,
        used: logged.length,
        allowed: shared_limit,
        window_seconds,
        conversations: conversations.find(({ upstream_id }) => upstream_id === id)?.count ?? 0,
        paused_by: nameOf(pausedBy.get(id) ?? null),
      }
    })
    return { now: new Date(now).toISOString(), loads: await Promise.all(loads) }
  }
}
