import type { Envelope, ValidationDetail } from '#contract/envelope.ts'
import type { AskFailure } from '#contract/messages.ts'
import { REFUSALS, type RefusalKey, type RefusalValues } from '#contract/refusals.ts'

type Options = { cause?: unknown; detail?: ValidationDetail[] }

/** What a person is meant to read. Anything else that is thrown is a bug. */
export class Refusal extends Error {
  readonly key: RefusalKey
  readonly values: RefusalValues
  readonly detail: ValidationDetail[] | null

  constructor(key: RefusalKey, values: RefusalValues = {}, { cause, detail }: Options = {}) {
    super(`errors.${key}`, cause === undefined ? undefined : { cause })
    this.name = 'Refusal'
    this.key = key
    this.values = values
    this.detail = detail ?? null
  }
}

/** One field of a request is wrong: `loc` leads to it, from 'body', 'query' or 'path' on. */
export function invalid(loc: (string | number)[], msg: string, type = 'value_error'): Refusal {
  return new Refusal('requestValidationError', {}, { detail: [{ loc, msg, type }] })
}

export function envelopeOf({ key, values, detail }: Refusal): Envelope {
  const given = valuesOf(values)
  return {
    code: REFUSALS[key].code,
    message: `errors.${key}`,
    // Older clients show it, and break at an object.
    result:
      (detail === null ? lineOf(values) : detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ')) || null,
    ...(given !== null && { values: given }),
    ...(detail !== null && { detail }),
  }
}

/** The values in one line, for clients that have no text with places for them; blank when there are none. */
export function lineOf(values: RefusalValues): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(', ')
}

/** The same as a failed ask tells it, at once or later. */
export function failureOf({ key, values }: { key: string; values: RefusalValues }, charged: boolean): AskFailure {
  return { tip: `errors.${key}`, values: valuesOf(values), charged }
}

function valuesOf(values: RefusalValues): RefusalValues | null {
  for (const _ in values) return values
  return null
}
