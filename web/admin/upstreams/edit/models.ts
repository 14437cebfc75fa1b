import { ModelCode } from '#contract/models.ts'
import { MAX_PICKED, type PickedModel, pickOf } from './fields.ts'
import type { ListedModel } from './useConnectionTest.ts'

/** Rows that are shown; others are found by typing. */
const MAX_SHOWN = 100

/**
 * The picked models in their order, then the others that are listed; only those whose name or label contains the words.
 */
export function shownModels(
  picked: readonly PickedModel[],
  listed: readonly PickedModel[],
  words: string,
): PickedModel[] {
  const names = new Set(picked.map(({ name }) => name))
  const wanted = words.toLowerCase().split(/\s+/)
  return [...picked, ...listed.filter(({ name }) => !names.has(name))]
    .filter(({ name, label }) => wanted.every(word => `${name} ${label ?? ''}`.toLowerCase().includes(word)))
    .slice(0, MAX_SHOWN)
}

/** The picks to start from: the models that are offered without any. */
export const picksFrom = (listed: readonly ListedModel[]): PickedModel[] =>
  listed
    .filter(({ offered }) => offered)
    .slice(0, MAX_PICKED)
    .map(pickOf)

export function offersAfter(picked: readonly PickedModel[], model: PickedModel, ticked: boolean): PickedModel[] {
  const others = picked.filter(({ name }) => name !== model.name)
  return ticked ? [...others, model] : others
}

/** The picks with one of them moved up or down. */
export function moved(picked: readonly PickedModel[], at: number, by: -1 | 1): PickedModel[] {
  const model = picked[at]
  if (model === undefined || picked[at + by] === undefined) return [...picked]
  const others = picked.toSpliced(at, 1)
  return others.toSpliced(at + by, 0, model)
}

/** A model that the upstream has but does not list, by its name; null when the name is not valid or known already. */
export function namedModel(words: string, known: readonly PickedModel[]): PickedModel | null {
  const name = words.trim()
  if (!ModelCode.safeParse(name).success || known.some(model => model.name === name || model.code === name)) return null
  return { code: name, name, label: null, context_length: null }
}
