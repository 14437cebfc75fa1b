import type { Bus } from '#server/foundation/database/bus.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Log } from '#server/foundation/logging.ts'
import type { ProviderUpstream } from '#server/providers/provider.ts'
import { BLANK } from './capabilities.ts'
import { digestOf } from './listing.ts'
import type { Snapshot } from './snapshot.ts'
import { modelStore } from './store.ts'

/** An endpoint may be given a longer context: after this time a refusal says anew how long it is. */
const LEARNED_TTL_MS = 30 * 24 * 3_600_000

/** A position behind all listed models. */
const LAST = 1_000_000

type Dependencies = { open: OpenDatabase; bus: Bus; clock: Clock; log: Log; snapshot: Snapshot }

/** A model, where it is asked. */
type Asked = Pick<ProviderUpstream, 'base_url' | 'model_name'>

export type LearnedContexts = ReturnType<typeof openLearnedContexts>

/** How long the contexts of models are, as upstreams said when they refused a question for it. */
export function openLearnedContexts({ open, bus, clock, log, snapshot }: Dependencies) {
  const store = modelStore(open.database)

  function learnedContext(upstream_id: number, { base_url, model_name }: Asked): number | null {
    const known = snapshot.knownOf(upstream_id).find(each => each.name === model_name && each.learned_time !== null)
    if (known === undefined || known.learned_digest !== digestOf(base_url)) return null
    return clock.now() - (known.learned_time ?? 0) < LEARNED_TTL_MS ? known.learned_context_length : null
  }

  return {
    /** In tokens; null where nothing is known. */
    learnedContext,

    /** Keeps what an upstream has said. */
    async learnContext(upstream_id: number, asked: Asked, tokens: number): Promise<void> {
      const { base_url, model_name } = asked
      if (learnedContext(upstream_id, asked) === tokens) return
      try {
        const learned = {
          learned_context_length: tokens,
          learned_digest: digestOf(base_url),
          learned_time: clock.now(),
        }
        const name = model_name
        if (!snapshot.knownOf(upstream_id).some(each => each.name === name))
          await store.add({ ...BLANK, ...{ upstream_id, code: `#${name}`, name, position: LAST, listed: false } })
        await store.change(upstream_id, { name }, learned)
        await snapshot.reload()
        bus.publish('upstreams')
        log.info({ upstream_id, model: model_name, tokens }, 'an upstream said how long the context of a model is')
      } catch (error) {
        // The answer is worth more, and the next refusal says the same.
        log.warn({ err: error }, 'the length of a context could not be stored')
      }
    },
  }
}
