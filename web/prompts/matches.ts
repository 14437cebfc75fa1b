import type { Prompt } from '#contract/prompts.ts'
import type { Parts } from '#web/i18n/dictionary.ts'

/** What is found, one's own before everybody's. */
export type PromptMatches = { own: readonly Prompt[]; shared: readonly Prompt[] }

const SPECIAL = /[\\^$.*+?()[\]{}|]/g

const patternOf = (query: string): RegExp => new RegExp(query.normalize('NFC').replaceAll(SPECIAL, '\\$&'), 'iu')

/** Whose name or short name has the query; those whose short name begins with it first. */
export function matchingPrompts(prompts: readonly Prompt[], query: string): PromptMatches {
  const wanted = query.trim()
  const pattern = patternOf(wanted)
  const isFirst = ({ short_name }: Prompt) => short_name.search(pattern) === 0
  const found = prompts.filter(
    ({ name, short_name, is_active }) => is_active && (pattern.test(name) || pattern.test(short_name)),
  )
  const sorted = wanted === '' ? found : [...found.filter(isFirst), ...found.filter(prompt => !isFirst(prompt))]
  return { own: sorted.filter(({ is_shared }) => !is_shared), shared: sorted.filter(({ is_shared }) => is_shared) }
}

/** The first hit in a name, with what is before and behind it; null without one. */
export function hitIn(name: string, query: string): Parts | null {
  const wanted = query.trim()
  const hit = wanted === '' ? null : patternOf(wanted).exec(name)
  if (hit === null) return null
  const behind = hit.index + hit[0].length
  return [name.slice(0, hit.index), hit[0], name.slice(behind)]
}
