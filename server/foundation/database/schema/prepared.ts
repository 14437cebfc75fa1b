import { createHash } from 'node:crypto'
import type { Compilable, CompiledQuery, DialectAdapter, QueryResult } from 'kysely'
import { encodeJson } from './codec.ts'
import type { Database } from './schema.ts'

/** A placeholder in a prepared query, replaced by a value at each run (prepared.ts). */
export class Parameter {
  readonly #name: string
  readonly #jsonColumn: string | null

  constructor(name: string, jsonColumn: string | null = null) {
    this.#name = name
    this.#jsonColumn = jsonColumn
  }

  /** The same for a json column, whose values are encoded. */
  forJson(column: string): Parameter {
    return new Parameter(this.#name, column)
  }

  valueIn(values: object): unknown {
    const value: unknown = Reflect.get(values, this.#name)
    if (value === undefined) throw new TypeError(`a prepared query was given no ${this.#name}`)
    return this.#jsonColumn === null ? value : encodeJson(this.#jsonColumn, value)
  }
}

/** The SQL of prepared queries, with the name under which PostgreSQL keeps its plan. */
const names = new Map<string, string>()

export const nameOf = (sql: string): string | undefined => names.get(sql)

type PreparedQuery<Row> = { query: CompiledQuery<Row>; names: number }

/**
 * A query that is built and compiled once for each open database, for what runs with every ask. Its SQL must not depend
 * on the values: no list of varying length, no optional condition.
 */
export function prepared<Values extends object, Row>(build: (database: Database, values: Values) => Compilable<Row>) {
  const kept = new WeakMap<DialectAdapter, PreparedQuery<Row>>()

  function compile(database: Database, values: Values): PreparedQuery<Row> {
    const given = Object.keys(values)
    // until they are put in
    const parameters = Object.fromEntries(given.map(name => [name, new Parameter(name)])) as Values
    const query = build(database, parameters).compile()
    names.set(query.sql, createHash('sha256').update(query.sql).digest('hex').slice(0, 16))
    const made = { query, names: given.length }
    kept.set(database.getExecutor().adapter, made)
    return made
  }

  function answer(database: Database, values: Values): Promise<QueryResult<Row>> {
    const executor = database.getExecutor()
    const { query, names: expected } = kept.get(executor.adapter) ?? compile(database, values)
    if (Object.keys(values).length !== expected)
      throw new TypeError(`a prepared query was given other values than before: ${query.sql}`)
    const parameters = query.parameters.map(given => (given instanceof Parameter ? given.valueIn(values) : given))
    return executor.provideConnection(connection => connection.executeQuery<Row>({ ...query, parameters }))
  }

  return {
    rows: async (database: Database, values: Values): Promise<Row[]> => (await answer(database, values)).rows,
    first: async (database: Database, values: Values): Promise<Row | undefined> =>
      (await answer(database, values)).rows[0],
    /** For queries that always give a row. */
    one: async (database: Database, values: Values): Promise<Row> => (await answer(database, values)).rows[0] as Row,
    run: async (database: Database, values: Values): Promise<void> => {
      await answer(database, values)
    },
    /** Whether any row was changed. */
    changes: async (database: Database, values: Values): Promise<boolean> =>
      ((await answer(database, values)).numAffectedRows ?? 0n) > 0n,
  }
}
