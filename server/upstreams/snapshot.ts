import { EventEmitter } from 'node:events'
import { isDeepStrictEqual } from 'node:util'
import type { Configuration } from '#contract/configuration/configuration.ts'
import type { FurtherModel } from '#contract/configuration/sources.ts'
import type { KnownModelCode } from '#contract/models.ts'
import type { ConfigurationService } from '#server/configuration/configuration.ts'
import { enabledModels, type ListedModel, upstreamName, withListedModels } from '#server/configuration/models.ts'
import { type Bus, inOrder, keepUpToDate } from '#server/foundation/database/bus.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { SecretBox, StoredKey } from '#server/foundation/secrets.ts'
import { inForce as capabilitiesInForce } from './capabilities.ts'
import { digestOf } from './listing.ts'
import { type FixedCredentials, inForce, secretInForce, type SharedUpstream } from './settingsView.ts'
import {
  type CoolingModelRow,
  coolingModelStore,
  type ModelRow,
  modelStore,
  reportedWindowStore,
  type UpstreamRow,
  upstreamStore,
} from './store.ts'
import { addressOf, OPENAI_BASE_URL, originOf } from './upstream.ts'
import type { ReportedRow } from './windows/pools.ts'

type Dependencies = {
  open: OpenDatabase
  bus: Bus
  secretBox: SecretBox
  configuration: Pick<ConfigurationService, 'current' | 'originOf'>
  credentials: FixedCredentials
}

export type Snapshot = Awaited<ReturnType<typeof openSnapshot>>

/** What is stored of shared upstreams, in memory. It follows what other processes store. */
export async function openSnapshot({ open, bus, secretBox, configuration, credentials }: Dependencies) {
  const store = upstreamStore(open.database)
  const changed = new EventEmitter().setMaxListeners(0)
  let stored: Stored = { rows: [], models: [], known: [], cooling: [], reports: [] }
  let shared: { from: readonly unknown[]; rows: readonly SharedUpstream[] } | null = null
  const secrets = new WeakMap<SharedUpstream, StoredKey>()
  let offers: { from: readonly unknown[]; offers: Offers } | null = null

  const { reload, idle } = inOrder(async () => {
    const [rows, known, cooling, reports] = await Promise.all([
      store.listShared(),
      modelStore(open.database).list(),
      coolingModelStore(open.database).list(),
      reportedWindowStore(open.database).list(),
    ])
    const models = known.filter(({ listed, offered }) => listed || offered)
    if (isDeepStrictEqual({ rows, models, known, cooling, reports }, stored)) return
    stored = { rows, models, known, cooling, reports }
    changed.emit('changed')
  })

  const given = () => ({ settings: configuration.current(), credentials, secretBox })

  function rows(): readonly SharedUpstream[] {
    const from = [stored.rows, configuration.current()]
    if (shared === null || !isFrom(shared, from)) shared = { from, rows: inForce(stored.rows, given()) }
    return shared.rows
  }

  /** The listed models of an endpoint; null when the list was read from another address. */
  const modelsOf = (row: UpstreamRow, address: string | null): readonly ModelRow[] | null =>
    address !== null && row.models_digest === digestOf(address)
      ? stored.models.filter(model => model.upstream_id === row.id)
      : null

  function listingOf(row: SharedUpstream): Listing {
    if (row.modelsBy === 'settings') {
      const picked = configuration.originOf('openai_api.enabled_models') !== 'default'
      return { id: row.id, picked, offersAll: true, models: modelsOf(row, row.base_url) }
    }
    const address = addressOf(row, configuration.current())
    const picked = row.models_picked
    const models = picked ? stored.models.filter(model => model.upstream_id === row.id) : modelsOf(row, address)
    return { id: row.id, picked, offersAll: originOf(address) !== originOf(OPENAI_BASE_URL), models }
  }

  function offersNow(): Offers {
    const from = [configuration.current(), stored]
    if (offers !== null && isFrom(offers, from)) return offers.offers
    const endpoints = rows().filter(row => row.source === 'openai_api' && row.enabled)
    const bySettings = endpoints.find(row => row.modelsBy === 'settings')
    if (bySettings === undefined) throw new Error('no endpoint has its models from the settings')
    const isDemonstrated = rows().every(row => row.isDemonstration || !row.enabled)
    const found = offersOf(
      isDemonstrated ? withDemonstratedWeb(configuration) : configuration.current(),
      { ...listingOf(bySettings), isDemonstration: bySettings.isDemonstration },
      endpoints.filter(row => row !== bySettings).map(listingOf),
    )
    offers = { from, offers: found }
    return found
  }

  await reload()
  const leave = keepUpToDate({ open, bus, topic: 'upstreams', what: 'the upstreams', reload, byCommands: true })

  return {
    /** The shared upstreams with the values in force; the same ones until something changes. */
    rows,
    coolingModels: () => stored.cooling,
    /** What accounts said of their windows. */
    reports: () => stored.reports,
    offers: offersNow,
    /** All that is known of models, of people's own upstreams too: also of those that are neither listed nor picked. */
    knownOf: (upstream_id: number) => stored.known.filter(model => model.upstream_id === upstream_id),
    modelsOf: (upstream_id: number) => stored.models.filter(model => model.upstream_id === upstream_id),
    reload,
    /** The secret of one; unreadable also where it was entered for another address. */
    secretOf(row: SharedUpstream): StoredKey {
      const known = secrets.get(row)
      if (known !== undefined) return known
      const secret = secretInForce(row, given())
      secrets.set(row, secret)
      return secret
    },
    onChange: (listener: () => void): void => void changed.on('changed', listener),
    async close(): Promise<void> {
      leave()
      await idle()
    },
  }
}

type Stored = {
  rows: readonly UpstreamRow[]
  /** Those that are listed or picked. */
  models: readonly ModelRow[]
  known: readonly ModelRow[]
  cooling: readonly CoolingModelRow[]
  reports: readonly ReportedRow[]
}

const isFrom = ({ from }: { from: readonly unknown[] }, others: readonly unknown[]): boolean =>
  from.every((each, at) => each === others[at])

/** The models of the demonstrated web account, unless an administrator has set others. */
const DEMONSTRATED: readonly KnownModelCode[] = [
  'gpt_3_5',
  'gpt_4',
  'gpt_4_browsing',
  'gpt_4_code_interpreter',
  'gpt_4_plugins',
  'gpt_4_dalle',
]

/** The settings with the web account of the built-in simulator enabled, unless an administrator has set it. */
function withDemonstratedWeb({ current, originOf: originOfSetting }: Dependencies['configuration']): Configuration {
  const settings = current()
  const { openai_web } = settings
  const isUnset = (key: keyof typeof openai_web) => originOfSetting(`openai_web.${key}`) === 'default'
  return {
    ...settings,
    openai_web: {
      ...openai_web,
      enabled: openai_web.enabled || isUnset('enabled'),
      enabled_models: isUnset('enabled_models') ? [...DEMONSTRATED] : openai_web.enabled_models,
    },
  }
}

/** An endpoint with what is kept of the models that it listed; null where no list of its present address is known. */
export type Listing = {
  id: number
  /** An administrator said which of its models are offered. */
  picked: boolean
  /**
   * Whether what it lists is offered of its own accord. OpenAI itself lists a hundred models, dated and dear ones among
   * them.
   */
  offersAll: boolean
  models: readonly ModelRow[] | null
}

type Offers = {
  /** The settings with all models that people may choose from, so that limits, settings and page treat them alike. */
  configuration: Configuration
  /** What each endpoint calls the models that it serves, by their codes. */
  names: ReadonlyMap<number, ReadonlyMap<string, string>>
}

type Served = { names: ReadonlyMap<string, string> }

/** How many models of other endpoints join those of the settings of their own accord. */
const MAX_JOINED = 50

/**
 * What is offered, and by whom: the settings, with the list of the endpoint whose models they name, say what there is;
 * the others serve the same models under the names that the settings have for them, and add what they alone have.
 */
export function offersOf(
  configuration: Configuration,
  bySettings: Listing & { isDemonstration: boolean },
  byRows: readonly Listing[],
): Offers {
  const settings = withListedModels(configuration, bySettings.models?.map(listedOf) ?? null, bySettings.picked)
  const known = new Map(
    enabledModels(settings, 'openai_api').flatMap(({ code }) => {
      const name = upstreamName(settings, 'openai_api', code)
      return name === null ? [] : [[code, name] as const]
    }),
  )
  const served = byRows.map(listing => ({ listing, names: knownAt(listing, known) }))
  const joined = new Map<string, FurtherModel>()
  for (const { listing, names } of served) {
    for (const row of ownOf(listing, names, bySettings.picked)) {
      if (!known.has(row.code) && !joined.has(row.code) && joined.size >= MAX_JOINED && !listing.picked) continue
      names.set(row.code, row.name)
      if (!known.has(row.code) && !joined.has(row.code)) joined.set(row.code, furtherOf(row))
    }
  }
  // The built-in demonstration answers for as long as there is nobody else.
  const isReplaced = bySettings.isDemonstration && byRows.length > 0
  const offered = isReplaced ? onlyServed(settings, served) : settings
  return {
    configuration: joined.size === 0 ? offered : withFurther(offered, [...joined.values()]),
    names: new Map([
      [bySettings.id, isReplaced ? new Map() : namesBySettings(bySettings, known, served)],
      ...served.map(({ listing, names }) => [listing.id, names] as const),
    ]),
  }
}

/** The models that everybody knows by a code, as far as this endpoint has them. */
function knownAt(listing: Listing, known: ReadonlyMap<string, string>): Map<string, string> {
  const names = new Map<string, string>()
  const rows = (listing.models ?? []).filter(row => row.offered || !listing.picked)
  const [byName, byCode] = [new Map(rows.map(row => [row.name, row])), new Map(rows.map(row => [row.code, row]))]
  for (const [code, name] of known) {
    const picked = listing.picked ? byCode.get(code) : undefined
    // Ollama answers to a name without its tag too.
    if (picked !== undefined) names.set(code, picked.name)
    else if (byName.has(name) || byName.has(`${name}:latest`)) names.set(code, name)
    else if (byCode.get(code) !== undefined) names.set(code, byCode.get(code)?.name ?? name)
  }
  return names
}

/**
 * What else it has: all that an administrator picked, or what it lists for chats unless the settings say what is
 * offered.
 */
function ownOf(listing: Listing, names: ReadonlyMap<string, string>, isPickedInSettings: boolean): ModelRow[] {
  if (!listing.picked && (isPickedInSettings || !listing.offersAll)) return []
  const served = new Set(names.values())
  return (listing.models ?? []).filter(
    ({ offered, name }) => offered && !served.has(name) && !served.has(withoutTag(name)),
  )
}

const withoutTag = (name: string): string => name.replace(/:latest$/, '')

/** It is asked for all models of the settings, but for those that it does not list and another endpoint does. */
function namesBySettings(
  { models }: Listing,
  known: ReadonlyMap<string, string>,
  served: readonly Served[],
): ReadonlyMap<string, string> {
  if (models === null) return known
  const listed = new Set(models.flatMap(({ name }) => [name, withoutTag(name)]))
  return new Map([...known].filter(([code, name]) => listed.has(name) || !served.some(({ names }) => names.has(code))))
}

function onlyServed(settings: Configuration, served: readonly Served[]): Configuration {
  const { openai_api } = settings
  const isServed = (code: string) => served.some(({ names }) => names.has(code))
  return {
    ...settings,
    openai_api: {
      ...openai_api,
      enabled_models: openai_api.enabled_models.filter(isServed),
      further_models: openai_api.further_models.filter(({ code }) => isServed(code)),
    },
  }
}

const listedOf = (model: ModelRow): ListedModel => ({
  ...capabilitiesInForce(model),
  id: model.name,
  for_chat: model.offered,
})

const furtherOf = (model: ModelRow): FurtherModel => ({
  code: model.code,
  label: model.label ?? model.name,
  upstream_name: model.name,
  context_length: capabilitiesInForce(model).context_length,
})

function withFurther(settings: Configuration, models: readonly FurtherModel[]): Configuration {
  const { openai_api } = settings
  return { ...settings, openai_api: { ...openai_api, further_models: [...openai_api.further_models, ...models] } }
}
