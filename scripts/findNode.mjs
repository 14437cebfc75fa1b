// Plain JavaScript: whatever Node the machine has (20 or later) must be able to read this file.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The oldest Node that runs our TypeScript as it is and has node:sqlite without a warning. */
export const OLDEST_NODE = [24, 15]

const modules = fileURLToPath(new URL('../node_modules/', import.meta.url))

/** A Node new enough for the code: this one, or the one npm brought along. Undefined when there is neither. */
export function findNode(version = process.versions.node, platform = process.platform, arch = process.arch) {
  if (isNewEnough(version)) return process.execPath
  return broughtByNpm(platform, arch).find(runs)
}

/** One line for a person whose machine has no suitable Node. */
export function nodeIsMissing(version = process.versions.node, platform = process.platform, arch = process.arch) {
  const brought = broughtByNpm(platform, arch).find(path => existsSync(path))
  const { why, remedy } =
    brought === undefined
      ? { why: `npm brought none for ${platform}-${arch} (run "npm ci" without --omit=optional)`, remedy: NEWER_NODE }
      : explained(complaintOf(brought))
  return `Chat Commons needs Node ${OLDEST_NODE.join('.')} or later; this is ${version}, and ${why}. ${remedy}`
}

const NEWER_NODE = 'A newer Node from https://nodejs.org will do as well.'

/** Why the Node that npm brought does not start, and what helps: a bare system lacks a library that the package manager has. */
export function explained(complaint) {
  const [, library, version] = /(lib[\w+]+)\.so\.(\d+): cannot open/.exec(complaint) ?? []
  if (library === undefined) return { why: `the one npm brought does not start (${complaint})`, remedy: NEWER_NODE }
  return {
    why: `the one npm brought needs the library ${library}, which this system lacks`,
    remedy: `Install it (Debian and Ubuntu: "apt-get install ${library.replace('_', '-')}${version}", Fedora: "dnf install ${library}"), then start again.`,
  }
}

export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])
}

/** Where the packages named in optionalDependencies keep their binary. */
export function broughtByNpm(platform, arch) {
  const binary = platform === 'win32' ? 'bin/node.exe' : 'bin/node'
  const system = platform === 'win32' ? 'win' : platform
  return [`node-${system}-${arch}`, `node-bin-${system}-${arch}`].map(name => `${modules}${name}/${binary}`)
}

// Tries it, because on Alpine a binary made for glibc is installed as well but does not start.
function runs(path) {
  if (!existsSync(path)) return false
  const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' })
  return status === 0 && isNewEnough(stdout.trim().replace('v', ''))
}

function complaintOf(path) {
  const { error, stderr } = spawnSync(path, ['--version'], { encoding: 'utf8' })
  return error?.message ?? stderr.trim().split('\n')[0]
}
