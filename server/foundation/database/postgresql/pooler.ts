import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { DatabaseUnusable, reasonOf } from '../../databaseErrors.ts'

/**
 * How often the first connection looks for what it has set: a pooler may hand out its connections in turn, or at
 * random.
 */
const LOOKS = 4
const MARK = 'chat_commons.session'

const REMEDY =
  'Give DATABASE_URL the address of PostgreSQL itself (at hosted ones the direct connection), or of a pool in session mode ' +
  '(PgBouncer, pgcat and Odyssey: pool_mode = session; Supavisor: the port of session mode).'

/**
 * Refuses a pooler that gives each transaction or statement whatever connection of the server is free. Sessions are
 * needed: for prepared queries, for LISTEN, and for time limits. Such a pooler is known by what it does, since it calls
 * itself PostgreSQL: what one connection sets is gone there a moment later, or seen by another one. Gives the two
 * connections to the pool as `begin` leaves them.
 */
export async function requireSession(
  connect: () => Promise<pg.PoolClient>,
  begin: (client: pg.PoolClient) => Promise<unknown>,
): Promise<void> {
  const own = randomUUID()
  await using(connect, async one => {
    await mark(one, own)
    for (let look = 0; look < LOOKS; look++) if ((await markOf(one)) !== own) throw transactionMode()
    await using(connect, async other => {
      // A transaction takes the connection that is free, which is the one that was just used. With a real session it
      // has its own.
      await other.query('begin').catch(withoutTransactions)
      if ((await markOf(other)) === own) throw transactionMode()
      await other.query('rollback')
      await begin(other)
    })
    await mark(one, '')
    await begin(one)
  })
}

async function using(
  connect: () => Promise<pg.PoolClient>,
  work: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const client = await connect()
  try {
    await work(client)
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
}

const mark = (client: pg.PoolClient, value: string) => client.query('select set_config($1, $2, false)', [MARK, value])

async function markOf(client: pg.PoolClient): Promise<string | null> {
  const { rows } = await client.query<{ mark: string | null }>('select current_setting($1, true) as mark', [MARK])
  return rows[0]?.mark ?? null
}

const transactionMode = () =>
  new DatabaseUnusable('a pooler in transaction mode is in between, which has no sessions', { remedy: REMEDY })

function withoutTransactions(cause: unknown): never {
  if (!/transaction|statement pool/i.test(reasonOf(cause))) throw cause
  const what = `a pooler in statement mode is in between, which takes no transactions (${reasonOf(cause)})`
  throw new DatabaseUnusable(what, { cause, remedy: REMEDY })
}

/** What the address of a database looks like, for whoever has to write one. */
const FORM =
  'DATABASE_URL is postgres://<user>:<password>@<host>:<port>/<database>; in a password @ is written %40, : %3A, / %2F, # %23, ? %3F and % %25.'

type Named = { user: string; database: string }

/** What helps, by the code of the error: of PostgreSQL, of the network, of TLS. */
const BY_CODE: Record<string, (named: Named) => string> = {
  '28P01': () => `Look at user and password. ${FORM}`,
  '28000': () => 'See that the role may log in, and that pg_hba.conf of the server lets it connect from here.',
  '3D000': named => `An administrator of PostgreSQL makes it: ${createdb(named)}`,
  '42501': ({ user, database }) =>
    `The role has to own the database: alter database "${database}" owner to "${user}", by an administrator of PostgreSQL.`,
  '53300': () => 'Each process of the portal takes up to 11 connections: raise max_connections of the server.',
  '57P03': () => 'The server is starting or stopping: start the portal again in a moment.',
  ECONNREFUSED: () => 'See that PostgreSQL runs and listens there. DATABASE_URL has its host and port.',
  ENOTFOUND: () => `There is no such host. ${FORM}`,
  EINVAL: () => FORM,
  ERR_INVALID_URL: () => FORM,
  SELF_SIGNED_CERT_IN_CHAIN: certificate,
  DEPTH_ZERO_SELF_SIGNED_CERT: certificate,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: certificate,
}

/** What a server or a pooler has answered, where its code says too little. */
const ANSWERED: [RegExp, (found: RegExpExecArray) => string][] = [
  [
    /unsupported startup parameter(?: in options)?: "?([\w.]+)/i,
    ([, name]) =>
      `A pooler is in between, and takes no parameter ${name}: leave it out of DATABASE_URL, or have the pooler ignore it (PgBouncer: ignore_startup_parameters = ${name}).`,
  ],
  [
    /unrecognized configuration parameter "([^"]+)"|(?:invalid value for|permission denied to set) parameter "([^"]+)"/,
    ([, one, other]) => `DATABASE_URL sets ${one ?? other} in its options: correct it, or leave it out.`,
  ],
  [/tenant or user not found/i, () => 'The pooler knows nobody of that name: hosted ones want <role>.<project>.'],
  [/no such database/i, () => `The pooler has no database of that name in its list. ${FORM}`],
  [
    /max(?:imum)? client connections|max_client_conn|query_wait_timeout|too many (?:clients|connections)/i,
    () => 'Each process of the portal takes up to 11 connections at once: let the pooler, or the server, have more.',
  ],
]

/** The same where the client gives no code, and nothing has answered. */
const BY_WORDS: [RegExp, string][] = [
  [/password must be/, `The server wants a password, and there is none. ${FORM}`],
  [/timeout|terminated/, 'See that no firewall is in between. DATABASE_URL has the host and port of the server.'],
  [/not support SSL/, 'Let the server use TLS, or leave sslmode out of DATABASE_URL.'],
]

/** What to do about a server that cannot be used; null where nobody knows. */
export function remedyOf(cause: unknown, url: string): string | null {
  const error: unknown = cause instanceof AggregateError ? cause.errors[0] : cause
  if (!(error instanceof Error)) return null
  const code = 'code' in error ? String(error.code) : ''
  // Only what a server has said has a severity.
  if ('severity' in error) return remedyOfAnswer(error.message) ?? BY_CODE[code]?.(namedBy(url)) ?? null
  return BY_CODE[code]?.(namedBy(url)) ?? BY_WORDS.find(([words]) => words.test(error.message))?.[1] ?? null
}

function remedyOfAnswer(message: string): string | null {
  for (const [words, remedy] of ANSWERED) {
    const found = words.exec(message)
    if (found !== null) return remedy(found)
  }
  return null
}

export function remedyOfEncoding(url: string): string {
  const { user, database } = namedBy(url)
  return `Make another one: ${createdb({ user, database: `${database}_utf8` })}`
}

const createdb = ({ user, database }: Named): string =>
  `createdb --owner=${user} --encoding=UTF8 --template=template0 ${database}`

function certificate(): string {
  return 'Name the authority of its certificate in DATABASE_URL: ?sslmode=verify-full&sslrootcert=<file>'
}

function namedBy(url: string): Named {
  const parsed = URL.parse(url)
  const user = read(parsed?.username) || '<user>'
  return { user, database: read(parsed?.pathname.slice(1)) || user }
}

function read(part = ''): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
