import { describe, type Described, type DeclaredSetting } from '#contract/configuration/declared.ts'
import type { SettingMeta } from '#contract/settings.ts'

export type Unit = NonNullable<SettingMeta['unit']>
type TextFormat = 'address' | 'time' | 'code'

/** What a setting holds, as the form needs it. `nullable`: it may be left blank, which is null. */
export type Shape = { nullable: boolean } & (
  | { kind: 'boolean' }
  | { kind: 'integer'; low: number; high: number | null; unit: Unit | null }
  | { kind: 'text'; format: TextFormat | null; longest: number | null }
  | { kind: 'choice'; options: readonly string[] }
  | { kind: 'list'; item: Shape; most: number | null }
  | { kind: 'mapping'; value: Shape }
  | { kind: 'group'; fields: readonly Field[] }
)
export type Field = { name: string; shape: Shape }
export type IntegerShape = Extract<Shape, { kind: 'integer' }>

/** Read from the schema that the contract declares, so that no control is written by hand. */
export function shapeOf({ schema, unit = null }: Pick<DeclaredSetting, 'schema'> & { unit?: Unit | null }): Shape {
  return shapeFrom(describe(schema), unit)
}

function shapeFrom(described: Described, unit: Unit | null): Shape {
  const { anyOf, type, items, additionalProperties, properties } = described
  const inner = anyOf?.find(each => each.type !== 'null')
  if (inner !== undefined) return { ...shapeFrom(inner, unit), nullable: true }
  const nullable = false
  if (type === 'boolean') return { kind: 'boolean', nullable }
  if (type === 'integer') return { kind: 'integer', nullable, unit, ...boundsOf(described) }
  if (type === 'array' && items !== undefined)
    return { kind: 'list', nullable, item: shapeFrom(items, null), most: described.maxItems ?? null }
  if (additionalProperties !== undefined)
    return { kind: 'mapping', nullable, value: shapeFrom(additionalProperties, unit) }
  if (properties !== undefined) return { kind: 'group', nullable, fields: Object.entries(properties).map(fieldOf) }
  if (described.enum !== undefined) return { kind: 'choice', nullable, options: described.enum }
  return { kind: 'text', nullable, format: formatOf(described.pattern), longest: described.maxLength ?? null }
}

/** The unit of a field inside a list stands in its name. */
function fieldOf([name, described]: [string, Described]): Field {
  return { name, shape: shapeFrom(described, name.endsWith('_seconds') ? 'seconds' : null) }
}

/** zod bounds every integer by the safe integers; such a bound is not shown. */
function boundsOf({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Described) {
  return { low: minimum, high: maximum < Number.MAX_SAFE_INTEGER ? maximum : null }
}

/** By a text that only one of the patterns accepts. */
function formatOf(pattern: string | undefined): TextFormat | null {
  if (pattern === undefined) return null
  const accepts = (text: string) => new RegExp(pattern, 'u').test(text)
  if (accepts('a:b/c')) return 'code'
  if (accepts('https://example.org/v2/')) return 'address'
  return accepts('23:59:59') && !accepts('a') ? 'time' : null
}

/** -1 is how the contract writes "unlimited" where it is allowed. */
export function mayBeUnlimited(shape: Shape): boolean {
  return shape.kind === 'integer' && shape.low === -1
}
