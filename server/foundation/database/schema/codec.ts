import type { ColumnKind, Table } from './definition.ts'
import { tables } from './schema.ts'

/** Text that one of the two databases cannot store unchanged. It is refused before it reaches either. */
export class UnstorableText extends Error {
  override name = 'UnstorableText'
}

type NamedKind = { kind: ColumnKind; nullable: boolean }

/**
 * Results are decoded by column name alone, so a name must have the same kind, and for json the same nullability, in
 * all tables.
 */
export function kindsByName(described: Record<string, Table>): Map<string, NamedKind> {
  const kinds = new Map<string, NamedKind>()
  for (const [tableName, { columns }] of Object.entries(described)) {
    for (const [name, column] of Object.entries(columns)) {
      const found: NamedKind = { kind: column.kind, nullable: column.nullable === true }
      const known = kinds.get(name)
      if (known && (known.kind !== found.kind || (found.kind === 'json' && known.nullable !== found.nullable))) {
        throw new Error(
          `column ${tableName}.${name} is ${found.kind}, but another table has a ${known.kind} of that name`,
        )
      }
      kinds.set(name, known ?? found)
    }
  }
  return kinds
}

const kinds = kindsByName(tables)

export const isBoolColumn = (name: string): boolean => kinds.get(name)?.kind === 'bool'
export const isJsonColumn = (name: string): boolean => kinds.get(name)?.kind === 'json'

/**
 * Encodes a value for a json column. `null` becomes NULL in a nullable column, and the JSON text `null` in any other.
 */
export function encodeJson(name: string, value: unknown): string | null {
  return value === null && kinds.get(name)?.nullable ? null : JSON.stringify(value)
}

export function decodeJson(stored: unknown): unknown {
  return typeof stored === 'string' ? JSON.parse(stored) : stored
}

/** Checks a parameter for either database, and encodes an object as JSON. */
export function encodeParameter(value: unknown): unknown {
  if (typeof value === 'string') return storable(value)
  if (typeof value === 'number' && Number.isNaN(value)) throw new TypeError('NaN is not stored')
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  if (value instanceof Date) throw new TypeError('times are stored as epoch milliseconds, not as a Date')
  return JSON.stringify(value)
}

function storable(text: string): string {
  if (text.includes('\0')) throw new UnstorableText('text with a NUL character is not stored')
  if (!text.isWellFormed()) throw new UnstorableText('text with half a surrogate pair is not stored')
  return text
}
