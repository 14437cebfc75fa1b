import type { ColumnType, Generated } from 'kysely'

export type ColumnKind =
  | 'id' // an integer primary key by itself, never given twice
  | 'text'
  | 'int'
  | 'real'
  | 'ms' // epoch milliseconds
  | 'bool'
  | 'json' // text in the database, encoded and decoded by the codec

declare const shape: unique symbol

export type Column = {
  kind: ColumnKind
  nullable?: true
  references?: `${string}.${string}`
  onDelete?: 'cascade' | 'set null'
  default?: string | number | boolean
  /** Only for the compiler: what a json column holds. */
  readonly [shape]?: unknown
}

/** An index over the rows that meet a condition. Its full name begins with that of the table. */
type PartialIndex = { name: string; columns: readonly string[]; where: string }

export type Table = {
  columns: Record<string, Column>
  primaryKey?: readonly string[]
  /**
   * For rows that are inserted often, deleted many at a time and hardly ever read. On SQLite the table has no key: rows
   * lie in the order of their insertion, so that those of a moment share a page, and a read scans all of them.
   */
  appended?: true
  unique?: readonly (readonly string[])[]
  indexes?: readonly (readonly string[] | PartialIndex)[]
}

/** The one description of a table: the types of its rows, the DDL of both databases and the codec follow from it. */
export function table<const T extends Table>(table: T): T {
  return table
}

type JsonColumn<T> = { kind: 'json'; readonly [shape]?: T }

/** A json column that holds a `T`. Reads do not check it, since only this program writes it. */
export function json<T>(): JsonColumn<T>
export function json<T>(options: { nullable: true }): JsonColumn<T> & { nullable: true }
export function json<T>(options: { nullable?: true } = {}): JsonColumn<T> {
  return { kind: 'json', ...options }
}

type ValueOf<C extends Column> = C extends { kind: 'json' }
  ? C extends JsonColumn<infer T>
    ? T
    : unknown
  : C['kind'] extends 'text'
    ? string
    : C['kind'] extends 'bool'
      ? boolean
      : number

type DecodedValue<C extends Column> = C extends { nullable: true } ? ValueOf<C> | null : ValueOf<C>

type InsertedValue<C extends Column> = C extends { nullable: true } | { default: unknown }
  ? DecodedValue<C> | undefined
  : DecodedValue<C>

/** The row as code sees it: booleans, parsed JSON, numbers. */
export type RowOf<T extends Table> = { -readonly [name in keyof T['columns']]: DecodedValue<T['columns'][name]> }

/** The same table as Kysely wants it described. */
export type KyselyTable<T extends Table> = {
  -readonly [name in keyof T['columns']]: T['columns'][name] extends { kind: 'id' }
    ? Generated<number>
    : ColumnType<DecodedValue<T['columns'][name]>, InsertedValue<T['columns'][name]>, DecodedValue<T['columns'][name]>>
}
