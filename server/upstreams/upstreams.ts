import type { Configuration } from '#contract/configuration/configuration.ts'
import {
  firstKnown,
  type ModelCapabilities,
  type ModelChoice,
  RequestFields,
  type Source,
  ThinkingFields,
  UNKNOWN_CAPABILITIES,
} from '#contract/models.ts'
import type { ConfigurationService } from '#server/configuration/configuration.ts'
import { enabledModels, upstreamName } from '#server/configuration/models.ts'
import type { Bus } from '#server/foundation/database/bus.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Log } from '#server/foundation/logging.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { SecretBox } from '#server/foundation/secrets.ts'
import type { ProviderEndpoint } from '#server/providers/endpoint.ts'
import type { ProviderUpstream } from '#server/providers/provider.ts'
import { inForce, type ModelKnowledge, type NamedModel, sameModel } from './capabilities.ts'
import { type Endpoints, type EndpointDependencies, openEndpoints, type OwnEndpoint } from './endpoints.ts'
import { NORMAL } from './health.ts'
import { openHealths } from './healths.ts'
import { type LearnedModels, openLearnedModels } from './learnedModels.ts'
import { type FixedCredentials, rowOfSettings, type SharedUpstream } from './settingsView.ts'
import { openPools } from './pools.ts'
import type { openReportedWindows } from './reportedWindows.ts'
import { openSnapshot, type Snapshot } from './snapshot.ts'
import { spokenDialects, type Upstream } from './upstream.ts'

type Dependencies = Omit<EndpointDependencies, 'configuration'> & {
  open: OpenDatabase
  bus: Bus
  clock: Clock
  log: Log
  secretBox: SecretBox
  configuration: ConfigurationService
  /** From the environment or the configuration file. */
  credentials: FixedCredentials
  /** What a model of a source is taken to take and can where nobody says. */
  presumed?(source: Source, model: string): ModelCapabilities
}

export type Upstreams = Awaited<ReturnType<typeof openUpstreams>>

/** The accounts and keys that are asked: which there are, what they serve, how they are, and how they are reached. */
export async function openUpstreams(given: Dependencies) {
  const settings = () => given.configuration.current()
  const endpoints = openEndpoints({ ...given, configuration: settings })
  const snapshot = await openSnapshot(given)
  const { changed, onChange } = openListeners()
  snapshot.onChange(changed)
  const names = naming(settings, snapshot)
  const learned = openLearnedModels({ ...given, snapshot })
  const { reachOf, ...reaching } = openReach(endpoints, snapshot, names, learned)
  const learnedOf = openLearned(learned, reaching.reach)
  const healths = openHealths({ ...given, snapshot, reachOf, onChange: changed })
  const { reported, ...pools } = openPools({ ...given, settings, snapshot, onChange: changed })
  const upstreamOf = (row: SharedUpstream): Upstream => ({ ...described(row, settings()), health: healths.of(row) })
  const { shared, find, ofSettings, inUse, unpaused } = openShared(snapshot, upstreamOf)

  return {
    /** The settings with the models of all endpoints; the same object until something changes. */
    configuration: (): Configuration => snapshot.offers().configuration,

    /** Whether the built-in simulator answers: there is neither a key nor an address, and no other endpoint. */
    isDemonstration: (): boolean => inUse('openai_api').some(each => each.isDemonstration),

    proxyNotice: () => endpoints.proxyNotice(reaching.reach(ofSettings('openai_api'))),

    /** In the order in which they were added. */
    shared,
    inUse,
    ofSettings,
    find,

    /** What it calls a model; null where it does not serve it. */
    nameAt: names.nameAt,

    ...openServing(names, healths, { shared, find, unpaused }),

    ...openModelFacts({ ...given, settings, snapshot, nameAt: names.nameAt, inUse, learnedOf }),

    /** What a model takes and can at an endpoint of one’s own, as far as that has refused anything. */
    capabilitiesOfOwn: (own: OwnEndpoint, model: string): ModelCapabilities =>
      learned.learnedCapabilities(own.upstream_id, {
        ...endpoints.ofUser(own),
        model_name: names.nameAtOwn('openai_api', model) ?? model,
      }),

    ...bySettings(settings),

    /** The ids of those that an ask of somebody could go to now, with an endpoint of their own or without. */
    idsFor: (source: Source, own: OwnEndpoint | null): number[] =>
      own === null ? unpaused(source).map(({ id }) => id) : [own.upstream_id],

    ...reaching,

    ...pools,
    ...reporting(healths, reported),

    /** Something about the shared ones has changed: which there are, what they serve, or how they are. */
    onChange,

    snapshot,

    async close(): Promise<void> {
      await healths.stored()
      await reported.stored()
      await snapshot.close()
    },
  }
}

/** What came of an ask says how an account is, and may say that it has nothing left. */
const reporting = (
  healths: ReturnType<typeof openHealths>,
  { noteLimits, noteRefusal }: ReturnType<typeof openReportedWindows>,
) => ({
  noteLimits,
  noteAsked: healths.noteAsked,
  report(...[id, result, asked]: Parameters<typeof healths.report>): void {
    healths.report(id, result, asked)
    if (result !== 'answered' && asked !== undefined) noteRefusal(id, asked.model, result)
  },
})

/** Who is asked for a model. Their health is that for this model. */
function openServing(
  names: ReturnType<typeof naming>,
  healths: ReturnType<typeof openHealths>,
  { shared, find, unpaused }: Pick<ReturnType<typeof openShared>, 'shared' | 'find' | 'unpaused'>,
) {
  return {
    /** Those that may be asked: not paused, not switched off. */
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

    /** Whether a shared one is asked for a model. */
    serves: (id: number, model: string): boolean => [find(id)].some(each => each !== null && names.serves(each, model)),
  }
}

/** What models take and can. */
function openModelFacts({ settings, snapshot, nameAt, inUse, learnedOf, presumed }: ModelFactsDependencies) {
  function capabilitiesAt(each: Upstream, model: string): ModelCapabilities {
    const name = nameAt(each, model)
    const known = name === null ? undefined : sameModel(snapshot.knownOf(each.id), { code: model, name })
    return known === undefined ? UNKNOWN_CAPABILITIES : inForce(known, learnedOf(each, known))
  }

  /** What a model takes and can, as far as any of those knows that people share. */
  const capabilities = (source: Source, model: string): ModelCapabilities =>
    firstKnown(
      ...inUse(source).map(each => capabilitiesAt(each, model)),
      presumed?.(source, model) ?? UNKNOWN_CAPABILITIES,
    )

  return {
    /** The models that one is asked for, or would be if it were in use. */
    served: (row: SharedUpstream): NamedModel[] => servedBy(row, settings(), snapshot),

    capabilities,

    /** The models as people choose them, in the administrator's order. */
    choices: (source: Source): ModelChoice[] =>
      enabledModels(snapshot.offers().configuration, source).map(choice => {
        const { takes_pictures, takes_files, thinking_levels, context_length } = capabilities(source, choice.code)
        const length = choice.context_length ?? context_length
        return { ...choice, context_length: length, takes_pictures, takes_files, thinking_levels }
      }),
  }
}

/** What follows from the settings alone. */
const bySettings = (settings: () => Configuration) => ({
  /** A person's own one. How it is affects nobody else, and is not kept. */
  ofUser: (own: OwnEndpoint, user_id: number): Upstream => ownUpstream(settings(), own, user_id),

  /** How many asks are answered at once. */
  concurrency: (source: Source): number => settings()[source].max_completion_concurrency,
})

type ModelFactsDependencies = Pick<Dependencies, 'presumed'> & {
  settings(): Configuration
  snapshot: Snapshot
  nameAt: ReturnType<typeof naming>['nameAt']
  inUse(source: Source): Upstream[]
  /** What its refusals have taught of a model. */
  learnedOf(upstream: Upstream, known: ModelKnowledge): ModelCapabilities
}

/** More than anybody looks through. */
const MAX_SERVED = 300

function servedBy(row: SharedUpstream, settings: Configuration, snapshot: Snapshot): NamedModel[] {
  const named =
    row.source === 'openai_web'
      ? enabledModels(settings, 'openai_web').map(({ code }) => ({
          code,
          name: upstreamName(settings, 'openai_web', code) ?? code,
        }))
      : [...(snapshot.offers().names.get(row.id) ?? [])].map(([code, name]) => ({ code, name }))
  const offered = snapshot.modelsOf(row.id).filter(model => model.offered)
  const others = offered.filter(model => sameModel(named, model) === undefined)
  return [...named, ...others.map(({ code, name }) => ({ code, name }))].slice(0, MAX_SERVED)
}

/** Which shared ones there are. */
function openShared(snapshot: Snapshot, upstreamOf: (row: SharedUpstream) => Upstream) {
  const shared = (source: Source): Upstream[] =>
    snapshot
      .rows()
      .filter(row => row.source === source)
      .map(upstreamOf)

  function find(id: number): Upstream | null {
    const row = snapshot.rows().find(each => each.id === id)
    return row === undefined ? null : upstreamOf(row)
  }

  /** The one that the specification knows, and calls settings and credentials of the source. */
  const ofSettings = (source: Source): Upstream => upstreamOf(rowOfSettings(snapshot.rows(), source))

  /** Those that people share: not switched off, and the built-in demonstration only where there is nobody else. */
  function inUse(source: Source): Upstream[] {
    const enabled = shared(source).filter(each => each.enabled)
    return enabled.length > 1 ? enabled.filter(each => !each.isDemonstration) : enabled
  }

  const unpaused = (source: Source) => inUse(source).filter(({ paused_since }) => paused_since === null)

  return { shared, find, ofSettings, inUse, unpaused }
}

function openLearned({ learnedCapabilities }: LearnedModels, reach: (upstream: Upstream) => ProviderEndpoint) {
  return (each: Upstream, { name, learned_capabilities }: ModelKnowledge): ModelCapabilities =>
    learned_capabilities === null
      ? UNKNOWN_CAPABILITIES
      : learnedCapabilities(each.id, { ...reach(each), model_name: name })
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

function ownUpstream({ openai_api }: Configuration, { upstream_id: id }: OwnEndpoint, user_id: number): Upstream {
  const { max_completion_concurrency, shared_limit, shared_limit_window_seconds } = openai_api
  return {
    ...{ id, user_id, source: 'openai_api', label: '', enabled: true, paused_since: null, health: NORMAL },
    ...{ concurrency: max_completion_concurrency, shared_limit, shared_limit_window_seconds, team_account_id: null },
    ...{ modelsBy: 'settings', isDemonstration: false, dialects: spokenDialects(null) },
  }
}

/** How upstreams are reached. */
function openReach(
  endpoints: Endpoints,
  snapshot: Snapshot,
  { nameAt, nameAtOwn }: ReturnType<typeof naming>,
  learned: LearnedModels,
) {
  function requireRow({ id }: Pick<Upstream, 'id'>): SharedUpstream {
    const row = snapshot.rows().find(each => each.id === id)
    if (row === undefined) throw new Refusal('upstreamGone')
    return row
  }
  const reachOf = (row: SharedUpstream): ProviderEndpoint => endpoints.reach(row, snapshot.secretOf(row))

  return {
    reachOf,
    ...learned,

    /** The row of a shared one, for whoever administers it. */
    requireShared(id: number): SharedUpstream {
      const row = snapshot.rows().find(each => each.id === id)
      if (row === undefined) throw new Refusal('upstreamNotFound')
      return row
    },

    /** One that is not stored. */
    reachDraft: endpoints.reach,

    /** Whichever model is asked. */
    reach: (upstream: Pick<Upstream, 'id'>): ProviderEndpoint => reachOf(requireRow(upstream)),

    /** What a provider is given. Refuses where the upstream is gone, or does not serve the model. */
    endpoint(upstream: Upstream, model: string, own: OwnEndpoint | null): ProviderUpstream {
      const model_name = own === null ? nameAt(upstream, model) : nameAtOwn(upstream.source, model)
      if (model_name === null) throw new Refusal('modelNotEnabled', { model })
      if (own !== null) return { ...endpoints.ofUser(own), ...endpoints.bounds({}), model_name }
      const row = requireRow(upstream)
      const known = sameModel(snapshot.knownOf(row.id), { code: model, name: model_name })
      const request_fields = RequestFields.safeParse(known?.request_fields).data ?? null
      const thinking_fields = ThinkingFields.safeParse(known?.thinking_fields).data ?? null
      return { ...reachOf(row), ...endpoints.bounds(row), model_name, request_fields, thinking_fields }
    },
  }
}

/** What models are called, and by whom they are served. */
function naming(settings: () => Configuration, snapshot: Snapshot) {
  const namesAt = (id: number) => snapshot.offers().names.get(id)
  return {
    /**
     * Null where the upstream does not serve the model. One whose models the settings name is asked for any that they
     * have a name for.
     */
    nameAt({ id, modelsBy, source }: Upstream, model: string): string | null {
      const name = namesAt(id)?.get(model) ?? null
      return name ?? (modelsBy === 'settings' ? upstreamName(settings(), source, model) : null)
    },
    nameAtOwn: (source: Source, model: string) => upstreamName(snapshot.offers().configuration, source, model),
    serves: ({ id, source }: Upstream, model: string): boolean =>
      source === 'openai_web' ? upstreamName(settings(), source, model) !== null : namesAt(id)?.has(model) === true,
  }
}

/** What a row leaves to its source is as the settings of that have it. */
function described(row: SharedUpstream, settings: Configuration): Omit<Upstream, 'health'> {
  const { id, user_id, label, enabled, paused_since, shared_limit, modelsBy, isDemonstration } = row
  const source = row.source as Source // only the two sources are ever stored
  const own = settings[source]
  return {
    ...{ id, source, user_id, label, enabled, paused_since, shared_limit, modelsBy, isDemonstration },
    dialects: spokenDialects(row),
    concurrency: row.concurrency ?? own.max_completion_concurrency,
    team_account_id: source === 'openai_web' ? row.team_account_id || null : null,
    shared_limit_window_seconds: row.shared_limit_window_seconds ?? own.shared_limit_window_seconds,
  }
}
