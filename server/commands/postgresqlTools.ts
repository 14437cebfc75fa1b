import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { reasonOf } from '#server/foundation/databaseErrors.ts'
import { writeAtomically } from '#server/foundation/fileSystem.ts'
import { CommandFailure, type Terminal } from './command.ts'

const DUMP = ['--format=custom', '--no-owner', '--no-privileges']

/** Runs pg_dump where it is installed; otherwise says what to run. */
export async function dumpPostgresql(database_url: string, to: string, { env }: Terminal): Promise<void> {
  try {
    await writeAtomically(to, beside =>
      run('pg_dump', [...DUMP, `--file=${beside}`], { ...env, ...connectionOf(database_url) }),
    )
  } catch (cause) {
    if (cause instanceof CommandFailure) throw cause
    throw new CommandFailure(
      cause instanceof ToolMissing
        ? `pg_dump is not installed here. Where it is: pg_dump ${DUMP.join(' ')} --file=${to} --dbname="$DATABASE_URL"`
        : `${to} cannot be written: ${reasonOf(cause)}`,
    )
  }
}

/**
 * The command that restores a dump. It is only printed: overwriting a database is its administrator's decision. It
 * reads the whole dump before it empties the database: with `pg_restore --clean` tables of a newer schema would stay,
 * and keep those from going that they refer to.
 */
export function restoreLine(from: string): string {
  return [
    `pg_restore --file=/dev/null ${from}`,
    `psql "$DATABASE_URL" --command='drop schema public cascade; create schema public'`,
    `pg_restore --no-owner --single-transaction --dbname="$DATABASE_URL" ${from}`,
  ].join(' && ')
}

class ToolMissing extends Error {}

async function run(tool: string, given: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(tool, given, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.on('data', chunk => {
    errors += String(chunk)
  })
  const code: unknown = await once(child, 'close').then(
    ([ended]: unknown[]) => ended,
    (cause: unknown) => {
      throw cause instanceof Error && 'code' in cause && cause.code === 'ENOENT' ? new ToolMissing(tool) : cause
    },
  )
  if (code === 0) return
  const isOlder = errors.includes('server version mismatch')
  throw new CommandFailure(
    `${tool} failed: ${errors.trim() || `it ended with ${String(code)}`}` +
      (isOlder ? `\nIt has to be of the server's version or newer: install that, or run it on the server.` : ''),
  )
}

/** The connection as environment variables: everybody on the machine can read arguments. */
function connectionOf(database_url: string): NodeJS.ProcessEnv {
  const { hostname, port, username, password, pathname, searchParams } = new URL(database_url)
  return {
    PGHOST: searchParams.get('host') ?? decodeURIComponent(hostname),
    ...(port && { PGPORT: port }),
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
    ...Object.fromEntries(
      Object.entries(TLS).flatMap(([parameter, variable]) => {
        const value = searchParams.get(parameter)
        // Only the portal's client knows no-verify: encrypted, whoever it is.
        return value === null ? [] : [[variable, value === 'no-verify' ? 'require' : value]]
      }),
    ),
  }
}

/** What an address says of TLS, and the variables of pg_dump for it. */
const TLS = { sslmode: 'PGSSLMODE', sslrootcert: 'PGSSLROOTCERT', sslcert: 'PGSSLCERT', sslkey: 'PGSSLKEY' }
