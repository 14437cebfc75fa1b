import type { RefusalKey } from '#contract/refusals.ts'
import type { Bus } from '#server/foundation/database/bus.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Log } from '#server/foundation/logging.ts'
import type { Refusal } from '#server/foundation/refusal.ts'
import { type UpstreamRow, upstreamStore } from './store.ts'
import type { Health } from './upstream.ts'

/** Milliseconds for which asks go elsewhere when the upstream does not say how long. */
export const COOLING = 60_000
/** Milliseconds between two asks that find out whether an upstream still needs attention. */
const TRY_EVERY = 60_000
/** After so many failures within so many milliseconds an upstream cools. */
const FAILURES = { count: 3, within: 60_000 }

type Result = Pick<Refusal, 'key' | 'values'> | 'answered'

/** What a refusal says of the health of the upstream. Refusals of a request or its content say nothing. */
const MEANING: Partial<Record<RefusalKey, 'full' | 'attention' | 'failure'>> = {
  'openai.429': 'full',
  'openai.403': 'full',
  'openai.oneAtATime': 'full',
  'openai.401': 'attention',
  'openai.accountDeactivated': 'attention',
  'openai.quota': 'attention',
  'openai.unusualActivity': 'attention',
  'openai.webPage': 'attention',
  'openai.500': 'failure',
  httpError: 'failure',
  upstreamTimeout: 'failure',
}

/** What lasts until somebody does something, whatever is said of time. */
const FOR_GOOD: ReadonlySet<RefusalKey> = new Set(['openai.401', 'openai.accountDeactivated'])

/** Whether a refusal is about the account as such, whatever it was asked for. */
export const isOfAccount = (key: RefusalKey): boolean => key !== 'openai.quota' && MEANING[key] === 'attention'

export const NORMAL: Health = { state: 'normal' }

/**
 * The health after an ask. `began`: when it was sent; an answer that began before the upstream refused another ask ends
 * no pause.
 */
export function healthAfter(health: Health, result: Result, now: number, began: number = now): Health {
  if (result === 'answered') return health.state !== 'normal' && began < health.since ? health : NORMAL
  const { key, values } = result
  const stated = typeof values['retry_after_seconds'] === 'number' ? values['retry_after_seconds'] * 1000 : null
  const meaning = MEANING[key]
  // What ends by itself needs nobody's attention, and one failure is enough where its end is told.
  if (stated !== null && meaning !== undefined && !FOR_GOOD.has(key)) return coolingFor(stated)
  switch (meaning) {
    case 'full':
      return coolingFor(null)
    case 'attention':
      return { state: 'attention', next_try: now + TRY_EVERY, since: sinceWhen('attention'), reason: key }
    case 'failure':
      return afterFailure()
    case undefined:
      return health
  }

  /** For so many milliseconds, as the upstream says; null where it does not. */
  function coolingFor(milliseconds: number | null): Health {
    // What was said first and lasts longer stays; what was guessed gives way to what is said.
    const before = health.state === 'cooling' && (milliseconds === null || health.guessed !== true) ? health : null
    const until = now + (milliseconds ?? COOLING)
    const cooling = { state: 'cooling', since: sinceWhen('cooling'), reason: key } as const
    if (before !== null && before.until > until)
      return { ...cooling, until: before.until, ...(before.guessed && { guessed: true }) }
    return { ...cooling, until, ...(milliseconds === null && { guessed: true }) }
  }

  function sinceWhen(state: Health['state']): number {
    return health.state === state && health.state !== 'normal' ? health.since : now
  }

  function afterFailure(): Health {
    if (health.state !== 'normal') return isHealthy(health, now) ? coolingFor(null) : health
    const failures = [...recentFailures(health, now), now]
    return failures.length >= FAILURES.count ? coolingFor(null) : { state: 'normal', failures }
  }
}

/** When requests failed lately: no single failure means that the upstream is down. */
export const recentFailures = (health: Health, now: number): number[] =>
  health.state === 'normal' ? (health.failures ?? []).filter(time => time > now - FAILURES.within) : []

/**
 * Whether new asks may go there before others are thought of. In attention: when it is time for the one ask that finds
 * out.
 */
export function isHealthy(health: Health, now: number): boolean {
  switch (health.state) {
    case 'normal':
      return true
    case 'cooling':
      return health.until <= now
    case 'attention':
      return health.next_try !== null && health.next_try <= now
  }
}

/** When an ask has been sent to find out whether the upstream still needs attention. */
export function triedAt(health: Health, now: number): Health {
  return health.state === 'attention' && isHealthy(health, now) ? { ...health, next_try: now + TRY_EVERY } : health
}

type Dependencies = {
  open: OpenDatabase
  bus: Bus
  clock: Clock
  log: Log
  rows(): readonly UpstreamRow[]
  onChange(): void
}

/**
 * How shared upstreams are. What this process learns counts here at once; it is stored, and so reaches the other
 * processes.
 */
export function openHealthRecord({ open, bus, clock, log, rows, onChange }: Dependencies) {
  const store = upstreamStore(open.database)
  /**
   * Newer than the rows that were read: failures too few to change the health, and changes on their way to the
   * database.
   */
  const known = new Map<number, { health: Health; read: UpstreamRow }>()
  let storing: Promise<void> = Promise.resolve()

  function of(row: UpstreamRow): Health {
    const better = known.get(row.id)
    // The row may not have it yet, or has it without what is not stored.
    if (better !== undefined && [better.read, columnsOf(better.health)].some(each => isSameHealth(each, row)))
      return better.health
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
     * What came of an ask. `began`: when it was sent, so that an answer that was under way already when another ask was
     * refused ends no pause.
     */
    report(upstream_id: number, result: Refusal | 'answered', began?: number): void {
      change(upstream_id, health => healthAfter(health, result, clock.now(), began))
    },

    /**
     * An ask goes there. If the upstream needs attention, this ask finds out whether it still does, and no other one is
     * sent for a minute.
     */
    noteAsked(upstream_id: number): void {
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
