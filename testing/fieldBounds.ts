import * as z from 'zod/mini'
import type { Shape } from './jsonSchema.ts'

/** One value just at a bound, or just beyond it, in the smallest body that has it. */
type Bounded = { path: string; isWithin: boolean; body: unknown }

/** Texts to try: one of them fits each pattern and format of the contract. */
const TEXTS = ['1', 'text', 'gpt_4', 'someone@example.org', 'correct-horse-7', '2027-01-01T00:00:00Z', '08:00:00']

/**
 * Each bound of each field: numbers and lists at it and beyond it; texts beyond it, since only some texts fit their
 * patterns.
 */
export function boundedValues(schema: z.ZodMiniType): Bounded[] {
  // read as far as the type knows it
  const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Shape
  return found(shape, [], value => value)
}

type Build = (value: unknown) => unknown

function found(shape: Shape, path: readonly string[], build: Build): Bounded[] {
  const at = (value: unknown, isWithin: boolean): Bounded => ({ path: path.join('.'), isWithin, body: build(value) })
  const choices = [...(shape.anyOf ?? []), ...(shape.oneOf ?? [])]
  if (choices.length > 0) return choices.flatMap(choice => found(choice, path, build))
  const { minimum, maximum, minLength = 0, maxLength, items, minItems = 0, maxItems, properties } = shape
  switch (shape.type) {
    case 'integer':
    case 'number':
      return [
        ...(minimum === undefined ? [] : [at(minimum, true), at(minimum - 1, false)]),
        ...(maximum === undefined ? [] : [at(maximum, true), at(maximum + 1, false)]),
      ]
    case 'string':
      return [
        ...(maxLength === undefined ? [] : [at('a'.repeat(maxLength + 1), false)]),
        ...(minLength === 0 ? [] : [at('', false)]),
      ]
    case 'array': {
      const many = (count: number) => Array.from({ length: count }, () => smallest(items ?? {}))
      return [
        ...(maxItems === undefined ? [] : [at(many(maxItems), true), at(many(maxItems + 1), false)]),
        ...(minItems === 0 ? [] : [at([], false)]),
        ...found(items ?? {}, [...path, '0'], value => build([value])),
      ]
    }
    default:
      return Object.entries(properties ?? {}).flatMap(([name, property]) =>
        found(property, [...path, name], value => build({ ...(smallest(shape) as object), [name]: value })),
      )
  }
}

/** The smallest value that fits. */
function smallest(shape: Shape): unknown {
  if ('const' in shape) return shape.const
  if (shape.enum !== undefined) return shape.enum[0]
  const [choice] = [...(shape.anyOf ?? []), ...(shape.oneOf ?? [])]
  if (choice !== undefined) return smallest(choice)
  const { properties = {}, required = [], items, minItems = 0, minimum = -1, maximum = 1 } = shape
  switch (shape.type) {
    case 'object':
      return Object.fromEntries(required.map(name => [name, smallest(properties[name] ?? {})]))
    case 'array':
      return Array.from({ length: minItems }, () => smallest(items ?? {}))
    case 'integer':
    case 'number':
      return Math.min(Math.max(1, minimum), maximum)
    case 'boolean':
      return false
    case 'string':
      return TEXTS.find(text => fits(shape, text)) ?? ''
    default:
      return null
  }
}

const fits = ({ pattern, format, minLength = 0, allOf = [] }: Shape, text: string): boolean =>
  [pattern, ...allOf.map(part => part.pattern)].every(each => each === undefined || new RegExp(each, 'u').test(text)) &&
  (format !== 'uuid' || text === '') &&
  text.length >= minLength
