import type { Configuration } from '#contract/configuration/configuration.ts'
import type { BodyOf, ResultOf } from '#contract/call.ts'
import {
  type Lending,
  type LendingReport,
  type Replay,
  REPLAY_DAYS,
  type replayPlan,
  type replaySharing,
} from '#contract/lending.ts'
import { SOURCES } from '#contract/models.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { readMemberPolicies } from '#server/limits/shares/poolMembers.ts'
import type { Member } from '#server/limits/shares/pool.ts'
import type { Pools, PoolView } from '#server/limits/shares/pools.ts'
import { linesMatterFrom } from '#server/limits/shares/poolState.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'
import { namesOf } from '#server/users/store.ts'
import { lentSums, readPastAsks, refusedSums } from './pastAsks.ts'
import { replay, type Rules, type Tally } from './replay.ts'

const DAY = 86_400_000
const WEEK = 7 * DAY
/** How far before the replayed time asks are read, since they still count in long windows. */
const MAX_BEFORE = 31 * DAY

type Dependencies = {
  open: OpenDatabase
  clock: Pick<Clock, 'now'>
  configuration(): Configuration
  pools: Pick<Pools, 'view'>
  upstreams: Pick<Upstreams, 'shared' | 'find'>
}

type Change = { sharing?: BodyOf<typeof replaySharing>; configuration?: Configuration }

export type Replays = ReturnType<typeof openReplays>

/** What administrators see of lending: who lent and borrowed over weeks, and what other rules would have made of it. */
export function openReplays({ open, clock, configuration, pools, upstreams }: Dependencies) {
  const database = () => open.readOnly()
  /** One at a time: each keeps the program busy. */
  let running: Promise<unknown> = Promise.resolve()

  async function requireView(upstream_id: number): Promise<PoolView | null> {
    if (upstreams.find(upstream_id)?.user_id !== null) throw new Refusal('upstreamNotFound')
    return pools.view(database(), upstream_id, { now: clock.now() })
  }

  /** Who may ask, with the weights that a configuration gives them; nobody has asked yet. */
  async function membersBy(
    view: PoolView,
    user_ids: readonly number[],
    of: Configuration,
  ): Promise<Map<number, Member>> {
    const policies = await readMemberPolicies(database(), {
      ...{ source: view.pool.source, user_ids, configuration: of, now: clock.now() },
    })
    return new Map(
      [...policies].map(([user_id, { weight, may_borrow }]) => {
        const usual = view.facts.members.get(user_id)?.usual ?? null
        return [user_id, { user_id, weight, may_borrow, asked_at: null, usual }]
      }),
    )
  }

  async function replayView(view: PoolView, change: Change): Promise<Replay> {
    const now = clock.now()
    const from = now - REPLAY_DAYS * DAY
    const { source, upstream_ids } = view.pool
    // What an account says of its windows is about now.
    const windows = view.pool.settings.windows.map(window => ({ ...window, reported: null }))
    const settings = { ...view.pool.settings, windows }
    const since = Math.max(linesMatterFrom(settings, from), from - MAX_BEFORE)
    const { past, refused } = await readPastAsks(database(), { source, upstream_ids, since })
    const user_ids = [...new Set([...past.map(({ user_id }) => user_id), ...view.facts.members.keys()])]
    const { sharing = view.pool.sharing, ...changed } = change.sharing ?? {}
    const before: Rules = {
      pool: { ...view.pool, settings },
      members: await membersBy(view, user_ids, configuration()),
    }
    const after: Rules = {
      pool: { ...view.pool, sharing, settings: { ...settings, ...changed } },
      members:
        change.configuration === undefined ? before.members : await membersBy(view, user_ids, change.configuration),
    }
    const found = await replay({ from, past, before, after })
    const until = found.ended_at ?? now
    const nameOf = await namesOf(database(), user_ids)
    return {
      from: iso(from),
      until: iso(until),
      asks: found.asks,
      met: refused.filter(({ time }) => time >= from && time <= until).length,
      before: sumOf(found.before),
      after: sumOf(found.after),
      people: differing(found, nameOf),
    }
  }

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = running.catch(() => undefined).then(work)
    running = done
    return done
  }

  return {
    async lending(upstream_id: number, { weeks }: { weeks: number }): Promise<LendingReport> {
      const view = await requireView(upstream_id)
      const since = clock.now() - weeks * WEEK
      const starts = Array.from({ length: weeks }, (_, week) => since + week * WEEK)
      const upstream_ids = view?.pool.upstream_ids ?? [upstream_id]
      const source = view?.pool.source ?? upstreams.find(upstream_id)?.source ?? SOURCES[0]
      const [lent, refused] = await Promise.all([
        lentSums(database(), { upstream_ids, since, week_ms: WEEK }),
        view === null ? [] : refusedSums(database(), { source, since, week_ms: WEEK }),
      ])
      const table = lendingTable(weeks)
      for (const { user_id, week, lender_id, asks } of lent) {
        table.add(user_id, week, { used: asks, ...(lender_id !== null && { borrowed: asks }) })
        if (lender_id !== null && lender_id !== 0) table.add(lender_id, week, { lent: asks })
      }
      for (const { user_id, week, asks } of refused) if (user_id !== null) table.add(user_id, week, { refused: asks })
      const nameOf = await namesOf(database(), table.ids())
      return { weeks: starts.map(iso), total: table.total(), people: table.people(nameOf) }
    },

    /** Null: the account has no windows. */
    sharing: async (upstream_id: number, change: BodyOf<typeof replaySharing>): Promise<Replay | null> => {
      const view = await requireView(upstream_id)
      return view === null ? null : inTurn(() => replayView(view, { sharing: change }))
    },

    /** Of each pool where shares count, and where anything differs. */
    plan: (after: Configuration): Promise<ResultOf<typeof replayPlan>> =>
      inTurn(async () => {
        const found: ResultOf<typeof replayPlan> = []
        const known = new Set<number>()
        for (const { id } of SOURCES.flatMap(source => upstreams.shared(source))) {
          if (known.has(id)) continue
          const view = await pools.view(database(), id, { now: clock.now() })
          if (view === null || view.pool.sharing !== 'shares') continue
          for (const each of view.pool.upstream_ids) known.add(each)
          const replayed = await replayView(view, { configuration: after })
          found.push({ upstream_id: id, label: view.pool.label, replay: replayed })
        }
        return found
      }),
  }
}

const iso = (time: number): string => new Date(time).toISOString()

const NOTHING: Tally = { answered: 0, borrowed: 0, refused: 0 }

function sumOf(tallies: ReadonlyMap<number, Tally>): Tally {
  return [...tallies.values()].reduce(
    (sum, { answered, borrowed, refused }) => ({
      answered: sum.answered + answered,
      borrowed: sum.borrowed + borrowed,
      refused: sum.refused + refused,
    }),
    NOTHING,
  )
}

type NameOf = Awaited<ReturnType<typeof namesOf>>

/** People of whom anything differs; who gains most comes first. */
function differing(
  { before, after }: { before: ReadonlyMap<number, Tally>; after: ReadonlyMap<number, Tally> },
  nameOf: NameOf,
): Replay['people'] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .flatMap(user_id => {
      const user = nameOf(user_id)
      const [one, other] = [before.get(user_id) ?? NOTHING, after.get(user_id) ?? NOTHING]
      const differs = (Object.keys(NOTHING) as (keyof Tally)[]).some(key => one[key] !== other[key])
      return user === null || !differs ? [] : [{ user, before: one, after: other }]
    })
    .toSorted((one, other) => gainOf(other) - gainOf(one))
}

const gainOf = ({ before, after }: { before: Tally; after: Tally }): number => after.answered - before.answered

const NONE: Lending = { used: 0, borrowed: 0, lent: 0, refused: 0 }

function lendingTable(weeks: number) {
  const rows = new Map<number, Lending[]>()
  const total = { ...NONE }
  const added = (one: Lending, more: Partial<Lending>): Lending => ({
    used: one.used + (more.used ?? 0),
    borrowed: one.borrowed + (more.borrowed ?? 0),
    lent: one.lent + (more.lent ?? 0),
    refused: one.refused + (more.refused ?? 0),
  })
  return {
    add(user_id: number, at: number, more: Partial<Lending>): void {
      const week = Math.min(weeks - 1, Math.max(0, at))
      const of = rows.get(user_id) ?? Array.from({ length: weeks }, () => NONE)
      rows.set(user_id, of.with(week, added(of[week] ?? NONE, more)))
      Object.assign(total, added(total, more))
    },
    ids: () => [...rows.keys()],
    total: () => total,
    people: (nameOf: NameOf): LendingReport['people'] =>
      [...rows]
        .flatMap(([user_id, by_week]) => {
          const user = nameOf(user_id)
          return user === null ? [] : [{ user, by_week, total: by_week.reduce(added, NONE) }]
        })
        .toSorted((one, other) => other.total.lent - one.total.lent || other.total.used - one.total.used),
  }
}
