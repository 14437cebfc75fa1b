import {
  type Allowance,
  type SourceAllowance,
  type Verdict,
  type WindowState,
  readAllowance,
} from '#contract/allowance.ts'
import { UNLIMITED } from '#contract/limits.ts'
import type { Configuration } from '#contract/configuration/configuration.ts'
import { type Source, SOURCES, UNKNOWN_CAPABILITIES } from '#contract/models.ts'
import { countedOf, UNBOUNDED } from '#server/usage/counts.ts'
import { queueStore } from '#server/asks/queueStore.ts'
import { inheritsBoundedConversations } from '#server/policy/planTree.ts'
import { creditsAsMoney, settingStore } from '#server/policy/store.ts'
import { enabledModels } from '#server/configuration/models.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Sources } from '#server/sources/source.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { SignedIn } from '#server/foundation/http/sessionGuard.ts'
import { type LimitQuery, type LimitUse, readLimitUse } from './limitUse.ts'
import { factsOf, readSourceFacts, type SourceFacts } from './limits.ts'
import { type AskFacts, firstRefusal, insideWindow, opensAt, windowOpens } from './rules.ts'
import type { DeniedShare } from './shareRules.ts'
import { THOUSANDTHS } from './shares/pool.ts'
import { answerOf, deniedBy } from './shares/poolAnswer.ts'
import type { Pools, PoolView } from './shares/pools.ts'
import { limitStore } from './store.ts'

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  configuration(): Configuration
  sources: Sources
  /** Ids of the upstreams that an ask could go to now. */
  upstreamsOf(user_id: number, source: Source): Promise<number[]>
  /** Whether it is no address of somebody's own, which costs the portal nothing. */
  isShared(upstream_id: number): boolean
  pools: Pick<Pools, 'view'>
  /** Whether an upstream is asked for a model. */
  serves(upstream_id: number, model: string): boolean
  /** What the shortest ask of a model costs there, in millionths; null where nobody knows. */
  leastCost(upstream_id: number, model: string, time: number): number | null
}

type Read = Pick<SourceFacts, 'setting' | 'now'>

/** What a person may ask, what remains, and when more is allowed: by the rules that admit an ask, without an ask. */
export function openAllowances(dependencies: Dependencies) {
  const {
    open,
    clock,
    configuration,
    sources: sourceList,
    upstreamsOf,
    isShared,
    leastCost,
    pools,
    serves,
  } = dependencies

  /** Of what the shortest ask of each model needs: what it may use at most is known when it is asked. */
  async function readUse({ setting, now }: Read, leastOf: (model: string) => number, isPaid: boolean) {
    const limits = setting.limits.filter(({ unit }) => isPaid || unit !== 'money')
    if (limits.length === 0) return () => []
    const { user_id, source } = setting
    const settings = configuration()
    const query = { user_id, source, now, time_zone: settings.portal.time_zone }
    const hasCredits = settings.money.credits_as_money && (await creditsAsMoney(open.database, user_id)) > 0
    const uses = await readLimitUse(open.database, { ...query, limits, needed: { asks: 1, tokens: 1, money: 0 } })
    if (hasCredits) return () => uses
    const opens = await whenMoreIsLeft(query, uses)
    return (model: string) =>
      uses.map(use => (isShortOf(use, leastOf(model)) ? { ...use, opens_at: opens.get(use.limit) ?? null } : use))
  }

  /** When more is left of each limit in money than is now; null where waiting does not help. */
  async function whenMoreIsLeft(query: Omit<LimitQuery, 'limits'>, uses: readonly LimitUse[]) {
    const read = uses
      .filter(({ limit, left }) => limit.unit === 'money' && left !== UNLIMITED)
      .map(async ({ limit, left }) => {
        const needed = { asks: 0, tokens: 0, money: left + 1 }
        const [use] = await readLimitUse(open.database, { ...query, limits: [limit], needed })
        return [limit, use?.opens_at ?? null] as const
      })
    return new Map(await Promise.all(read))
  }

  /** Of each model: nothing where an account that serves it has something for the person, else which has first. */
  async function readShares({ ids, user_id, now }: { ids: readonly number[]; user_id: number; now: number }) {
    const views = new Map<number, PoolView | null>()
    for (const id of ids) views.set(id, await pools.view(open.database, id, { now, caller_id: user_id }))
    return (model: string): DeniedShare | null => {
      const denied: DeniedShare[] = []
      for (const id of ids.filter(each => serves(each, model))) {
        const view = views.get(id) ?? null
        if (view === null) return null
        const cost = leastCost(id, model, now)
        const need = { asks: THOUSANDTHS, tokens: 1, money: cost ?? 0 }
        const answer = answerOf(view, { user_id, model, need, charged: THOUSANDTHS, quiet: false }, cost !== null)
        const refused = deniedBy(answer, configuration().money.currency)
        if (refused === null) return null
        denied.push(refused)
      }
      return denied.toSorted((one, other) => (one.opens_at ?? Infinity) - (other.opens_at ?? Infinity))[0] ?? null
    }
  }

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
        const costs = (model: string) => ids.map(id => (isShared(id) ? leastCost(id, model, now) : 0))
        const leastOf = (model: string) => Math.min(Infinity, ...costs(model).map(cost => cost ?? Infinity))
        return sourceAllowance({
          ...read,
          share: await readShares({ ids, user_id, now }),
          limitUse: await readUse(read, leastOf, ids.every(isShared)),
          hasPrice: model => ids.length === 0 || costs(model).some(cost => cost !== null),
          capabilities: () => UNKNOWN_CAPABILITIES, // of an ask without files
          waiting: ids.length === 0 ? 0 : Math.min(...ids.map(id => loads.get(id)?.waiting ?? 0)),
        })
      }),
    )
    return { now: iso(now), time_zone: settings.portal.time_zone, sources }
  }
}

const isShortOf = ({ limit, left }: LimitUse, needed: number): boolean =>
  limit.unit === 'money' && left !== UNLIMITED && left < needed

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
  quiet_until: null,
  relay: null,
  conversation: isNew ? { id: null } : null,
})
const iso = (time: number) => new Date(time).toISOString()

export function limitRoutes<U extends SignedIn>(http: Http<U>, allowance: ReturnType<typeof openAllowances>): void {
  http.answer(readAllowance, ({ user }) => allowance(user.id))
}
