import { firstKnown, type ModelCapabilities, UNKNOWN_CAPABILITIES } from '#contract/models.ts'
import type { ModelSettings } from '#contract/upstreamModels.ts'
import type { UpstreamRead } from '#contract/upstreams.ts'
import type { ModelRow } from './store.ts'

/** What is known of a model of an upstream. */
export type ModelKnowledge = Omit<ModelRow, 'upstream_id' | 'position'>

/** A model by its code here, and by what the upstream calls it. */
export type NamedModel = Pick<ModelRow, 'code' | 'name'>

export const BLANK: Omit<ModelKnowledge, keyof NamedModel> = {
  ...UNKNOWN_CAPABILITIES,
  label: null,
  set_capabilities: null,
  request_fields: null,
  thinking_fields: null,
  learned_context_length: null,
  learned_capabilities: null,
  learned_digest: null,
  learned_time: null,
  listed: true,
  offered: false,
}

/** Which of them it is: by its code, else by its name. */
export const sameModel = <Model extends NamedModel>(
  models: readonly Model[],
  { code, name }: NamedModel,
): Model | undefined => models.find(model => model.code === code) ?? models.find(model => model.name === name)

/** What an upstream says of a model; nothing of one that it does not list. */
export function readColumns(model: ModelCapabilities | undefined): ModelCapabilities {
  const { takes_pictures, takes_files, uses_tools, context_length, thinking_levels } = model ?? UNKNOWN_CAPABILITIES
  return { takes_pictures, takes_files, uses_tools, context_length, thinking_levels }
}

const setOf = ({ set_capabilities }: ModelKnowledge): ModelCapabilities => ({
  ...UNKNOWN_CAPABILITIES,
  ...set_capabilities,
})

/** What a model takes and can: what an administrator set, else what its upstream refused, else what it lists. */
export const inForce = (
  model: ModelKnowledge | undefined,
  learned: ModelCapabilities = UNKNOWN_CAPABILITIES,
): ModelCapabilities => (model === undefined ? learned : firstKnown(setOf(model), learned, readColumns(model)))

/** What was set is stored without what was not; null where nothing is left. */
export function setColumn(set: Partial<ModelCapabilities>): Partial<ModelCapabilities> | null {
  const known = Object.entries(set).filter(([, value]) => value !== null)
  return known.length === 0 ? null : Object.fromEntries(known)
}

/** The set values with this context length; it is not set where the upstream says the same, or where there is none. */
export function withSetContext(model: ModelKnowledge | undefined, context_length: number | null) {
  const isRead = context_length === (model?.context_length ?? null)
  return setColumn({ ...model?.set_capabilities, context_length: isRead ? null : context_length })
}

/** The models as administrators see what they take and can. */
export function settingsView(
  served: readonly NamedModel[],
  models: readonly ModelKnowledge[],
  learnedContext: (model_name: string) => number | null,
): UpstreamRead['model_settings'] {
  return served.map(({ code, name }) => {
    const model = sameModel(models, { code, name })
    return {
      code,
      name,
      read: readColumns(model),
      set: model === undefined ? UNKNOWN_CAPABILITIES : setOf(model),
      request_fields: model?.request_fields ?? null,
      thinking_fields: model?.thinking_fields ?? null,
      learned_context_length: learnedContext(name),
    }
  })
}

/** The models with what an administrator set of some of them; one that is not known yet becomes so. */
export function withSettings(models: readonly ModelKnowledge[], given: readonly ModelSettings[]): ModelKnowledge[] {
  const changed = [...models]
  for (const { code, name, set, request_fields, thinking_fields = null } of given) {
    const known = sameModel(changed, { code, name })
    const columns = { set_capabilities: setColumn(set), request_fields, thinking_fields }
    if (known === undefined) changed.push({ ...BLANK, code, name, ...columns, listed: false })
    else changed[changed.indexOf(known)] = { ...known, ...columns }
  }
  return changed
}
