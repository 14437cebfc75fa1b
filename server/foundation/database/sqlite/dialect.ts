import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  type Driver,
  Kysely,
  type KyselyProps,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  Transaction as KyselyTransaction,
} from 'kysely'
import { jsonColumns } from '../jsonColumns.ts'
import { lastWrites } from '../lastWrites.ts'
import { ownTransaction } from '../ownTransaction.ts'
import type { Database, Manner, Tables, Work } from '../schema.ts'
import type { SqliteFile } from './connection.ts'
import type { Turns } from './groupCommit.ts'

const PLUGINS = [jsonColumns]

/** A connection that writes, and takes turns; and one that only reads what was committed while the other is in a transaction. */
export type Connections = { file: SqliteFile; reader: SqliteFile; turns: Turns }

/** Kysely on them: queries of their own, and transactions, which share commits. */
export function sqliteDialect({ file, reader, turns }: Connections) {
  const own = ownTransaction()
  const adapter = new SqliteAdapter()
  const compiler = new SqliteQueryCompiler()
  const dialect: Dialect = {
    createAdapter: () => adapter,
    createDriver: () => driver,
    createQueryCompiler: () => compiler,
    createIntrospector: database => new SqliteIntrospector(database),
  }

  /** What Kysely asks on this connection. Its own way to one, of five promises for each query, is for those that are taken from a pool. */
  function on(connection: DatabaseConnection): KyselyProps {
    const provider = {
      provideConnection: <T>(consumer: (given: DatabaseConnection) => Promise<T>) => consumer(connection),
    }
    return {
      config: { dialect },
      driver,
      dialect,
      executor: new DefaultQueryExecutor(compiler, adapter, provider, PLUGINS),
    }
  }

  const database: Database = new Kysely<Tables>(on(new Queries({ file, reader, turns }, own.requireOutside)))

  return {
    database,
    async transaction<T>(work: Work<T>, { givesWay }: Manner = {}): Promise<T> {
      own.requireOutside()
      return turns.write(
        () =>
          own.inside(async isOver => {
            const { last, writes } = lastWrites()
            const result = await work(new KyselyTransaction<Tables>(on(new Steps(file, turns, isOver))), last)
            await Promise.all(writes)
            return result
          }),
        givesWay,
      )
    },
  }
}

/** A query that is no part of a transaction. */
class Queries implements DatabaseConnection {
  readonly #connections: Connections
  readonly #requireOutside: () => void

  constructor(connections: Connections, requireOutside: () => void) {
    this.#connections = connections
    this.#requireOutside = requireOutside
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    this.#requireOutside()
    const { file, reader, turns } = this.#connections
    if (file.prepare(query.sql).writes) return turns.write(async () => answered<R>(file, query))
    // The one that writes knows what it wrote; the other one reads it anew after each write.
    return answered<R>(file.isInTransaction() ? reader : file, query)
  }

  streamQuery = unstreamed
}

/** The queries of one transaction. */
class Steps implements DatabaseConnection {
  readonly #file: SqliteFile
  readonly #turns: Turns
  readonly #isOver: () => boolean

  constructor(file: SqliteFile, turns: Turns, isOver: () => boolean) {
    this.#file = file
    this.#turns = turns
    this.#isOver = isOver
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    for (let rest = this.#turns.rest(); rest !== null; rest = this.#turns.rest()) await rest
    if (this.#isOver()) throw new Error('this transaction is over')
    return answered(this.#file, query)
  }

  streamQuery = unstreamed
}

function answered<R>(file: SqliteFile, { sql, parameters }: CompiledQuery): QueryResult<R> {
  const statement = file.prepare(sql)
  if (statement.reader) return { rows: statement.all(parameters) as R[] } // the query says what its rows are
  const { changes, lastInsertRowid } = statement.run(parameters)
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
}

function unstreamed(): never {
  throw new Error('rows are read in pages: they are not streamed on PostgreSQL, so not here either')
}

const unused = () => Promise.reject(new Error('transactions are begun by `transaction` of the open database'))

/** Never asked for a connection: whoever asks has one. */
const driver: Driver = {
  init: () => Promise.resolve(),
  acquireConnection: unused,
  releaseConnection: unused,
  destroy: () => Promise.resolve(),
  beginTransaction: unused,
  commitTransaction: unused,
  rollbackTransaction: unused,
}
