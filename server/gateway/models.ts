import type { SourceAllowance } from '#contract/allowance.ts'
import type { Configuration } from '#contract/configuration/configuration.ts'
import type { RefusalKey } from '#contract/refusals.ts'
import { enabledModels, upstreamName } from '#server/configuration/models.ts'
import type { Caller } from '#server/users/user.ts'

/** The source that other tools ask. */
export const SOURCE = 'openai_api'

/** The code of a model that a tool names, by its code or as its provider calls it; null where there is none. */
export function modelCode(configuration: Configuration, name: string): string | null {
  const codes = enabledModels(configuration, SOURCE).map(({ code }) => code)
  if (codes.includes(name)) return name
  return codes.find(code => upstreamName(configuration, SOURCE, code) === name) ?? null
}

/** The codes of the models that a key may name. */
export function modelsOf(configuration: Configuration, { bounds }: Pick<Caller, 'bounds'>): string[] {
  const codes = enabledModels(configuration, SOURCE).map(({ code }) => code)
  const allowed = bounds?.models ?? null
  return allowed === null ? codes : codes.filter(code => allowed.includes(code))
}

/** As tools of all dialects read it. */
type ListedModel = { id: string; context_length: number | null; name: string }

/** What somebody may ask now, by its codes. */
export function listedModels(
  configuration: Configuration,
  { models }: Pick<SourceAllowance, 'models'>,
  caller: Pick<Caller, 'bounds'>,
): ListedModel[] {
  const named = new Set(modelsOf(configuration, caller))
  const open = new Set(models.filter(({ verdict }) => !NEVER.has(verdict.message ?? '')).map(({ model }) => model))
  return enabledModels(configuration, SOURCE)
    .filter(({ code }) => named.has(code) && open.has(code))
    .map(({ code, label, context_length }) => ({ id: code, context_length, name: label ?? code }))
}

/** What no waiting changes: such a model is none of theirs. One whose limit is full is theirs again later. */
const NEVER: ReadonlySet<string> = new Set(
  (
    [
      'chatTypeNotEnabled',
      'userNotAllowToUseChatType',
      'userChatTypeExpired',
      'userNotAllowToUseModel',
      'userNotAllowToUseGPT4Model',
      'paidModelNotAvailable',
      'modelNotEnabled',
      'modelHasNoPrice',
    ] satisfies RefusalKey[]
  ).map(key => `errors.${key}`),
)

/** No upstream says when it made a model. */
const CREATED = 0

const shown = ({ id, name, context_length }: ListedModel) => ({
  id,
  object: 'model',
  type: 'model',
  created: CREATED,
  created_at: new Date(CREATED).toISOString(),
  owned_by: 'chat-commons',
  display_name: name,
  ...(context_length !== null && { context_length, max_input_tokens: context_length }),
})

export function modelList(models: readonly ListedModel[]) {
  const data = models.map(shown)
  return { object: 'list', data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null }
}

/** One of them, by its code or its provider's name; null where it is none of theirs. */
export function oneModel(configuration: Configuration, models: readonly ListedModel[], name: string) {
  const code = modelCode(configuration, name)
  const found = models.find(({ id }) => id === code)
  return found === undefined ? null : shown(found)
}
