import { createHash } from 'node:crypto'
import type { Configuration } from '#contract/configuration/configuration.ts'
import type { FurtherModel } from '#contract/configuration/sources.ts'
import {
  DEFAULT_MODEL_CODE_MAPPING,
  isKnownModel,
  MODEL_CODES,
  type ModelCapabilities,
  type ModelChoice,
  ModelCode,
  type Source,
} from '#contract/models.ts'

/** A model as it is named. What it takes and can is known where its upstreams are. */
export type NamedChoice = Omit<ModelChoice, 'takes_pictures' | 'takes_files' | 'thinking_levels'>

/** The models people may choose at a source, in the administrator's order, whether or not the source is enabled. */
export function enabledModels(configuration: Configuration, source: Source): NamedChoice[] {
  const further = furtherModels(configuration, source)
  const codes = new Set([...configuration[source].enabled_models, ...further.map(({ code }) => code)])
  return [...codes]
    .filter(code => upstreamName(configuration, source, code) !== null)
    .map(code => {
      const own = further.find(model => model.code === code)
      const isBuiltIn = (MODEL_CODES[source] as readonly string[]).includes(code)
      return {
        source,
        code,
        label: isBuiltIn ? null : (own?.label ?? (isKnownModel(code) ? null : code)),
        context_length: own?.context_length ?? null,
      }
    })
}

/** The upstream's name for a model; null when it has none there. */
export function upstreamName(configuration: Configuration, source: Source, code: string): string | null {
  const own = furtherModels(configuration, source).find(model => model.code === code)
  if (own !== undefined) return own.upstream_name
  // A partial mapping leaves the other codes as they are.
  const mapping: Record<string, string> = {
    ...DEFAULT_MODEL_CODE_MAPPING[source],
    ...configuration[source].model_code_mapping,
  }
  return Object.hasOwn(mapping, code) ? (mapping[code] ?? null) : null
}

export function isEnabled(configuration: Configuration, source: Source, code: string): boolean {
  const isListed =
    configuration[source].enabled_models.includes(code) ||
    furtherModels(configuration, source).some(model => model.code === code)
  return isListed && upstreamName(configuration, source, code) !== null
}

function furtherModels(configuration: Configuration, source: Source): readonly FurtherModel[] {
  return source === 'openai_api' ? configuration.openai_api.further_models : []
}

/** What a model costs as its endpoint lists it: millionths of a US dollar a million tokens. */
export type ListedPrice = { input: number; cached_input: number | null; output: number }

/** A model as an endpoint lists it, with what it says of it. */
export type ListedModel = ModelCapabilities & {
  /** The endpoint's name for it. */
  id: string
  /** false for models for embeddings, images, speech, moderation and so on. */
  for_chat: boolean
  /** Left out where it says nothing of it. */
  price?: ListedPrice
}

/** Number of listed models that are offered by default; an administrator may choose any. */
const MAX_OFFERED = 50
const BUILT_IN: readonly string[] = MODEL_CODES.openai_api
/** Characters. A code has at most 64 and ends in a digest that makes it unique. */
const SLUG_LENGTH = 55

/**
 * Adds the endpoint's listed models to the further models, so that limits, settings and page treat them alike. `listed`
 * is null until a list was read; `picked`: an administrator chose the models.
 */
export function withListedModels(
  configuration: Configuration,
  listed: readonly ListedModel[] | null,
  picked: boolean,
): Configuration {
  const { openai_api } = configuration
  // OpenAI itself lists a hundred models, outdated and expensive ones among them: there an administrator chooses.
  if (openai_api.openai_base_url === null || (listed === null && !picked)) return configuration
  const byName = new Map((listed ?? []).map(model => [model.id, model]))
  const offered = picked ? pickedModels(configuration, byName) : listedModels(configuration, byName)
  const further = new Map([...offered, ...openai_api.further_models].map(model => [model.code, model]))
  const enabled_models = picked
    ? openai_api.enabled_models
    : openai_api.enabled_models.filter(code => further.has(code))
  return { ...configuration, openai_api: { ...openai_api, enabled_models, further_models: [...further.values()] } }
}

/**
 * The chosen models, looked up by their name in the settings, else by the code of a listed one, else taken as a code.
 */
function pickedModels(configuration: Configuration, listed: ReadonlyMap<string, ListedModel>): FurtherModel[] {
  const byCode = new Map([...listed.values()].map(model => [codeOf(model.id), model]))
  return configuration.openai_api.enabled_models
    .filter(code => !isFurther(configuration, code))
    .map(code => {
      const name = upstreamName(configuration, 'openai_api', code)
      const model = name === null ? byCode.get(code) : withName(listed, name)
      return {
        code,
        label: name === null ? (model?.id ?? code) : code,
        upstream_name: name ?? model?.id ?? code,
        context_length: model?.context_length ?? null,
      }
    })
}

/** Built-in codes whose models are listed, then the other listed models, without those an administrator has named. */
function listedModels(configuration: Configuration, listed: ReadonlyMap<string, ListedModel>): FurtherModel[] {
  const { enabled_models, further_models } = configuration.openai_api
  const builtIn = enabled_models
    .filter(code => !isFurther(configuration, code))
    .flatMap(code => {
      const name = upstreamName(configuration, 'openai_api', code)
      const model = (name === null ? undefined : withName(listed, name)) ?? listed.get(code)
      if (model === undefined) return []
      const upstream_name = name !== null && model.id !== code ? name : model.id
      return [{ code, label: model.id, upstream_name, context_length: model.context_length }]
    })
  const named = new Set([...builtIn, ...further_models].map(model => withName(listed, model.upstream_name)?.id))
  const others = [...listed.values()]
    .filter(model => model.for_chat)
    .slice(0, MAX_OFFERED)
    .filter(({ id }) => !named.has(id))
  return [
    ...builtIn,
    ...others.map(({ id, context_length }) => ({ code: codeOf(id), label: id, upstream_name: id, context_length })),
  ]
}

/** Finds a listed model; Ollama also accepts a name without its tag. */
function withName(listed: ReadonlyMap<string, ListedModel>, name: string): ListedModel | undefined {
  return listed.get(name) ?? listed.get(`${name}:latest`)
}

/** The id where it is a valid code, else its valid characters and a digest. It depends on the id alone. */
export function codeOf(id: string): string {
  if (ModelCode.safeParse(id).success && !BUILT_IN.includes(id)) return id
  const slug =
    id
      .replace(/[^A-Za-z0-9_.:/-]+/g, '-')
      .replace(/^[^A-Za-z0-9]+/, '')
      .slice(0, SLUG_LENGTH) || 'model'
  return `${slug}-${createHash('sha256').update(id).digest('hex').slice(0, 8)}`
}

function isFurther({ openai_api }: Configuration, code: string): boolean {
  return openai_api.further_models.some(model => model.code === code)
}
