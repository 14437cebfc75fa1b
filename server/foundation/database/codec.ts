import type { ColumnKind, Table } from './tables.ts'
import { tables } from './schema.ts'

/** Text that one of the databases cannot hold, or cannot give back as it was. Refused before it reaches either. */
export class UnstorableText extends Error {
  override name = 'UnstorableText'
}

export type NamedKind = { kind: ColumnKind; nullable: boolean }

/** A result knows its columns by name only, so a column name must have the same kind, and for json the same nullability, in all tables. */
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

/** What a json column stores. `null` is the database's NULL where the column may be NULL, and JSON's null elsewhere. */
export function encodeJson(name: string, value: unknown): string | null {
  return value === null && kinds.get(name)?.nullable ? null : JSON.stringify(value)
}

export function decodeJson(stored: unknown): unknown {
  return typeof stored === 'string' ? JSON.parse(stored) : stored
}

/** Checks a parameter on its way to either database, and writes an object out as JSON. */
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
