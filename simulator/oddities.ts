/** Forms in which upstreams report an error inside an answer. */
export const ERROR_SHAPES = ['top', 'choice', 'event', 'event_plain', 'field', 'line'] as const
export type ErrorShape = (typeof ERROR_SHAPES)[number]

/** Fields in which upstreams send thoughts. */
export const THOUGHT_SHAPES = ['reasoning_content', 'reasoning', 'details', 'parts', 'think', 'think_open'] as const
export type ThoughtShape = (typeof THOUGHT_SHAPES)[number]

/** Complete answers whose form differs from the documentation. */
export const FORMS = [
  'json',
  'message',
  'single_newlines',
  'gzip',
  'parts',
  'second_choice',
  'refusal',
  'citations',
  'picture',
] as const
export type Form = (typeof FORMS)[number]

/** Refusals by their code, with their status. */
export const REFUSALS = {
  content_filter: 400,
  context_length_exceeded: 400,
  insufficient_quota: 429,
  insufficient_balance: 402,
  model_not_found: 404,
} as const
export type RefusalCode = keyof typeof REFUSALS

export function oneOf<T extends string>(known: readonly T[], given: unknown): T | undefined {
  return known.find(each => each === given)
}
