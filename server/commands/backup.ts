import { access, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { reasonOf } from '#server/foundation/databaseErrors.ts'
import { writeAtomically } from '#server/foundation/fileSystem.ts'
import { type Command, CommandFailure, EXIT, type Terminal } from './command.ts'
import { openAsItIs, type PortalStorage, readStorage } from './storage.ts'

export const backup: Command = {
  name: 'backup',
  usage: '<file>',
  summary: 'Writes a complete, checked copy of the database to a new file, also while the portal runs.',
  async run({ words: [given = ''] }, terminal) {
    const to = resolve(given)
    if (await exists(to)) throw new CommandFailure(`${to} is there already. A backup is never written over something.`)
    if (!(await exists(dirname(to)))) throw new CommandFailure(`There is no folder ${dirname(to)}.`)
    const storage = readStorage(terminal)
    if (storage.start.configuration.data.database_url !== null) {
      await dumpPostgresql(storage.start.configuration.data.database_url, to, terminal)
    } else {
      await copySqlite(storage, to)
    }
    terminal.say(`The backup is in ${to} (${(await stat(to)).size} bytes).`)
    sayWhatElse(storage, terminal)
    return EXIT.good
  },
}

/** Copies a database of any schema version: a backup is wanted most before an upgrade. */
async function copySqlite(storage: PortalStorage, to: string): Promise<void> {
  const open = await openAsItIs(storage)
  try {
    await open.backup(to)
  } catch (cause) {
    throw new CommandFailure(reasonOf(cause))
  } finally {
    await open.close()
  }
}

function sayWhatElse({ data_dir }: PortalStorage, { env, say }: Terminal): void {
  const key =
    env['COMMONS_SECRET_KEY'] || env['COMMONS_SECRET_KEY_FILE'] ? 'COMMONS_SECRET_KEY' : resolve(data_dir, 'secret.key')
  say(`Keep ${key} as well, elsewhere: without it the API keys in the backup have to be entered again.`)
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

const DUMP = ['--format=custom', '--no-owner', '--no-privileges']

/** Runs pg_dump where it is installed; otherwise says what to run. */
async function dumpPostgresql(database_url: string, to: string, { env }: Terminal): Promise<void> {
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
