import type { Configuration } from '#contract/configuration/configuration.ts'
import { type ModelChoice, type Source, SOURCES } from '#contract/models.ts'
import { fromMillionths } from '#contract/prices.ts'
import type { CommonStatus, Portal } from '#contract/status.ts'
import { userStore, namesOf } from '#server/users/store.ts'
import { askLogStore } from '#server/asks/logStore.ts'
import { queueStore } from '#server/asks/queueStore.ts'
import { fileBounds } from '#server/files/bounds.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { consideredNow } from '#server/upstreams/choose.ts'
import { type Candidate, IDLE } from '#server/upstreams/upstream.ts'
import type { Sources } from '#server/sources/source.ts'
import { isFull } from '#server/upstreams/prices/price.ts'
import type { Prices } from '#server/upstreams/prices/prices.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'
import type { UpstreamLoad } from '#contract/upstreams.ts'
import { conversationCounts } from '#server/conversations/store.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  configuration(): Configuration
  upstreams: Pick<Upstreams, 'choices' | 'inUse' | 'isDemonstration'>
  sources: Pick<Sources, 'all'>
  prices: Pick<Prices, 'of'>
  version: string
}

/** How busy the portal is, read from what runs: there is no flag that could stick (the specification, section 3). */
export function openStatus(dependencies: Dependencies) {
  const { open, clock, configuration, upstreams, sources, version } = dependencies
  const [users, queues, logs] = [userStore(open.database), queueStore(open.database), askLogStore(open.database)]
  return {
    async common(): Promise<CommonStatus> {
      const now = clock.now()
      const [in5m, in1h, in1d, loads, gpt4] = await Promise.all([
        users.countActiveSince(now - 5 * MINUTE),
        users.countActiveSince(now - HOUR),
        users.countActiveSince(now - 24 * HOUR),
        queues.loads(),
        logs.countGpt4Since(now - 3 * HOUR),
      ])
      const settings = configuration()
      const candidatesOf = (source: Source) =>
        upstreams.inUse(source).map(upstream => ({ upstream, load: loads.get(upstream.id) ?? IDLE }))
      return {
        active_user_in_5m: in5m,
        active_user_in_1h: in1h,
        active_user_in_1d: in1d,
        is_chatbot_busy: SOURCES.some(source => settings[source].enabled && isBusy(candidatesOf(source), now)),
        chatbot_waiting_count: [...loads.values()].reduce((sum, { waiting }) => sum + waiting, 0),
        gpt4_count_in_3_hours: gpt4,
      }
    },

    async portal(user_id: number): Promise<Portal> {
      const settings = configuration()
      const { attached } = await fileBounds(open.database, settings, user_id)
      const priced = pricedBy(dependencies)
      return {
        name: settings.portal.name,
        version,
        time_zone: settings.portal.time_zone,
        demonstration: settings.openai_api.enabled && upstreams.isDemonstration(),
        sources: SOURCES.map(source => ({ source, enabled: settings[source].enabled })),
        models: SOURCES.flatMap(source => upstreams.choices(source)).map(priced),
        max_text_length: settings.asking.max_text_length,
        max_running_asks_per_user: settings.asking.max_running_asks_per_user,
        files: {
          max_attachments: settings.files.max_attachments,
          max_file_bytes: attached,
          max_picture_side: settings.files.max_picture_side,
        },
        ...(settings.keeping.deleted_days === 0 && { deletes_at_once: true }),
        ...(sources.all.some(source => source.needsBrowserToken(settings)) && { needs_arkose_token: true }),
      }
    },
  }
}

/** What a model costs at the first of the accounts that have a price for it; web accounts have none. */
function pricedBy({ clock, configuration, upstreams, prices }: Dependencies) {
  return <Model extends ModelChoice>(model: Model): Model => {
    const found = upstreams
      .inUse(model.source)
      .map(({ id }) => prices.of(id, model.code, clock.now()))
      .find(isFull)
    if (found === undefined) return model
    const { input, output } = found.free ? { input: 0, output: 0 } : found
    const { currency } = configuration().money
    return { ...model, price: { input: fromMillionths(input ?? 0), output: fromMillionths(output ?? 0), currency } }
  }
}

/** Whether whoever asks now has to wait: none of those that one may be sent to has room. */
function isBusy(candidates: readonly Candidate[], now: number): boolean {
  return consideredNow(candidates, now).every(({ upstream, load }) => load.running >= upstream.concurrency)
}

export type Status = ReturnType<typeof openStatus>

export type Loads = ReturnType<typeof openLoads>

type LoadDependencies = { open: OpenDatabase; clock: Clock; upstreams: Pick<Upstreams, 'shared' | 'snapshot'> }

/** How the shared accounts are used now, for those who look after them: those that are off or paused too. */
export function openLoads({ open, clock, upstreams }: LoadDependencies) {
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
