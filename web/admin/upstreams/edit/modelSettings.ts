import { firstKnown, type ModelCapabilities, UNKNOWN_CAPABILITIES } from '#contract/models.ts'
import { ModelSettings } from '#contract/upstreamModels.ts'
import type { UpstreamRead } from '#contract/upstreams.ts'

export const ABILITIES = ['takes_pictures', 'takes_files', 'uses_tools'] as const
type Ability = (typeof ABILITIES)[number]
export const TYPED = ['context_length', 'thinking_levels', 'thinking_fields', 'request_fields'] as const
/** Those that are typed as JSON: fields of requests, which web accounts do not have. */
export const JSON_TYPED: readonly string[] = ['thinking_fields', 'request_fields']
export type TypedName = (typeof TYPED)[number]

/** What is set of a model, as it is typed. Blank, or null: as the account itself says. */
export type TypedSettings = { code: string; name: string } & Record<Ability, boolean | null> & Record<TypedName, string>

/** A model whose settings are shown, with what the account says of it. */
export type SettableModel = Pick<
  UpstreamRead['model_settings'][number],
  'code' | 'name' | 'read' | 'learned_context_length'
>

export function typedSettings({
  code,
  name,
  set,
  thinking_fields,
  request_fields,
}: UpstreamRead['model_settings'][number]): TypedSettings {
  const { takes_pictures, takes_files, uses_tools, context_length, thinking_levels } = set
  return {
    ...{ code, name, takes_pictures, takes_files, uses_tools },
    context_length: context_length === null ? '' : String(context_length),
    thinking_levels: thinking_levels === null ? '' : thinking_levels.join(', '),
    thinking_fields: thinking_fields === null ? '' : JSON.stringify(thinking_fields),
    request_fields: request_fields === null ? '' : JSON.stringify(request_fields),
  }
}

export const nothingSet = ({ code, name }: Pick<SettableModel, 'code' | 'name'>): TypedSettings =>
  typedSettings({
    code,
    name,
    read: UNKNOWN_CAPABILITIES,
    set: UNKNOWN_CAPABILITIES,
    thinking_fields: null,
    request_fields: null,
    learned_context_length: null,
  })

/**
 * The settings in the form in which they are sent; what is no number or no JSON stays text, which the contract refuses.
 */
export function sentSettings(typed: TypedSettings): ModelSettings {
  const { code, name, takes_pictures, takes_files, uses_tools, context_length, thinking_levels } = typed
  const context = context_length.replaceAll(/[\s,]/g, '')
  const levels = thinking_levels
    .toLowerCase()
    .split(/[\s,，、;]+/)
    .filter(level => level !== '')
  return {
    ...{ code, name },
    set: {
      ...{ takes_pictures, takes_files, uses_tools },
      context_length: context === '' ? null : Number(context),
      thinking_levels: levels.length === 0 ? null : levels,
    },
    request_fields: parsedFields(typed.request_fields),
    thinking_fields: parsedFields(typed.thinking_fields),
  }
}

/** Of either form: the contract looks at it. */
function parsedFields<Fields>(text: string): Fields | null {
  if (text.trim() === '') return null
  try {
    return JSON.parse(text) as Fields // as above
  } catch {
    return text as never // as above
  }
}

/** Which of the typed values the contract refuses. */
export function wrongIn(typed: TypedSettings): TypedName[] {
  const { error } = ModelSettings.safeParse(sentSettings(typed))
  const paths = error?.issues.map(({ path }) => path.join('.')) ?? []
  return TYPED.filter(name => paths.some(path => path.replace(/^set\./, '').split('.')[0] === name))
}

type KnownModel = { code: string; name: string; context_length: number | null }

/**
 * The models whose settings can be changed: those that it is asked for, and what would be offered with the values of
 * the form.
 */
export function settableModels(
  stored: UpstreamRead['model_settings'],
  picked: readonly KnownModel[] | null,
  listed: readonly (KnownModel & { offered: boolean })[],
): SettableModel[] {
  const known = new Set(stored.map(({ name }) => name))
  const others = (picked ?? listed.filter(({ offered }) => offered)).filter(({ name }) => !known.has(name))
  return [
    ...stored,
    ...others.map(({ code, name, context_length }) => ({
      ...{ code, name, learned_context_length: null },
      read: { ...UNKNOWN_CAPABILITIES, context_length },
    })),
  ]
}

/** What a model takes and can, with what is typed. */
export const shownCapabilities = (typed: TypedSettings, read: ModelCapabilities): ModelCapabilities =>
  firstKnown(sentSettings(typed).set, read)
