import { storableText } from '#contract/storableText.ts'
import { isFields } from '../looseJson.ts'

/**
 * Deeper than anything that means something; what lies deeper is left out, so that no walk through it ends a process.
 */
const DEEPEST = 32

/** A value with all its texts as they can be stored. Its form stays, but for what lies too deep. */
export function storableValue<Value>(value: Value): Value {
  return storable(value, DEEPEST) as Value // the same form, with other strings in it
}

function storable(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return storableText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return null
  if (Array.isArray(value)) return value.map(each => storable(each, depth - 1))
  if (!isFields(value)) return null
  // Not by assignment, to which `__proto__` would be more than a name.
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [storableText(name), storable(each, depth - 1)]),
  )
}
