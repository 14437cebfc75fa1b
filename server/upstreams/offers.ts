import type { Configuration } from '#contract/configuration.ts'
import type { FurtherModel } from '#contract/configuration/sources.ts'
import { type ListedModel, withListedModels } from '#server/configuration/listedModels.ts'
import { enabledModels, upstreamName } from '#server/configuration/models.ts'
import type { ModelRow } from './store.ts'

/** An endpoint with what is kept of the models that it listed; null where no list of its present address is known. */
export type Listing = {
  id: number
  /** An administrator said which of its models are offered. */
  picked: boolean
  /** Whether what it lists is offered of its own accord. OpenAI itself lists a hundred models, dated and dear ones among them. */
  offersAll: boolean
  models: readonly ModelRow[] | null
}

export type Offers = {
  /** The settings with all models that people may choose from, so that limits, settings and page treat them alike. */
  configuration: Configuration
  /** What each endpoint calls the models that it serves, by their codes. */
  names: ReadonlyMap<number, ReadonlyMap<string, string>>
}

type Served = { names: ReadonlyMap<string, string> }

/** How many models of further endpoints join those of the first one of their own accord. */
const MOST_JOINED = 50

/**
 * What is offered, and by whom: the settings and the list of the first endpoint say what there is; further ones serve the same models under the
 * names that the settings have for them, and add what they alone have.
 */
export function offersOf(
  configuration: Configuration,
  first: Listing & { isDemonstration: boolean },
  further: readonly Listing[],
): Offers {
  const settings = withListedModels(configuration, first.models?.map(listedOf) ?? null, first.picked)
  const known = new Map(
    enabledModels(settings, 'openai_api').flatMap(({ code }) => {
      const name = upstreamName(settings, 'openai_api', code)
      return name === null ? [] : [[code, name] as const]
    }),
  )
  const served = further.map(listing => ({ listing, names: knownAt(listing, known) }))
  const joined = new Map<string, FurtherModel>()
  for (const { listing, names } of served) {
    for (const row of ownOf(listing, names, first.picked)) {
      if (!known.has(row.code) && !joined.has(row.code) && joined.size >= MOST_JOINED && !listing.picked) continue
      names.set(row.code, row.name)
      if (!known.has(row.code) && !joined.has(row.code)) joined.set(row.code, furtherOf(row))
    }
  }
  // The built-in demonstration answers for as long as there is nobody else.
  const isReplaced = first.isDemonstration && further.length > 0
  const offered = isReplaced ? onlyServed(settings, served) : settings
  return {
    configuration: joined.size === 0 ? offered : withFurther(offered, [...joined.values()]),
    names: new Map([
      [first.id, isReplaced ? new Map() : namesOfFirst(first, known, served)],
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

/** What else it has: all that an administrator picked, or what it lists for chats unless the settings say what is offered. */
function ownOf(listing: Listing, names: ReadonlyMap<string, string>, isPickedInSettings: boolean): ModelRow[] {
  if (!listing.picked && (isPickedInSettings || !listing.offersAll)) return []
  const served = new Set(names.values())
  return (listing.models ?? []).filter(
    ({ offered, name }) => offered && !served.has(name) && !served.has(withoutTag(name)),
  )
}

const withoutTag = (name: string): string => name.replace(/:latest$/, '')

/** It is asked for all models of the settings, but for those that it does not list and another endpoint does. */
function namesOfFirst(
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

const listedOf = ({ name, context_length, offered }: ModelRow): ListedModel => ({
  id: name,
  context_length,
  for_chat: offered,
})

const furtherOf = ({ code, name, label, context_length }: ModelRow): FurtherModel => ({
  code,
  label: label ?? name,
  upstream_name: name,
  context_length,
})

function withFurther(settings: Configuration, models: readonly FurtherModel[]): Configuration {
  const { openai_api } = settings
  return { ...settings, openai_api: { ...openai_api, further_models: [...openai_api.further_models, ...models] } }
}
