import type { Configuration } from '#contract/configuration/configuration.ts'
import type { Dialect } from '#contract/gateway.ts'
import type { Source } from '#contract/models.ts'
import type { UpstreamDraft, UpstreamDraftTest, UpstreamTest } from '#contract/upstreams.ts'
import type { ConfigurationService } from '#server/configuration/configuration.ts'
import { codeOf } from '#server/configuration/models.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { StoredKey } from '#server/foundation/secrets.ts'
import type { ProviderEndpoint } from '#server/providers/endpoint.ts'
import { requirePort } from '#server/providers/provider.ts'
import type { Providers } from '#server/providers/providers.ts'
import type { ReachedBy } from './endpoints.ts'
import type { ModelReading } from './modelReading.ts'
import type { SharedUpstream } from './settingsView.ts'
import { upstreamStore } from './store.ts'
import { addressOf, originOf } from './upstream.ts'
import type { Upstreams } from './upstreams.ts'
import { testView, columnsOf, secretOf as secretFrom } from './wire.ts'

/** Milliseconds for a test, whatever the endpoint does. */
export const MAX_TEST = 25_000
/** Models that are shown of a draft: as many as are kept of a stored one. */
const MAX_SHOWN = 1_000

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  configuration: Pick<ConfigurationService, 'current'>
  upstreams: Upstreams
  providers: Providers
  models: Pick<ModelReading, 'isListed' | 'read'>
  /** After something was stored. */
  announce(): Promise<void>
}

/**
 * Tests upstreams, and stores the latest result of each. A refusal of the endpoint is a result, not a failure of the
 * test.
 */
export function openChecks({ open, clock, configuration, upstreams, providers, models, announce }: Dependencies) {
  /** How many models the endpoint lists; null when it gives no list, or it is not to be read. */
  const countListed = async (row: SharedUpstream, signal: AbortSignal): Promise<number | null> =>
    models.isListed(row) ? models.read(row, signal).catch(nullIfRefused) : null

  /** The secret to test with: the entered one; else the stored one, if the address leads to the same origin. */
  function secretOf({ id, secret }: UpstreamDraft, reached: ReachedBy): StoredKey {
    if (secret || id === undefined) return { key: secret || null, isUnreadable: false }
    const row = upstreams.requireShared(id)
    if (row.locked.includes('secret')) throw new Refusal('upstreamIsFirst')
    const settings = configuration.current()
    const isKept = secret !== null && originOf(addressOf(row, settings)) === originOf(addressOf(reached, settings))
    return isKept ? upstreams.snapshot.secretOf(row) : { key: null, isUnreadable: false }
  }

  return {
    // only the two sources are ever stored
    canBeTested: (source: string): boolean => providers[source as Source]?.test !== undefined,

    /** Tests a stored upstream and reads its models. */
    async check(id: number): Promise<void> {
      const row = upstreams.requireShared(id)
      const test = requirePort(providers[row.source as Source], 'test') // as above
      const began = clock.monotonic()
      const signal = AbortSignal.timeout(MAX_TEST)
      const endpoint = upstreams.reach(row)
      const refused = await refusalOf(() => test(endpoint, signal))
      const duration = Math.round(clock.monotonic() - began)
      const listed = refused === null ? await countListed(row, signal) : null
      upstreams.report(id, refused ?? 'answered')
      const settings = configuration.current()[row.source as Source] // as above
      const proxy = proxyOf(row.locked.includes('proxy') ? null : row.proxy, endpoint, settings)
      const dialects = refused === null ? await spokenAt(row.source as Source, endpoint, signal) : null // as above
      const last_test = { ...outcomeOf(refused), listed, duration, proxy, dialects }
      await upstreamStore(open.database).change(id, { last_tested: clock.now(), last_test })
      await announce()
    },

    /** Tests an upstream that is not stored. The result does not change the health of any. */
    async checkDraft(draft: UpstreamDraft): Promise<UpstreamDraftTest> {
      const { source, base_url, query, key_header, proxy } = draft
      const columns = columnsOf({ base_url, query, key_header, proxy }, source)
      const reached: ReachedBy = {
        source,
        base_url: columns.base_url ?? null,
        query: columns.query ?? null,
        key_header: columns.key_header ?? null,
        proxy: columns.proxy ?? null,
      }
      const test = requirePort(providers[source], 'test')
      const meant = { ...draft, secret: secretFrom(draft.secret, source) }
      const endpoint = upstreams.reachDraft(reached, secretOf(meant, reached))
      const began = clock.monotonic()
      const signal = AbortSignal.timeout(MAX_TEST)
      const refused = await refusalOf(() => test(endpoint, signal))
      const duration = Math.round(clock.monotonic() - began)
      const listed = refused === null ? await listOf(source, endpoint, signal) : null
      const dialects = refused === null ? await spokenAt(source, endpoint, signal) : null
      const outcome = { ...outcomeOf(refused), listed: listed?.length ?? null, duration, dialects }
      return {
        ...testView({ ...outcome, proxy: proxyOf(reached.proxy, endpoint, configuration.current()[source]) }, source),
        models: (listed ?? [])
          .filter(({ for_chat }) => for_chat)
          .slice(0, MAX_SHOWN)
          .map(modelView),
      }
    },
  }

  /** Null where none was found, or it cannot be found out. */
  async function spokenAt(source: Source, endpoint: ProviderEndpoint, signal: AbortSignal): Promise<Dialect[] | null> {
    const found = await providers[source]?.dialects?.(endpoint, signal)
    return found === undefined || found.length === 0 ? null : found
  }

  /** Null when the endpoint gives no list. */
  async function listOf(source: Source, endpoint: ProviderEndpoint, signal: AbortSignal) {
    const list = providers[source]?.models
    return list === undefined ? null : list(endpoint, signal).catch(nullIfRefused)
  }
}

const modelView = ({ id, context_length }: { id: string; context_length: number | null }) => ({
  code: codeOf(id),
  name: id,
  context_length,
})

function proxyOf(
  own: string | null,
  endpoint: ProviderEndpoint,
  settings: Pick<Configuration[Source], 'proxy'>,
): UpstreamTest['proxy'] {
  if (endpoint.proxy === null) return 'none'
  if (own !== null) return 'own'
  return endpoint.proxy === settings.proxy ? 'settings' : 'environment'
}

function nullIfRefused(error: unknown): null {
  if (error instanceof Refusal) return null
  throw error
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
