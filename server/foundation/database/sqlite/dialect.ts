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
import { writesWithCommit } from '../sendWithCommit.ts'
import { ownTransaction } from '../ownTransaction.ts'
import type { Database, TransactionOptions, Tables, Work } from '../schema.ts'
import type { SqliteFile } from './connection.ts'
import type { GroupCommit } from './groupCommit.ts'

const PLUGINS = [jsonColumns]

/** A connection that writes, and commits in groups; and one that only reads what was committed while the other is in a transaction. */
export type Connections = { file: SqliteFile; reader: SqliteFile; groupCommit: GroupCommit }

/** Kysely on them: queries of their own, and transactions, which share commits. */
export function sqliteDialect({ file, reader, groupCommit }: Connections) {
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

  const database: Database = new Kysely<Tables>(on(new Queries({ file, reader, groupCommit }, own.requireOutside)))

  return {
    database,
    async transaction<T>(work: Work<T>, { lowPriority }: TransactionOptions = {}): Promise<T> {
      own.requireOutside()
      return groupCommit.write(
        () =>
          own.inside(async isOver => {
            const { sendWithCommit, writes } = writesWithCommit()
            const result = await work(
              new KyselyTransaction<Tables>(on(new Steps(file, groupCommit, isOver))),
              sendWithCommit,
            )
            await Promise.all(writes)
            return result
          }),
        lowPriority,
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
    const { file, reader, groupCommit } = this.#connections
    if (file.prepare(query.sql).writes) return groupCommit.write(async () => answered<R>(file, query))
    // The one that writes knows what it wrote; the other one reads it anew after each write.
    return answered<R>(file.isInTransaction() ? reader : file, query)
  }

  streamQuery = unstreamed
}

/** The queries of one transaction. */
class Steps implements DatabaseConnection {
  readonly #file: SqliteFile
  readonly #groupCommit: GroupCommit
  readonly #isOver: () => boolean

  constructor(file: SqliteFile, groupCommit: GroupCommit, isOver: () => boolean) {
    this.#file = file
    this.#groupCommit = groupCommit
    this.#isOver = isOver
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    for (let rest = this.#groupCommit.rest(); rest !== null; rest = this.#groupCommit.rest()) await rest
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

const unused = () => Promise.reject(new Error('transactions are started with `transaction` of the open database'))

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
