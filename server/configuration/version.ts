import { createHash } from 'node:crypto'
import type { Configuration } from '#contract/configuration/configuration.ts'
import { SETTINGS, valueOf } from './settings.ts'

/** Bytes per digest, enough to tell any two values of a setting apart. */
const DIGEST_BYTES = 6
const DIGEST_LENGTH = 8
/** Characters; versions are much shorter. */
const MAX_LENGTH = 16_384

/** Whether a value is the one that the sender had read; undefined where nothing says what it was. */
export type WasRead = (path: string, value: unknown) => boolean | undefined

/**
 * Encodes what was read, setting by setting, so that any process can compare it later, without server state. Secrets
 * are not included, since they are not read.
 */
export function versionOf(configuration: Configuration): string {
  return SETTINGS.filter(({ secret }) => secret !== true)
    .map(setting => digestOf(setting.path, valueOf(configuration, setting)))
    .join('')
}

/** null when it is not a version, or none was sent. */
export function readVersion(version: unknown): WasRead | null {
  if (
    typeof version !== 'string' ||
    version === '' ||
    version.length > MAX_LENGTH ||
    version.length % DIGEST_LENGTH !== 0
  )
    return null
  const digests = new Set<string>()
  for (let at = 0; at < version.length; at += DIGEST_LENGTH) digests.add(version.slice(at, at + DIGEST_LENGTH))
  return (path, value) => digests.has(digestOf(path, value))
}

/** By the values that the sender had read, in their sections. */
export function readExpected(expected: Readonly<Record<string, unknown>>): WasRead {
  return (path, value) => {
    const [section = '', key = ''] = path.split('.')
    const seen: unknown = Object.getOwnPropertyDescriptor(Object(expected[section]), key)?.value
    return seen === undefined ? undefined : digestOf(path, seen) === digestOf(path, value)
  }
}

function digestOf(path: string, value: unknown): string {
  return createHash('sha256')
    .update(`${path} ${JSON.stringify(value, inOrder)}`)
    .digest()
    .subarray(0, DIGEST_BYTES)
    .toString('base64url')
}

/** Sorts keys, since a form may send them in another order. */
function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
