import { readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { dirname, resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { Credentials } from '#contract/configuration/credentials.ts'
import { variableNames } from '#contract/configuration/declared.ts'
import { ConfigurationError } from '#server/foundation/configurationError.ts'
import { isTimeZone } from './rules.ts'
import { type Layer, type Setting, SETTINGS } from './settings.ts'

/** The usable value of a variable; null when there is none. */
type Reading = { text: string | null; warning: string | null }

/**
 * Variables that systems and shells also set for themselves. The portal starts whatever they contain and says what it
 * made of them; our own variables of the same settings are checked strictly.
 */
const SHARED: Record<string, (text: string) => Reading> = {
  TZ: timeZone,
  HOST: host,
}

function readShared(name: string, text: string): Reading {
  return SHARED[name]?.(text) ?? { text, warning: null }
}

function timeZone(text: string): Reading {
  if (isTimeZone(text)) return { text, warning: null }
  const zone = zoneOfVariable(text)
  const is = `TZ is ${JSON.stringify(text)}`
  return zone === null
    ? {
        text: null,
        warning: `${is}, which names no time zone, and is ignored: UTC counts, unless portal.time_zone is set. Name one such as Asia/Shanghai.`,
      }
    : { text: zone, warning: `${is}, which is read as ${zone}. Name a zone such as Asia/Shanghai if another is meant.` }
}

/** A host name is never looked up: shells set it, and its address may be public. */
function host(text: string): Reading {
  if (text === 'localhost' || isOwnAddress(text)) return { text, warning: null }
  return {
    text: null,
    warning:
      `HOST is ${JSON.stringify(text)}, which is no address of this machine, and is ignored: http.host counts, 127.0.0.1 unless it is set.` +
      ' Write an address, such as 0.0.0.0 for all of them; COMMONS_HTTP_HOST is taken as it is.',
  }
}

function isOwnAddress(text: string): boolean {
  if (isIP(text) === 0) return false
  const address = ipaddr.process(text)
  if (['unspecified', 'loopback'].includes(address.range())) return true
  const own = Object.values(networkInterfaces()).flatMap(each => each ?? [])
  return own.some(
    each => ipaddr.process(each.address).toNormalizedString() === withoutZone(address.toNormalizedString()),
  )
}

/** A link-local address without its interface. */
const withoutZone = (address: string) => address.split('%', 1)[0]

const ZONES = '/usr/share/zoneinfo'
/** The zone's name in the path of a zone file, on any system. */
const IN_ZONES = /\/zoneinfo[^/]*\/(?:posix\/|right\/)?(.+)$/

/**
 * The zone for forms of TZ that systems accept and Node does not: a file, a link. null for others, an offset such as
 * UTC+8 among them.
 */
function zoneOfVariable(text: string): string | null {
  const given = text.trim().replace(/^:/, '')
  return isTimeZone(given) ? given : zoneOfFile(given)
}

function zoneOfFile(given: string): string | null {
  const [, zone = ''] = IN_ZONES.exec(linkedTo(resolve(ZONES, given))) ?? []
  return isTimeZone(zone) ? zone : null
}

/** The link exists even where the zone files are not installed. */
function linkedTo(path: string): string {
  for (const read of [realpathSync, readlinkSync]) {
    try {
      return resolve(dirname(path), read(path))
    } catch {
      // tries the next source
    }
  }
  return path
}

/** Kinds that are read as text; others are JSON, except numbers and booleans. */
const TEXTS = ['string', 'enum']
const YES_OR_NO: Record<string, boolean> = { true: true, false: false, 1: true, 0: false }

type ReadEnvironment = {
  layer: Layer
  /** The variable of each setting of the layer, by its path. */
  variables: ReadonlyMap<string, string>
  warnings: string[]
}

/** Settings from the environment. An empty variable is ignored, since compose files often pass such. */
export function readEnvironment(env: NodeJS.ProcessEnv): ReadEnvironment {
  requireKnownNames(env)
  const layer = new Map<string, unknown>()
  const variables = new Map<string, string>()
  const warnings: string[] = []
  for (const setting of SETTINGS) {
    const given = variableNames(setting)
      .map(name => variable(env, name, setting.secret === true))
      .find(each => each !== null)
    if (!given) continue
    const { text, warning } = readShared(given.name, given.text)
    if (warning !== null) warnings.push(warning)
    if (text === null) continue
    layer.set(setting.path, valueOf(setting, text, given.name))
    variables.set(setting.path, given.name)
  }
  return { layer, variables, warnings }
}

/** A variable; for a secret also the content of the file named by `<NAME>_FILE`. */
export function variable(
  env: NodeJS.ProcessEnv,
  name: string,
  isSecret: boolean,
): { text: string; name: string } | null {
  const text = env[name] || null
  const fileName = `${name}_FILE`
  const file = isSecret ? env[fileName] || null : null
  if (text !== null && file !== null)
    throw new ConfigurationError(`${name} and ${fileName}: only one of them may be set`)
  if (file !== null) return { text: contentOf(file, fileName), name: fileName }
  return text === null ? null : { text, name }
}

export const credentialName = (name: string): string => `COMMONS_CREDENTIALS_${name.toUpperCase()}`

function valueOf(setting: Setting, text: string, name: string): unknown {
  const { value, validationError } = setting.parse(plainValue(setting, text, name))
  if (validationError === null) return value
  // A secret is not shown even when it is invalid: it may be a valid secret of something else.
  return setting.secret ? wrong(name, validationError) : wrong(name, validationError, text)
}

function plainValue({ kind }: Setting, text: string, name: string): unknown {
  if (TEXTS.includes(kind)) return text
  if (kind === 'boolean') return YES_OR_NO[text.toLowerCase()] ?? wrong(name, 'neither true nor false', text)
  if (kind === 'number') return /^-?\d+$/.test(text) ? Number(text) : wrong(name, 'not a whole number', text)
  try {
    return JSON.parse(text)
  } catch {
    return wrong(name, 'not JSON; lists are written as ["a","b"], mappings as {"a":"b"}')
  }
}

function wrong(name: string, validationError: string, text?: string): never {
  throw new ConfigurationError(
    `${name}: ${validationError}${text === undefined ? '' : ` (it is ${JSON.stringify(withoutPassword(text))})`}`,
  )
}

/** Replaces name and password in an address, which would otherwise be logged. */
const withoutPassword = (text: string): string => text.replace(/(\/\/)[^/?#]*@/, '$1…@')

/** An empty secret file is refused: without a secret nobody would name a file. */
function contentOf(file: string, name: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  } catch {
    throw new ConfigurationError(`${name}: cannot read ${file}`)
  }
  if (text === '') throw new ConfigurationError(`${name}: ${file} is empty`)
  return text
}

/** Refuses variables with our prefixes that name no setting: they are misspelt and would otherwise be ignored. */
function requireKnownNames(env: NodeJS.ProcessEnv): void {
  const known = new Set(
    SETTINGS.flatMap(setting =>
      variableNames(setting).flatMap(name => (setting.secret ? [name, `${name}_FILE`] : [name])),
    ),
  )
  for (const name of Object.keys(Credentials.shape)) known.add(credentialName(name)).add(`${credentialName(name)}_FILE`)
  const sections = [credentialName(''), ...new Set(SETTINGS.map(({ section }) => `COMMONS_${section.toUpperCase()}_`))]
  const stray = Object.keys(env).find(name => sections.some(section => name.startsWith(section)) && !known.has(name))
  if (stray !== undefined) throw new ConfigurationError(`${stray}: there is no such setting`)
}
