import type { Relay } from '#server/asks/ask.ts'
import type { RelayForm } from '#server/providers/relay.ts'
import type { Candidate, Upstream } from '#server/upstreams/upstream.ts'
import { consideredNow } from '#server/upstreams/choose.ts'

/** In which form a request goes to an upstream; null where that speaks none of its dialects. */
export const formFor = ({ forms }: Relay, { dialects }: Pick<Upstream, 'dialects'>): RelayForm | null =>
  forms.find(({ dialect }) => dialects.includes(dialect)) ?? null

/** Whether an upstream can answer an ask: one that is no request to be passed on, any can. */
export const isSpokenBy = (relay: Relay | null, upstream: Pick<Upstream, 'dialects'>): boolean =>
  relay === null || formFor(relay, upstream) !== null

/**
 * Those that take the request in its best form, as far as one of them is healthy; then the next best. When none is
 * healthy, all that take it in any form.
 */
export function speaking(relay: Relay | null, candidates: readonly Candidate[], now: number): Candidate[] {
  if (relay === null) return [...candidates]
  const spoken = candidates.filter(({ upstream }) => isSpokenBy(relay, upstream))
  const healthy = consideredNow(spoken, now)
  for (const form of relay.forms) {
    const best = healthy.filter(({ upstream }) => formFor(relay, upstream) === form)
    if (best.length > 0) return best
  }
  return spoken
}
