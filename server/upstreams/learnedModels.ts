import { isDeepStrictEqual } from 'node:util'
import { type ModelCapabilities, UNKNOWN_CAPABILITIES } from '#contract/models.ts'
import type { Bus } from '#server/foundation/database/bus.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Log } from '#server/foundation/logging.ts'
import type { ProviderUpstream } from '#server/providers/provider.ts'
import { BLANK, type ModelKnowledge } from './capabilities.ts'
import { digestOf } from './listing.ts'
import type { Snapshot } from './snapshot.ts'
import { modelStore } from './store.ts'

/** An endpoint may be given a longer context, or another model: after this time a refusal says anew what it takes. */
const LEARNED_TTL_MS = 30 * 24 * 3_600_000

/** A position behind all listed models. */
const LAST = 1_000_000

type Dependencies = { open: OpenDatabase; bus: Bus; clock: Clock; log: Log; snapshot: Snapshot }

/** A model, where it is asked. */
type Asked = Pick<ProviderUpstream, 'base_url' | 'model_name'>
type Learned = Pick<ModelKnowledge, 'learned_context_length' | 'learned_capabilities'>

const NOTHING: Learned = { learned_context_length: null, learned_capabilities: null }

export type LearnedModels = ReturnType<typeof openLearnedModels>

/** What models take, as upstreams said when they refused a question for it. */
export function openLearnedModels({ open, bus, clock, log, snapshot }: Dependencies) {
  const store = modelStore(open.database)

  function learnedOf(upstream_id: number, { base_url, model_name }: Asked): Learned {
    const known = snapshot.knownOf(upstream_id).find(each => each.name === model_name && each.learned_time !== null)
    if (known === undefined || known.learned_digest !== digestOf(base_url)) return NOTHING
    return clock.now() - (known.learned_time ?? 0) < LEARNED_TTL_MS ? known : NOTHING
  }

  async function learn(upstream_id: number, asked: Asked, more: Partial<Learned>): Promise<void> {
    const { base_url, model_name: name } = asked
    const { learned_context_length, learned_capabilities } = learnedOf(upstream_id, asked)
    const known = { learned_context_length, learned_capabilities }
    const learned = { ...known, ...more }
    if (isDeepStrictEqual(learned, known)) return
    try {
      const columns = { ...learned, learned_digest: digestOf(base_url), learned_time: clock.now() }
      if (!snapshot.knownOf(upstream_id).some(each => each.name === name))
        await store.add({ ...BLANK, ...{ upstream_id, code: `#${name}`, name, position: LAST, listed: false } })
      await store.change(upstream_id, { name }, columns)
      await snapshot.reload()
      bus.publish('upstreams')
      log.info({ upstream_id, model: name, ...more }, 'an upstream said what a model takes')
    } catch (error) {
      // The answer is worth more, and the next refusal says the same.
      log.warn({ err: error }, 'what a model takes could not be stored')
    }
  }

  return {
    /** In tokens; null where nothing is known. */
    learnedContext: (upstream_id: number, asked: Asked): number | null =>
      learnedOf(upstream_id, asked).learned_context_length,

    /** Keeps what an upstream has said. */
    learnContext: (upstream_id: number, asked: Asked, tokens: number) =>
      learn(upstream_id, asked, { learned_context_length: tokens }),

    learnedCapabilities: (upstream_id: number, asked: Asked): ModelCapabilities => ({
      ...UNKNOWN_CAPABILITIES,
      ...learnedOf(upstream_id, asked).learned_capabilities,
    }),

    learnCapabilities(upstream_id: number, asked: Asked, more: Partial<ModelCapabilities>): Promise<void> {
      const { learned_capabilities } = learnedOf(upstream_id, asked)
      return learn(upstream_id, asked, { learned_capabilities: { ...learned_capabilities, ...more } })
    },
  }
}
