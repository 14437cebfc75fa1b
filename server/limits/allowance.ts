import {
  type Allowance,
  type SourceAllowance,
  type Verdict,
  type WindowState,
  readAllowance,
} from '#contract/allowance.ts'
import type { Configuration } from '#contract/configuration/configuration.ts'
import { type Source, SOURCES, UNKNOWN_CAPABILITIES } from '#contract/models.ts'
import { countedOf, UNBOUNDED } from '#server/usage/counts.ts'
import { queueStore } from '#server/asks/queueStore.ts'
import { inheritsBoundedConversations } from '#server/policy/plans.ts'
import { settingStore } from '#server/policy/store.ts'
import { enabledModels } from '#server/configuration/models.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Sources } from '#server/sources/source.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { SignedIn } from '#server/foundation/http/sessionGuard.ts'
import { factsOf, readSourceFacts, type SourceFacts } from './limits.ts'
import { type AskFacts, firstRefusal, insideWindow, opensAt, windowOpens } from './rules.ts'
import { limitStore } from './store.ts'

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  configuration(): Configuration
  sources: Sources
  /** Ids of the upstreams that an ask could go to now. */
  upstreamsOf(user_id: number, source: Source): Promise<number[]>
}

/** What a person may ask, what remains, and when more is allowed: by the rules that admit an ask, without an ask. */
export function openAllowances({ open, clock, configuration, sources: sourceList, upstreamsOf }: Dependencies) {
  return async (user_id: number): Promise<Allowance> => {
    const [now, settings] = [clock.now(), configuration()]
    const loads = await queueStore(open.database).loads()
    const sources = await Promise.all(
      SOURCES.map(async source => {
        const ids = await upstreamsOf(user_id, source)
        const counts = limitStore(open.database).currentCounts({
          user_id,
          source,
          bounded: inheritsBoundedConversations(settings, source),
        })
        const known = { row: settingStore(open.database).source(user_id, source), counts }
        const userOfSource = { user_id, source: sourceList.of(source), now, configuration: settings }
        const read = await readSourceFacts(open.database, userOfSource, known)
        return sourceAllowance({
          ...read,
          capabilities: () => UNKNOWN_CAPABILITIES, // of an ask without files
          waiting: ids.length === 0 ? 0 : Math.min(...ids.map(id => loads.get(id)?.waiting ?? 0)),
        })
      }),
    )
    return { now: iso(now), time_zone: settings.portal.time_zone, sources }
  }
}

function sourceAllowance(read: SourceFacts): SourceAllowance {
  const { source, setting, configuration, now } = read
  const models = enabledModels(configuration, source.code).map(({ code }) => ({
    model: code,
    count: countedOf(setting.models.get(code) ?? UNBOUNDED),
    verdict: verdictOf(factsOf(read, anAsk(code, false))),
  }))
  const best = models.find(({ verdict }) => verdict.may_ask)?.model ?? models[0]?.model ?? ''
  return {
    source: source.code,
    verdict: verdictOf(factsOf(read, anAsk(best, false))),
    new_conversation: verdictOf(factsOf(read, anAsk(best, true))),
    valid_until: setting.valid_until === null ? null : iso(setting.valid_until),
    daily_available_time_slots: setting.daily_available_time_slots,
    total: countedOf(setting.total),
    conversations: { used: read.valid_conversations, allowed: setting.max_conv_count },
    windows: setting.rate_limits.map(limit => windowState(limit, read.recent_asks, now)),
    models,
  }
}

function windowState(
  limit: SourceFacts['setting']['rate_limits'][number],
  recent: readonly number[],
  now: number,
): WindowState {
  const inside = insideWindow(limit, recent, now)
  const oldest = inside[0]
  const opens = windowOpens(limit, recent, now)
  const frees =
    opens !== null && opens > now ? opens : oldest === undefined ? null : oldest + limit.window_seconds * 1000
  return { ...limit, used: inside.length, frees_at: frees === null ? null : iso(frees) }
}

function verdictOf(facts: AskFacts): Verdict {
  const refused = firstRefusal(facts)
  if (refused === null) return { may_ask: true, message: null, values: null, opens_at: null }
  const opening = opensAt(facts)
  return {
    may_ask: false,
    message: `errors.${refused.key}`,
    values: refused.values ?? null,
    opens_at: opening === null ? null : iso(opening),
  }
}

/** An ask without files, in a new conversation or in none. */
const anAsk = (model: string, isNew: boolean): Parameters<typeof factsOf>[1] => ({
  model,
  attachments: [],
  conversation: isNew ? { id: null } : null,
})
const iso = (time: number) => new Date(time).toISOString()

export function limitRoutes<U extends SignedIn>(http: Http<U>, allowance: ReturnType<typeof openAllowances>): void {
  http.answer(readAllowance, ({ user }) => allowance(user.id))
}
