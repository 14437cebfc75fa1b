import type { Source } from '#contract/models.ts'
import type { UpstreamTest } from '#contract/upstreams.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { requirePort } from '#server/providers/provider.ts'
import type { Providers } from '#server/providers/providers.ts'
import type { ModelReading } from './modelReading.ts'
import { type UpstreamRow, upstreamStore } from './store.ts'
import type { Upstreams } from './upstreams.ts'

/** Milliseconds for a test, whatever the endpoint does. */
export const LONGEST_TEST = 25_000

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  upstreams: Upstreams
  providers: Providers
  models: Pick<ModelReading, 'isListed' | 'read'>
  /** After something was stored. */
  announce(): Promise<void>
}

/** Tests of upstreams, of which the last one is kept. */
export function openChecks({ open, clock, upstreams, providers, models, announce }: Dependencies) {
  async function readIfListed(row: UpstreamRow, signal: AbortSignal): Promise<number | null> {
    let listed: number | null = null
    if (models.isListed(row))
      await refusalOf(async () => {
        listed = await models.read(row, signal)
      })
    return listed
  }

  return {
    canBeTested: (source: string): boolean => providers[source as Source]?.test !== undefined, // only the two sources are ever stored

    /** Tests one and reads its models. What the endpoint refuses is the outcome, and no failure of the call. */
    async check(id: number): Promise<void> {
      const row = upstreams.requireShared(id)
      const test = requirePort(providers[row.source as Source], 'test') // as above
      const began = clock.monotonic()
      const signal = AbortSignal.timeout(LONGEST_TEST)
      const refused = await refusalOf(() => test(upstreams.reach(row), signal))
      const listed = refused === null ? await readIfListed(row, signal) : null
      upstreams.report(id, refused ?? 'answered')
      const last_test = { ...outcomeOf(refused), listed, duration: Math.round(clock.monotonic() - began) }
      await upstreamStore(open.database).change(id, { last_tested: clock.now(), last_test })
      await announce()
    },
  }
}

async function refusalOf(work: () => Promise<void>): Promise<Refusal | null> {
  try {
    await work()
    return null
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

const outcomeOf = (refused: Refusal | null): Pick<UpstreamTest, 'message' | 'values'> =>
  refused === null ? { message: null, values: null } : { message: `errors.${refused.key}`, values: refused.values }
