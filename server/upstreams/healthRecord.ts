import type { RefusalKey } from '#contract/refusals.ts'
import type { Bus } from '#server/foundation/bus.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Log } from '#server/foundation/logging.ts'
import type { Refusal } from '#server/foundation/refusal.ts'
import { healthAfter, NORMAL, triedAt } from './health.ts'
import { type UpstreamRow, upstreamStore } from './store.ts'
import type { Health } from './upstream.ts'

type Dependencies = {
  open: OpenDatabase
  bus: Bus
  clock: Clock
  log: Log
  rows(): readonly UpstreamRow[]
  onChange(): void
}

export type HealthRecord = ReturnType<typeof openHealthRecord>

/** How shared upstreams are. What this process learns counts here at once; it is stored, and so reaches the other processes. */
export function openHealthRecord({ open, bus, clock, log, rows, onChange }: Dependencies) {
  const store = upstreamStore(open.database)
  /** What this process knows better than what it has read: failures that say nothing yet, and what is on its way to the database. */
  const known = new Map<number, { health: Health; read: UpstreamRow }>()
  let storing: Promise<void> = Promise.resolve()

  function of(row: UpstreamRow): Health {
    const better = known.get(row.id)
    if (better !== undefined && isSameHealth(better.read, row)) return better.health
    known.delete(row.id)
    return healthIn(row)
  }

  function change(upstream_id: number, after: (health: Health) => Health): void {
    const row = rows().find(({ id }) => id === upstream_id)
    if (row === undefined) return
    const before = of(row)
    const health = after(before)
    if (health === before) return
    known.set(upstream_id, { health, read: row })
    if (health.state === 'normal' && before.state === 'normal') return
    if (health.state !== before.state) log.info({ upstream_id, health }, 'the health of an upstream has changed')
    onChange()
    storing = storing
      .then(async () => {
        await store.change(upstream_id, columnsOf(health))
        bus.publish('upstreams')
      })
      .catch((error: unknown) => log.warn({ err: error, upstream_id }, 'the health of an upstream could not be stored'))
  }

  return {
    of,

    /**
     * What came of an ask. `began`: when it was sent, so that an answer that was under way already when another ask was refused ends no pause.
     */
    report(upstream_id: number, result: Refusal | 'answered', began?: number): void {
      change(upstream_id, health => healthAfter(health, result, clock.now(), began))
    },

    /** An ask goes there; where the upstream needs attention it is the one that finds out, for a minute. */
    isAsked(upstream_id: number): void {
      change(upstream_id, health => triedAt(health, clock.now()))
    },

    stored: () => storing,
  }
}

type HealthColumns = Pick<UpstreamRow, 'health' | 'cooling_until' | 'health_reason' | 'health_since'>

const isSameHealth = (one: HealthColumns, other: HealthColumns): boolean =>
  one.health === other.health &&
  one.cooling_until === other.cooling_until &&
  one.health_reason === other.health_reason &&
  one.health_since === other.health_since

function healthIn({ health, cooling_until, health_reason, health_since }: HealthColumns): Health {
  if (health === 'normal' || health_reason === null) return NORMAL
  const [time, since, reason] = [cooling_until ?? 0, health_since ?? 0, health_reason as RefusalKey] // of columnsOf
  return health === 'attention'
    ? { state: 'attention', next_try: time, since, reason }
    : { state: 'cooling', until: time, since, reason }
}

export function columnsOf(health: Health): HealthColumns {
  switch (health.state) {
    case 'normal':
      return { health: 'normal', cooling_until: null, health_reason: null, health_since: null }
    case 'cooling':
      return {
        health: 'cooling',
        cooling_until: health.until,
        health_reason: health.reason,
        health_since: health.since,
      }
    case 'attention':
      return {
        health: 'attention',
        cooling_until: health.next_try,
        health_reason: health.reason,
        health_since: health.since,
      }
  }
}
