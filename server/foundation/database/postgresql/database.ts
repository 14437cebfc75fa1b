import { setTimeout, setImmediate } from 'node:timers/promises'
import {
  Kysely,
  PostgresDialect,
  type PostgresPoolClient,
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  PostgresDriver,
  Transaction as KyselyTransaction,
} from 'kysely'
import pg from 'pg'
import { DatabaseUnreachable, DatabaseUnusable, reasonOf } from '../../databaseErrors.ts'
import { decodeJson, encodeParameter, isJsonColumn } from '../schema/codec.ts'
import { jsonColumns } from '../schema/jsonColumns.ts'
import { nameOf } from '../schema/prepared.ts'
import {
  type OnStatement,
  type OpenDatabase,
  type Database,
  type Tables,
  type Work,
  writesWithCommit,
} from '../schema/schema.ts'
import { requireSession, remedyOf, remedyOfEncoding } from './pooler.ts'
import { rewriteTables } from './rewriting.ts'

const OLDEST_POSTGRESQL = 150_000
const UNIQUE_VIOLATION = '23505'

/** Serialization failure and deadlock: the same work done again may well succeed. */
const MAY_SUCCEED_LATER = new Set(['40001', '40P01'])
const MAX_ATTEMPTS = 5

/** bigint and numeric arrive as text otherwise: counts, sums and times are numbers here. */
const NUMBER_TYPES = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC])

/** Opens a pool of connections and makes sure that the server can be used at all. */
export async function openPostgresql(url: string, onStatement: OnStatement): Promise<OpenDatabase> {
  let isSession = false
  const pool = openPool(url, client => (isSession ? limitTime(client) : undefined))
  try {
    await requireUsable(pool, url)
    await requireSession(() => pool.connect(), limitTime)
    isSession = true
  } catch (cause) {
    await pool.end()
    const remedy = cause instanceof DatabaseUnusable ? cause.remedy : remedyOf(cause, url)
    const what = cause instanceof DatabaseUnusable ? cause.what : reasonOf(cause)
    throw new DatabaseUnusable(`${addressOf(url)} cannot be used: ${what}`, { cause, remedy })
  }
  const connect = codedClients(pool, onStatement)
  const dialect = new PostgresDialect({ pool: { options: pool.options, end: () => pool.end(), connect } })
  const database: Database = new Kysely<Tables>({ dialect, plugins: [jsonColumns] })
  const transaction = postgresqlTransactions(dialect, connect)
  return {
    database,
    readOnly: () => database,
    engine: 'postgresql',
    transaction: work => again(() => transaction(work)),
    isUniqueViolation: error => codeOf(error) === UNIQUE_VIOLATION,
    check: async () => {
      await pool.query('select 1').catch(asUnreachable)
    },
    backup: () => Promise.reject(new Error('a PostgreSQL database is backed up with its own tools: pg_dump')),
    overwriteDeleted: () => rewriteTables(pool),
    close: () => pool.end(),
    url,
  }
}

/** Without the user and the password. */
function addressOf(url: string): string {
  const parsed = URL.parse(url)
  return parsed
    ? `PostgreSQL at ${parsed.hostname || 'localhost'}:${parsed.port || 5432}${parsed.pathname}`
    : 'the PostgreSQL of data.database_url (DATABASE_URL)'
}

/**
 * Milliseconds. By a query: as parameters of the connection poolers refuse them. Nothing is set before it is known that
 * there is a session, since a pooler might give it to others.
 */
const TIME_LIMITS = `select set_config('statement_timeout', '10000', false), set_config('lock_timeout', '3000', false),
  set_config('idle_in_transaction_session_timeout', '30000', false)`

const limitTime = (client: pg.ClientBase): Promise<unknown> => client.query(TIME_LIMITS)

function openPool(url: string, onConnect: (client: pg.ClientBase) => Promise<unknown> | undefined): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'chat-commons',
    max: 10,
    keepAlive: true,
    pipeline: true, // queries of a transaction that do not wait for each other travel together
    connectionTimeoutMillis: 5_000,
    onConnect, // waited for, though its type does not say so
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        NUMBER_TYPES.has(oid) ? Number : pg.types.getTypeParser(oid, format ?? 'text'),
    },
  })
  // Without these two, a restart of the server would end this process. The running query fails anyway, and the pool
  // makes a new connection for the next one.
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
  return pool
}

async function requireUsable(pool: pg.Pool, url: string): Promise<void> {
  const { rows } = await pool.query<{ version: string; encoding: string }>(
    `select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding`,
  )
  const found = rows[0]
  if (Number(found?.version) < OLDEST_POSTGRESQL) throw new DatabaseUnusable('PostgreSQL 15 or newer is needed')
  if (found?.encoding !== 'UTF8')
    throw new DatabaseUnusable(`the database is encoded in ${found?.encoding}, not in UTF8`, {
      remedy: remedyOfEncoding(url),
    })
}

/** Connections of the pool that encode parameters and decode rows. */
function codedClients(pool: pg.Pool, onStatement: OnStatement) {
  const coded = new WeakMap<pg.PoolClient, PostgresPoolClient & Client>()
  return async () => {
    const client = await pool.connect().catch(asUnreachable)
    const known = coded.get(client) ?? codedClient(client, onStatement)
    coded.set(client, known) // Kysely knows its connections by this object
    return known
  }
}

function codedClient(client: pg.PoolClient, onStatement: OnStatement): PostgresPoolClient & Client {
  const query = async (text: string, parameters: readonly unknown[]) => {
    onStatement(text)
    const name = nameOf(text)
    const values = parameters.map(encodeParameter)
    const result = await client
      .query<Record<string, unknown>>({ text, values, ...(name !== undefined && { name }) })
      .catch(asUnreachable)
    for (const { name: column } of result.fields ?? []) {
      if (isJsonColumn(column)) for (const row of result.rows) row[column] = decodeJson(row[column])
    }
    return result
  }
  return {
    // The type has an overload for cursors, which Kysely calls only when a cursor class is configured.
    query: query as unknown as PostgresPoolClient['query'] & Client['query'],
    release: destroy => client.release(destroy),
  }
}

/**
 * PostgreSQL: connection exceptions, too many connections, and a server that starts, stops or has ended the connection.
 */
const UNREACHABLE = /^(08|53300|57P0[123])/

/**
 * Throws an error of the server as it is, and anything else - the connection was lost, or could not be made - as what
 * it is.
 */
function asUnreachable(cause: unknown): never {
  if (cause instanceof pg.DatabaseError && !UNREACHABLE.test(cause.code ?? '')) throw cause
  throw new DatabaseUnreachable(`the database cannot be reached: ${reasonOf(cause)}`, { cause })
}

/** Repeats a transaction that lost against another one, a little later each time. */
async function again<T>(unit: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await unit()
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !MAY_SUCCEED_LATER.has(codeOf(error))) throw error
      await setTimeout(Math.random() * 20 * 2 ** attempt)
    }
  }
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** One connection to the server, used by one transaction at a time. */
type Client = {
  query(sql: string, parameters: readonly unknown[]): Promise<Answer>
  release(destroy?: boolean): void
}
type Answer = { command: string; rowCount: number | null; rows: Record<string, unknown>[] }

/**
 * Pipelined transactions: queries started in the same macrotask are sent together, `begin` with the first of them, and
 * answered in order. Kysely's own transactions send one query after the other.
 */
function postgresqlTransactions(dialect: Dialect, connect: () => Promise<Client>) {
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
