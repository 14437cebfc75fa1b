import type { RefusalKey } from '#contract/refusals.ts'
import type { Refusal } from '#server/foundation/refusal.ts'
import type { Health } from './upstream.ts'

/** Milliseconds for which asks go elsewhere when the upstream does not say how long. */
const COOLING = 60_000
/** Milliseconds between two asks that find out whether an upstream still needs attention. */
const TRY_EVERY = 60_000
/** So many failures within so many milliseconds, and asks go elsewhere. */
const FAILURES = { count: 3, within: 60_000 }

type Result = Pick<Refusal, 'key' | 'values'> | 'answered'

/** What the refusal says of the upstream; a refusal that has to do with the request or its content says nothing. */
const MEANING: Partial<Record<RefusalKey, 'full' | 'attention' | 'failure'>> = {
  'openai.429': 'full',
  'openai.403': 'full',
  'openai.401': 'attention',
  'openai.quota': 'attention',
  'openai.500': 'failure',
  httpError: 'failure',
  upstreamTimeout: 'failure',
}

export const NORMAL: Health = { state: 'normal' }

/** The health after an ask. `began`: when it was sent; an answer that began before the upstream refused another ask ends no pause. */
export function healthAfter(health: Health, result: Result, now: number, began: number = now): Health {
  if (result === 'answered') return health.state !== 'normal' && began < health.since ? health : NORMAL
  const { key, values } = result
  switch (MEANING[key]) {
    case 'full':
      return coolingFor(
        typeof values['retry_after_seconds'] === 'number' ? values['retry_after_seconds'] * 1000 : COOLING,
      )
    case 'attention':
      return { state: 'attention', next_try: now + TRY_EVERY, since: sinceWhen('attention'), reason: key }
    case 'failure':
      return afterFailure()
    case undefined:
      return health
  }

  function coolingFor(milliseconds: number): Health {
    // What was said first and lasts longer stays.
    const until = Math.max(now + milliseconds, health.state === 'cooling' ? health.until : 0)
    return { state: 'cooling', until, since: sinceWhen('cooling'), reason: key }
  }

  function sinceWhen(state: Health['state']): number {
    return health.state === state && health.state !== 'normal' ? health.since : now
  }

  function afterFailure(): Health {
    if (health.state !== 'normal') return isHealthy(health, now) ? coolingFor(COOLING) : health
    const failures = [...(health.failures ?? []).filter(time => time > now - FAILURES.within), now]
    return failures.length >= FAILURES.count ? coolingFor(COOLING) : { state: 'normal', failures }
  }
}

/** Whether new asks may go there before others are thought of. In attention: when it is time for the one ask that finds out. */
export function isHealthy(health: Health, now: number): boolean {
  switch (health.state) {
    case 'normal':
      return true
    case 'cooling':
      return health.until <= now
    case 'attention':
      return health.next_try <= now
  }
}

/** When an ask has been sent to find out whether the upstream still needs attention. */
export function triedAt(health: Health, now: number): Health {
  return health.state === 'attention' && health.next_try <= now ? { ...health, next_try: now + TRY_EVERY } : health
}
