import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { type Client, versionOf } from './client.ts'

/** Where clients are installed, each at its version; never in the project. */
const FOLDER = process.env['COMMONS_TOOLS'] ?? join(tmpdir(), 'commons-tools')
/** Milliseconds. */
const MAX_INSTALL = 1_200_000

/** Programs find this Node first: some clients need a newer one than the machine may have. */
const PATH = [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter)

export type Installed = { folder: string; path: string }

/** Installs a client from its registry unless it is there. */
export function installed(client: Client): Installed {
  const folder = join(FOLDER, `${client.tool.id}-${versionOf(client)}`)
  const done = join(folder, 'installed')
  if (!existsSync(done)) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    for (const [program, ...parameters] of steps(client, folder)) run(program, parameters)
    writeFileSync(done, '')
  }
  const programs = client.registry === 'npm' ? join(folder, 'node_modules/.bin') : join(folder, 'bin')
  return { folder, path: [programs, PATH].join(delimiter) }
}

type Step = readonly [string, ...string[]]

const steps = ({ registry, packages }: Client, folder: string): Step[] =>
  registry === 'npm'
    ? [['npm', 'install', '--no-audit', '--no-fund', '--prefix', folder, ...packages]]
    : [
        ['python3', '-m', 'venv', folder],
        [join(folder, 'bin/pip'), 'install', '--quiet', ...packages.map(each => each.replace('@', '=='))],
      ]

function run(program: string, parameters: string[]): void {
  console.error(`${program} ${parameters.join(' ')}`)
  const { status, stderr } = spawnSync(program, parameters, {
    env: { ...process.env, PATH },
    timeout: MAX_INSTALL,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${program} ended with ${status}:\n${stderr}`)
}
