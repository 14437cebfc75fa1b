import type { Configuration } from '#contract/configuration/configuration.ts'
import { SOURCES } from '#contract/models.ts'
import { MAX_LISTED_ASKS, type Queue, type QueuedAsk } from '#contract/queue.ts'
import type { AccountMeter, SharedMeter } from '#contract/status.ts'
import { userNames, nicknames } from '#server/users/store.ts'
import { turnOrder } from '#server/asking/lockedQueues.ts'
import { askLogStore } from '#server/asks/logStore.ts'
import { askDetails, entriesOf } from '#server/asks/queueStore.ts'
import { conversationTitles } from '#server/conversations/store.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { Database, OpenDatabase } from '#server/foundation/database/open.ts'
import { isHealthy } from '#server/upstreams/health.ts'
import type { Health, Upstream } from '#server/upstreams/upstream.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'
import type { Pool } from '#server/upstreams/windows/pools.ts'

/** Most steps in `returns`. */
const MAX_RETURNS = 6
/** How many of a long queue are listed. */
const MAX_SHOWN = 20

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  configuration(): Configuration
  upstreams: Pick<Upstreams, 'inUse' | 'coolingModels' | 'poolOf'>
}

/** The shared accounts: how busy, who waits, what is used and when it comes back. */
export function openMeter({ open, clock, configuration, upstreams }: Dependencies) {
  const [store, logs] = [statusStore(open.database), askLogStore(open.database)]

  /** With its asks in the order of their turns. */
  async function account(upstream: Upstream, now: number) {
    const { id, source, label, shared_limit, shared_limit_window_seconds: window_seconds } = upstream
    const [asks, times, logged] = await Promise.all([
      store.entriesWithNames(id),
      logs.recentTimes(id),
      logs.answeredSince(upstream, now - window_seconds * 1000),
    ])
    const running = asks.filter(ask => ask.ask_state === 'asking')
    const waiting = turnOrder(asks.filter(ask => ask.ask_state === 'queueing'))
    const load: Omit<AccountMeter, 'line'> = {
      source,
      upstream_id: id,
      label,
      paused: upstream.paused_since !== null,
      cooling_until: coolingUntil(upstream.health, now),
      cooling_models: upstreams
        .coolingModels(id)
        .map(({ model, cooling_until }) => ({ model, until: new Date(cooling_until).toISOString() })),
      running: running.length,
      places: upstream.concurrency,
      waiting: waiting.length,
      seconds_per_answer: times.length === 0 ? null : Math.max(1, Math.round(mean(times) / 1000)),
      used: logged.length,
      allowed: shared_limit,
      window_seconds,
      pool: sharedPool(upstreams.poolOf(id)),
      returns: returnsOf(logged.map(time => time + window_seconds * 1000)),
    }
    return { load, asks: [...running, ...waiting] }
  }

  async function accounts(now: number) {
    const enabled = SOURCES.filter(source => configuration()[source].enabled)
    return Promise.all(enabled.flatMap(upstreams.inUse).map(each => account(each, now)))
  }

  return {
    /** As everybody may see them. */
    async read(user_id: number): Promise<SharedMeter> {
      const now = clock.now()
      const names = configuration().portal.show_names_in_line
      const all = await accounts(now)
      return {
        now: new Date(now).toISOString(),
        accounts: all.map(({ load, asks }) => ({
          ...load,
          line: asks.slice(0, MAX_SHOWN).map(ask => ({
            nickname: names || ask.user_id === user_id ? ask.nickname : null,
            is_me: ask.user_id === user_id,
            state: stateOf(ask.ask_state),
          })),
        })),
      }
    },

    /** As superusers see them. */
    async readQueue(): Promise<Queue> {
      const now = clock.now()
      const all = await accounts(now)
      const listed = all.flatMap(({ asks }) => asks.slice(0, MAX_LISTED_ASKS).map(({ ask_id }) => ask_id))
      const rows = listed.length === 0 ? [] : await store.details(listed)
      const details = new Map(rows.map(row => [row.ask_id, row]))
      return {
        now: new Date(now).toISOString(),
        accounts: all.map(({ load, asks }) => ({
          ...load,
          asks: asks.slice(0, MAX_LISTED_ASKS).flatMap(({ ask_id, ask_state }) => {
            const row = details.get(ask_id)
            return row === undefined ? [] : [queuedAsk(row, stateOf(ask_state))]
          }),
        })),
      }
    },
  }
}

export type Meter = ReturnType<typeof openMeter>

/** The first account of a pool that is shared by shares. */
const sharedPool = (pool: Pool | null): number | null =>
  pool?.sharing === 'shares' ? Math.min(...pool.upstream_ids) : null

const stateOf = (ask_state: string) => (ask_state === 'asking' ? 'asking' : 'queueing')

type Details = Awaited<ReturnType<ReturnType<typeof statusStore>['details']>>[number]

function queuedAsk(row: Details, state: QueuedAsk['state']): QueuedAsk {
  const { ask_id, conversation_id, title, model, user_id: id, username, nickname, create_time, start_time } = row
  const since = state === 'asking' ? (start_time ?? create_time) : create_time
  return {
    ...{ ask_id, state, conversation_id, title, model },
    person: { id, username, nickname },
    since: new Date(since).toISOString(),
  }
}

/** Until when new asks go elsewhere where they can: it cools, or needs attention and is tried again then. */
function coolingUntil(health: Health, now: number): string | null {
  if (health.state === 'normal' || isHealthy(health, now)) return null
  const until = health.state === 'cooling' ? health.until : health.next_try
  return until === null ? null : new Date(until).toISOString()
}

/** Groups moments, oldest first, into a few steps of about the same size. A step's time is that of its first moment. */
export function returnsOf(moments: readonly number[]): AccountMeter['returns'] {
  const size = Math.max(1, Math.ceil(moments.length / MAX_RETURNS))
  const steps: AccountMeter['returns'] = []
  for (let start = 0; start < moments.length; start += size) {
    const first = moments[start] ?? 0
    steps.push({ at: new Date(first).toISOString(), count: Math.min(size, moments.length - start) })
  }
  return steps
}

const mean = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length

/** Queries and nothing else. */
export function statusStore(database: Database) {
  return {
    /** Who is being answered and who waits at a shared account, in the order of the tickets, with their names. */
    entriesWithNames: (upstream_id: number) =>
      database
        .selectFrom(entriesOf(database, upstream_id).as('entries'))
        .innerJoin(nicknames(database).as('people'), 'people.id', 'entries.user_id')
        .select([
          'entries.ask_id',
          'entries.user_id',
          'entries.ask_state',
          'entries.borrows',
          'entries.round',
          'entries.lent',
          'entries.ticket',
          'people.nickname',
        ])
        .orderBy('entries.ticket')
        .execute(),

    /** Of asks that run or wait: whose they are, and in which conversation. */
    details: (ask_ids: readonly string[]) =>
      database
        .selectFrom(askDetails(database, ask_ids).as('asks'))
        .innerJoin(userNames(database).as('people'), 'people.id', 'asks.user_id')
        .leftJoin(conversationTitles(database).as('titles'), 'titles.conversation_id', 'asks.conversation_id')
        .select([
          'asks.ask_id',
          'asks.user_id',
          'asks.conversation_id',
          'asks.model',
          'asks.create_time',
          'asks.start_time',
          'people.username',
          'people.nickname',
          'titles.title',
        ])
        .execute(),
  }
}
