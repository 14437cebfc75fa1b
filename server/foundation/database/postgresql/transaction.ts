import { setImmediate } from 'node:timers/promises'
import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  PostgresDriver,
  Transaction as KyselyTransaction,
} from 'kysely'
import { jsonColumns } from '../schema/jsonColumns.ts'
import { type Tables, type Work, writesWithCommit } from '../schema/schema.ts'

/** One connection to the server, used by one transaction at a time. */
export type Client = {
  query(sql: string, parameters: readonly unknown[]): Promise<Answer>
  release(destroy?: boolean): void
}
export type Answer = { command: string; rowCount: number | null; rows: Record<string, unknown>[] }

/**
 * Pipelined transactions: queries started in the same macrotask are sent together, `begin` with the first of them, and
 * answered in order. Kysely's own transactions send one query after the other.
 */
export function postgresqlTransactions(dialect: Dialect, connect: () => Promise<Client>) {
  const adapter = dialect.createAdapter()
  const compiler = dialect.createQueryCompiler()
  // Never used for a connection: the transaction has one.
  const driver = new PostgresDriver({ pool: () => Promise.reject(new Error('a transaction has its connection')) })

  return async <T>(work: Work<T>): Promise<T> => {
    const client = await connect()
    const connection = new TransactionConnection(client)
    const provider = {
      provideConnection: <R>(consumer: (given: DatabaseConnection) => Promise<R>) => consumer(connection),
    }
    const executor = new DefaultQueryExecutor(compiler, adapter, provider, [jsonColumns])
    const began = client.query('begin', [])
    began.catch(() => undefined) // awaited below; the first query reports it too
    try {
      const { sendWithCommit, writes } = writesWithCommit()
      const result = await work(
        new KyselyTransaction<Tables>({ config: { dialect }, driver, dialect, executor }),
        sendWithCommit,
      )
      // After the next macrotask all queries started before are on their way.
      if (writes.length > 0) await setImmediate()
      connection.isOver = true
      const committed = client.query('commit', [])
      const [{ command }] = await Promise.all([committed, began, ...writes])
      if (command === 'ROLLBACK') throw new Error('a query of this transaction had failed: nothing of it was kept')
      client.release()
      return result
    } catch (error) {
      connection.isOver = true
      // Sent behind the queries that are still on their way.
      await client.query('rollback', []).then(
        () => client.release(),
        () => client.release(true),
      )
      throw error
    }
  }
}

class TransactionConnection implements DatabaseConnection {
  readonly #client: Client
  #failure: { error: unknown } | null = null
  isOver = false

  constructor(client: Client) {
    this.#client = client
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery) {
    if (this.isOver) throw new Error('this transaction is over')
    const { command, rowCount, rows } = await this.#client.query(sql, parameters).catch((error: unknown) => {
      // The queries behind it fail because of it, so they get its error.
      this.#failure ??= { error }
      throw this.#failure.error
    })
    const changed = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE'
    // the query says what its rows are
    return { rows: rows as R[], ...(changed && { numAffectedRows: BigInt(rowCount ?? 0) }) }
  }

  streamQuery(): never {
    throw new Error('rows are read in pages, not streamed')
  }
}
