import { createHash } from 'node:crypto'
import type { Configuration } from '#contract/configuration.ts'
import type { FurtherModel } from '#contract/configuration/sources.ts'
import { MODEL_CODES, ModelCode } from '#contract/models.ts'
import { upstreamName } from './models.ts'

/** A model as an endpoint lists it. */
export type ListedModel = {
  /** What the endpoint calls it. */
  id: string
  context_length: number | null
  /** false for those that embed, draw, speak, judge and so on. */
  for_chat: boolean
}

/** How many models are offered of their own accord; an administrator may pick any. */
const MOST_OFFERED = 50
const BUILT_IN: readonly string[] = MODEL_CODES.openai_api
/** Characters: a code has at most 64, and ends in what makes it unique. */
const SLUG_LENGTH = 55

/**
 * The configuration with the models that its endpoint lists among the further ones, so that limits, settings and page treat them alike.
 * `listed` is null while no list was ever read; `picked` says that an administrator chose the models.
 */
export function withListedModels(
  configuration: Configuration,
  listed: readonly ListedModel[] | null,
  picked: boolean,
): Configuration {
  const { openai_api } = configuration
  // OpenAI itself lists a hundred models, dated and dear ones among them: there an administrator chooses.
  if (openai_api.openai_base_url === null || (listed === null && !picked)) return configuration
  const byName = new Map((listed ?? []).map(model => [model.id, model]))
  const offered = picked ? pickedModels(configuration, byName) : listedModels(configuration, byName)
  const further = new Map([...offered, ...openai_api.further_models].map(model => [model.code, model]))
  const enabled_models = picked
    ? openai_api.enabled_models
    : openai_api.enabled_models.filter(code => further.has(code))
  return { ...configuration, openai_api: { ...openai_api, enabled_models, further_models: [...further.values()] } }
}

/** What an administrator picked: by the name it has in the settings, else by the code of a listed one, else by its code as it is. */
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

/** Built-in codes whose models the endpoint has; then what else it lists, without what an administrator has named already. */
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
    .slice(0, MOST_OFFERED)
    .filter(({ id }) => !named.has(id))
  return [
    ...builtIn,
    ...others.map(({ id, context_length }) => ({ code: codeOf(id), label: id, upstream_name: id, context_length })),
  ]
}

/** Ollama answers to a name without its tag too. */
function withName(listed: ReadonlyMap<string, ListedModel>, name: string): ListedModel | undefined {
  return listed.get(name) ?? listed.get(`${name}:latest`)
}

/** The id itself where it can be a code; else what of it can, with a digest: the same whatever else is listed. */
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
