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
import { AsyncLocalStorage } from 'node:async_hooks'
import { encodeParameter } from '../schema/codec.ts'
import { jsonColumns } from '../schema/jsonColumns.ts'
import {
  type Database,
  type OnStatement,
  type Tables,
  type TransactionOptions,
  type Work,
  writesWithCommit,
} from '../schema/schema.ts'
import type { SqliteFile } from './connection.ts'
import type { GroupCommit } from './groupCommit.ts'
import type { SqliteWorker } from './worker.ts'

const PLUGINS = [jsonColumns]

/** Milliseconds that a heavy read may take, as on PostgreSQL (`statement_timeout`). */
const MAX_READ = 10_000

type Dependencies = { file: SqliteFile; groupCommit: GroupCommit; worker: SqliteWorker; onStatement: OnStatement }

/**
 * Kysely on one connection: queries of their own, transactions, which share commits, and heavy reads, on the worker's
 * connection.
 */
export function sqliteDialect({ file, groupCommit, worker, onStatement }: Dependencies) {
  const own = ownTransaction()
  const adapter = new SqliteAdapter()
  const compiler = new SqliteQueryCompiler()
  const dialect: Dialect = {
    createAdapter: () => adapter,
    createDriver: () => driver,
    createQueryCompiler: () => compiler,
    createIntrospector: database => new SqliteIntrospector(database),
  }

  /**
   * An executor that uses the connection directly. Kysely would take one from a pool for each query, which costs five
   * promises.
   */
  function on(executeQuery: DatabaseConnection['executeQuery']): KyselyProps {
    const connection: DatabaseConnection = { executeQuery, streamQuery: unstreamed }
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

  const database: Database = new Kysely<Tables>(
    on(async query => {
      own.requireOutside()
      const run = () => answered<never>(file, query)
      return file.prepare(query.sql).writes ? groupCommit.write(async () => run()) : groupCommit.read(run)
    }),
  )

  const readOnly: Database = new Kysely<Tables>(
    on(async ({ sql, parameters }) => {
      own.requireOutside()
      onStatement(sql)
      const task = { kind: 'read', sql, parameters: parameters.map(encodeParameter) } as const
      return { rows: (await worker.run(task, MAX_READ)) as never[] } // workerThread.ts answers so
    }),
  )

  return {
    database,
    readOnly: () => readOnly,
    async transaction<T>(work: Work<T>, { lowPriority }: TransactionOptions = {}): Promise<T> {
      own.requireOutside()
      return groupCommit.write(
        () =>
          own.inside(async isOver => {
            const { sendWithCommit, writes } = writesWithCommit()
            const queries = on(inTransaction(file, isOver))
            const result = await work(new KyselyTransaction<Tables>(queries), sendWithCommit)
            await Promise.all(writes)
            return result
          }),
        lowPriority,
      )
    },
  }
}

/** The queries of one transaction. */
function inTransaction(file: SqliteFile, isOver: () => boolean): DatabaseConnection['executeQuery'] {
  let failure: { error: unknown } | null = null
  return async query => {
    if (isOver()) throw new Error('this transaction is over')
    // A full disk ends a transaction. What was asked together with the query that failed would be committed by itself.
    if (failure !== null && !file.isInTransaction()) throw failure.error
    try {
      return answered(file, query)
    } catch (error) {
      failure ??= { error }
      throw error
    }
  }
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

const MISTAKE =
  'inside a transaction, queries go through it: a query on the database itself and the transaction would wait for each other'

/**
 * SQLite has one connection, which the transaction holds until its end. Without this check, a forgotten `trx` would
 * stop every query of the program for ever.
 */
function ownTransaction() {
  const running = new AsyncLocalStorage<{ over: boolean }>()
  return {
    requireOutside(): void {
      if (running.getStore()?.over === false) throw new Error(MISTAKE)
    },
    /** Work that the transaction starts without awaiting it may use the database once the transaction is over. */
    async inside<T>(work: (isOver: () => boolean) => Promise<T>): Promise<T> {
      const state = { over: false }
      try {
        return await running.run(state, () => work(() => state.over))
      } finally {
        state.over = true
      }
    },
  }
}
