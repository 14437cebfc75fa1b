import { readdir, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { CredentialState } from '#contract/configuration/credentials.ts'
import type { UnreadableKey } from '#contract/status.ts'
import { ConfigurationError } from '#server/foundation/configurationError.ts'
import { reasonOf } from '#server/foundation/databaseErrors.ts'
import { isMissing } from '#server/foundation/fileSystem.ts'
import { newId } from '#server/foundation/ids.ts'
import { storageRefusalOf } from '#server/foundation/refusal.ts'
import { openSecretBox, type SecretBox } from '#server/foundation/secrets.ts'
import { type Finding, good, wrong } from '#server/foundation/finding.ts'

/** Bytes. With less free, the database may soon be unable to write. */
const LEAST_FREE = 1024 ** 3

const PRIVATE_FILES = /^(?:commons\.sqlite.*|secret\.key)$/

export async function checkDataFolder(data_dir: string): Promise<Finding[]> {
  const path = resolve(data_dir)
  try {
    if (!(await stat(path)).isDirectory())
      return [wrong('data folder', `${path} is not a folder`, 'Set data.data_dir (COMMONS_DATA_DATA_DIR) to a folder.')]
  } catch (cause) {
    if (isMissing(cause)) return [good('data folder', `${path} is not there yet; the first start makes it`)]
    return [wrong('data folder', `${path} cannot be looked at: ${reasonOf(cause)}`, remedyOf(cause, path))]
  }
  return [await checkWriting(path), await checkModes(path), await checkSpace(path)]
}

async function checkWriting(path: string): Promise<Finding> {
  const probe = join(path, `.doctor-${newId()}`)
  try {
    await writeFile(probe, 'x', { flag: 'wx', mode: 0o600 })
    return good('data folder', `${path} can be written`)
  } catch (cause) {
    return wrong('data folder', `${path} cannot be written: ${reasonOf(cause)}`, remedyOf(cause, path))
  } finally {
    await rm(probe, { force: true })
  }
}

/** What helps where the folder cannot be used for that reason. */
export function remedyOf(cause: unknown, path: string): string {
  switch (storageRefusalOf(cause)?.key) {
    case 'diskFull':
      return `Make room on the disk of ${path}.`
    case 'diskNotWritable':
      return `Make ${path} writable: its file system may be mounted read-only.`
    default:
      return `Give the folder to the user that runs the portal, and run this as the same user: chown -R <user> ${path}`
  }
}

/** Windows has no such file modes. */
async function checkModes(path: string): Promise<Finding> {
  if (process.platform === 'win32') return good('privacy', 'not looked at on Windows')
  const names = (await readdir(path)).filter(name => PRIVATE_FILES.test(name))
  const open: string[] = []
  for (const each of [path, ...names.map(name => join(path, name))]) {
    if (((await stat(each)).mode & 0o077) !== 0) open.push(each)
  }
  return open.length === 0
    ? good('privacy', 'nobody else on this machine may read the data')
    : wrong('privacy', `others on this machine may read ${open.join(', ')}`, `chmod go= ${open.join(' ')}`)
}

async function checkSpace(path: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(path)
  const free = bavail * bsize
  const shown = `${(free / 1024 ** 3).toFixed(1)} GiB free`
  return free >= LEAST_FREE
    ? good('disk', shown)
    : wrong(
        'disk',
        `only ${shown}`,
        `Make room on the disk of ${path}; below 1 GiB the database may soon be unable to write.`,
      )
}

/** Checks the key that seals stored secrets. The first start creates it. */
export function checkSecretKey(data_dir: string, env: NodeJS.ProcessEnv): { finding: Finding; box: SecretBox | null } {
  try {
    return { finding: good('secret key', 'can be read'), box: openSecretBox(data_dir, env) }
  } catch (cause) {
    if (!(cause instanceof ConfigurationError)) throw cause
    const mend = 'Put the key back from where it is kept. If it is lost, remove the file and enter the API keys again.'
    return { finding: wrong('secret key', cause.message, mend), box: null }
  }
}

/** One that was entered for another address is worse than none: everything looks right and no ask is answered. */
export function checkStoredKey(state: CredentialState | undefined): Finding[] {
  if (state?.origin !== 'stored' || state.set || state.unreadable) return []
  return [
    wrong(
      'stored key',
      `the API key was entered for ${state.kept_for ?? 'another address'}, and is not used`,
      'Enter it again on the administrators’ page.',
    ),
  ]
}

const CANNOT_BE_OPENED = 'cannot be opened with the present secret key, so nothing is asked in its place'
const PUT_BACK = 'Put the secret key of the backup back (secret.key, COMMONS_SECRET_KEY)'

/** A finding for each. */
export function checkUnreadableKeys(keys: readonly UnreadableKey[]): Finding[] {
  return keys.map(key => {
    switch (key.of) {
      case 'settings':
        return wrong(
          'stored key',
          `${key.name} of the settings ${CANNOT_BE_OPENED}`,
          `${PUT_BACK}, or enter it again on the administrators’ page.`,
        )
      case 'account':
        return wrong(
          'stored key',
          `the key of the account ${key.label} (${key.id}) ${CANNOT_BE_OPENED}`,
          `${PUT_BACK}, or enter it again on the administrators’ page.`,
        )
      case 'user':
        return wrong(
          'stored key',
          `the key of ${key.username} for an endpoint of their own ${CANNOT_BE_OPENED}`,
          `${PUT_BACK}, or let them enter it again in their profile.`,
        )
    }
  })
}
