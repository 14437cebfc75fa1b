/** In which field an endpoint takes the length of an answer, the most that it takes, and whether it takes any. */
export type OutputAbility = { field: 'max_tokens' | 'max_completion_tokens' | null; most: number }

export const ANY_OUTPUT: OutputAbility = { field: 'max_tokens', most: Infinity }

const FIELDS = ['max_tokens', 'max_completion_tokens'] as const

/**
 * The fields that bound an answer. A bound that the request has already, from the question or from what is set of the
 * model, stays where it is lower.
 */
export function outputFields(
  limit: number | null | undefined,
  { field, most }: OutputAbility,
  others: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  if (limit == null || field === null) return {}
  const given = FIELDS.filter(name => typeof others[name] === 'number')
  const lowest = Math.min(limit, most, ...given.map(name => Number(others[name])))
  // What is set of the model says which of the two it knows.
  const name = given.includes('max_completion_tokens') ? 'max_completion_tokens' : field
  const replaced = given.filter(each => each !== name).map(each => [each, undefined] as const)
  return { ...Object.fromEntries(replaced), [name]: lowest }
}

/**
 * What a refusal of the bound teaches: the other field, or less where it names how much is taken, else none. Null where
 * it is about something else.
 */
export function afterRefusal(ability: OutputAbility, refusal: string, sent: number): OutputAbility | null {
  if (ability.field === null || !/max_(?:completion_)?tokens/i.test(refusal)) return null
  if (/too large|too big|at most|less than|exceed|maximum|range|upper/i.test(refusal)) {
    const most = mostIn(refusal, sent)
    if (most !== null) return { ...ability, most }
  }
  return ability.field === 'max_tokens' ? { ...ability, field: 'max_completion_tokens' } : { ...ability, field: null }
}

/** "supports at most 16384 completion tokens"; of a context of n with m tokens of input, what is left. */
function mostIn(refusal: string, sent: number): number | null {
  const context = /context length (?:is|of) (?:only )?(\d{2,9})/i.exec(refusal)?.[1]
  const input = /(\d{1,9}) (?:input tokens|tokens in the|in the messages|of text input)/i.exec(refusal)?.[1]
  const left = context === undefined || input === undefined ? Number.NaN : Number(context) - Number(input)
  if (left > 0 && left < sent) return left
  const named = [...refusal.matchAll(/\d{2,9}/g)]
    .map(([text]) => Number(text))
    .filter(each => each >= 16 && each < sent)
  return named.length === 0 ? null : Math.max(...named)
}
