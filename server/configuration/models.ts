import type { Configuration } from '#contract/configuration.ts'
import type { FurtherModel } from '#contract/configuration/sources.ts'
import {
  DEFAULT_MODEL_CODE_MAPPING,
  isKnownModel,
  MODEL_CODES,
  type ModelChoice,
  type Source,
} from '#contract/models.ts'

/** The models people may choose at a source, in the administrator's order, whether or not the source is enabled. */
export function enabledModels(configuration: Configuration, source: Source): ModelChoice[] {
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
