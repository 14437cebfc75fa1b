import type { Configuration } from '#contract/configuration.ts'
import type { Source } from '#contract/models.ts'
import type { ConfigurationService } from '#server/configuration/configuration.ts'
import { upstreamName } from '#server/configuration/models.ts'
import type { Bus } from '#server/foundation/bus.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Log } from '#server/foundation/logging.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { SecretBox } from '#server/foundation/secrets.ts'
import type { ProviderEndpoint } from '#server/providers/endpoint.ts'
import type { ProviderUpstream } from '#server/providers/provider.ts'
import { type Endpoints, type EndpointDependencies, openEndpoints, type OwnEndpoint } from './endpoints.ts'
import { NORMAL } from './health.ts'
import { openHealths } from './healths.ts'
import { type LearnedContexts, openLearnedContexts } from './learnedContexts.ts'
import { openSnapshot, type Snapshot } from './snapshot.ts'
import type { UpstreamRow } from './store.ts'
import type { Upstream } from './upstream.ts'

type Dependencies = Omit<EndpointDependencies, 'configuration'> & {
  open: OpenDatabase
  bus: Bus
  clock: Clock
  log: Log
  secretBox: SecretBox
  configuration: ConfigurationService
}

const OF_PERSON = { is_first: false, label: '', enabled: true, paused_since: null, health: NORMAL } as const

export type Upstreams = Awaited<ReturnType<typeof openUpstreams>>

/** The accounts and keys that are asked: which there are, what they serve, how they are, and how they are reached. */
export async function openUpstreams(given: Dependencies) {
  const settings = () => given.configuration.current()
  const endpoints = openEndpoints({ ...given, configuration: settings })
  const snapshot = await openSnapshot({ ...given, ...endpoints })
  const { changed, onChange } = openListeners()
  snapshot.onChange(changed)
  const names = naming(settings, snapshot)
  const { reachOf, ...reaching } = openReach(endpoints, snapshot, names, openLearnedContexts({ ...given, snapshot }))
  const healths = openHealths({ ...given, snapshot, reachOf, onChange: changed })
  const upstreamOf = (row: UpstreamRow): Upstream => ({ ...described(row, settings()), health: healths.of(row) })
  const { shared, find, first, inUse, unpaused } = openShared(endpoints, snapshot, upstreamOf)

  return {
    /** The settings with the models of all endpoints; the same object until something changes. */
    configuration: (): Configuration => snapshot.offers().configuration,

    /** Whether the built-in simulator answers: there is neither a key nor an address, and no further endpoint. */
    isDemonstration: (): boolean =>
      endpoints.isApiDemonstrated() && inUse('openai_api').some(({ is_first }) => is_first),

    proxyNotice: endpoints.proxyNotice,

    /** The first one, then the others in the order in which they were added. */
    shared,
    inUse,
    first,
    find,

    /** Those that may be asked for a model: not paused, not switched off. Their health is that for this model, as with the next two. */
    serving: (source: Source, model: string): Upstream[] =>
      unpaused(source)
        .filter(each => names.serves(each, model))
        .map(each => healths.forModel(each, model)),
    sharedFor: (source: Source, model: string): Upstream[] => shared(source).map(each => healths.forModel(each, model)),
    findFor(id: number, model: string): Upstream | null {
      const upstream = find(id)
      return upstream === null ? null : healths.forModel(upstream, model)
    },
    coolingModels: healths.coolingModels,

    /** A person's own one. How it is affects nobody else, and is not kept. */
    ofPerson: (own: OwnEndpoint, user_id: number): Upstream => ownUpstream(first('openai_api'), own, user_id),

    /** The ids of those that an ask of somebody could go to now, with an endpoint of their own or without. */
    idsFor: (source: Source, own: OwnEndpoint | null): number[] =>
      own === null ? unpaused(source).map(({ id }) => id) : [own.upstream_id],

    /** How many asks are answered at once. */
    concurrency: (source: Source): number => settings()[source].max_completion_concurrency,

    ...reaching,

    report: healths.report,
    noteAsked: healths.noteAsked,

    /** Something about the shared ones has changed: which there are, what they serve, or how they are. */
    onChange,

    snapshot,

    async close(): Promise<void> {
      await healths.stored()
      await snapshot.close()
    },
  }
}

/** Which shared ones there are. */
function openShared(endpoints: Endpoints, snapshot: Snapshot, upstreamOf: (row: UpstreamRow) => Upstream) {
  const shared = (source: Source): Upstream[] =>
    snapshot
      .rows()
      .filter(row => row.source === source)
      .map(upstreamOf)

  function find(id: number): Upstream | null {
    const row = snapshot.rows().find(each => each.id === id)
    return row === undefined ? null : upstreamOf(row)
  }

  function first(source: Source): Upstream {
    const found = shared(source).find(({ is_first }) => is_first)
    if (found === undefined) throw new Error(`the first upstream of ${source} is not in the database`)
    return found
  }

  /** Those that people share: not switched off, and the built-in demonstration only where there is nobody else. */
  function inUse(source: Source): Upstream[] {
    const enabled = shared(source).filter(each => each.enabled)
    const isSimulator = source === 'openai_api' ? endpoints.isApiDemonstrated() : endpoints.isWebDemonstrated()
    const isReplaced = isSimulator && enabled.length > 1
    return isReplaced ? enabled.filter(({ is_first }) => !is_first) : enabled
  }

  const unpaused = (source: Source) => inUse(source).filter(({ paused_since }) => paused_since === null)

  return { shared, find, first, inUse, unpaused }
}

function openListeners() {
  const listeners = new Set<() => void>()
  return {
    changed(): void {
      for (const listener of listeners) listener()
    },
    onChange(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

function ownUpstream(shared: Upstream, { upstream_id: id }: OwnEndpoint, user_id: number): Upstream {
  return { ...shared, ...OF_PERSON, id, user_id }
}

/** How upstreams are reached. */
function openReach(
  endpoints: Endpoints,
  snapshot: Snapshot,
  { nameAt, nameAtPerson }: ReturnType<typeof naming>,
  learned: LearnedContexts,
) {
  function requireRow({ id }: Pick<Upstream, 'id'>): UpstreamRow {
    const row = snapshot.rows().find(each => each.id === id)
    if (row === undefined) throw new Refusal('upstreamGone')
    return row
  }
  const reachOf = (row: UpstreamRow): ProviderEndpoint =>
    row.is_first ? endpoints.first(row.source as Source) : endpoints.further(row, snapshot.secretOf(row)) // only the two sources are ever stored

  return {
    reachOf,
    ...learned,

    /** The row of a shared one, for whoever administers it. */
    requireShared(id: number): UpstreamRow {
      const row = snapshot.rows().find(each => each.id === id)
      if (row === undefined) throw new Refusal('upstreamNotFound')
      return row
    },

    /** One that is not stored. */
    reachDraft: endpoints.further,

    /** Whichever model is asked. */
    reach: (upstream: Pick<Upstream, 'id'>): ProviderEndpoint => reachOf(requireRow(upstream)),

    /** What a provider is given. Refuses where the upstream is gone, or does not serve the model. */
    endpoint(upstream: Upstream, model: string, own: OwnEndpoint | null): ProviderUpstream {
      const model_name = own === null ? nameAt(upstream, model) : nameAtPerson(upstream.source, model)
      if (model_name === null) throw new Refusal('modelNotEnabled', { model })
      if (own !== null) return { ...endpoints.ofPerson(own), ...endpoints.bounds({}), model_name }
      const row = requireRow(upstream)
      return { ...reachOf(row), ...endpoints.bounds(row), model_name }
    },
  }
}

/** What models are called, and by whom they are served. */
function naming(settings: () => Configuration, snapshot: Snapshot) {
  const namesAt = (id: number) => snapshot.offers().names.get(id)
  return {
    /** Null where the upstream does not serve the model. The first one is asked for any that the settings have a name for. */
    nameAt({ id, is_first, source }: Upstream, model: string): string | null {
      const name = namesAt(id)?.get(model) ?? null
      return name ?? (is_first || source === 'openai_web' ? upstreamName(settings(), source, model) : null)
    },
    nameAtPerson: (source: Source, model: string) => upstreamName(snapshot.offers().configuration, source, model),
    serves: ({ id, source }: Upstream, model: string): boolean =>
      source === 'openai_web' ? upstreamName(settings(), source, model) !== null : namesAt(id)?.has(model) === true,
  }
}

const teamOf = ({ source, is_first, team_account_id }: UpstreamRow, { openai_web }: Configuration): string | null =>
  source === 'openai_web' ? (is_first ? openai_web.team_account_id : team_account_id) || null : null

/** What the first one has from the settings, the others have in their rows. */
function described(row: UpstreamRow, settings: Configuration): Omit<Upstream, 'health'> {
  const source = row.source as Source // only the two sources are ever stored
  const own = settings[source]
  const { is_first } = row
  return {
    id: row.id,
    source,
    user_id: row.user_id,
    is_first,
    label: row.label,
    enabled: row.enabled,
    paused_since: row.paused_since,
    concurrency: (is_first ? null : row.concurrency) ?? own.max_completion_concurrency,
    team_account_id: teamOf(row, settings),
    shared_limit: is_first ? own.shared_limit : row.shared_limit,
    shared_limit_window_seconds: (is_first ? null : row.shared_limit_window_seconds) ?? own.shared_limit_window_seconds,
  }
}
