import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { Configuration } from '#contract/configuration/configuration.ts'
import { Credentials } from '#contract/configuration/credentials.ts'
import { ConfigurationError } from '#server/foundation/configurationError.ts'
import { credentialName, readEnvironment, variable } from './environment.ts'
import { liesIn } from '#server/foundation/fileSystem.ts'
import { assembled, type Layer, settingAt, SETTINGS } from './settings.ts'

type CredentialName = keyof Credentials

/** Short names beside COMMONS_CREDENTIALS_…. */
const SHORT_NAMES: Partial<Record<CredentialName, string>> = { openai_api_key: 'OPENAI_API_KEY' }

/** The configuration before the database is open: everything except stored settings. */
export type StartConfiguration = {
  configuration: Configuration
  file: Layer
  environment: Layer
  /** The environment variable of each setting that has its value from there, by its path. */
  variables: ReadonlyMap<string, string>
  /** From the environment or the file; they cannot be changed on the page. */
  credentials: Record<CredentialName, string | null>
  /** Of those that are from the environment. */
  credentialVariables: Partial<Record<CredentialName, string>>
  /** Settings that are probably mistakes. None prevents the start. */
  warnings: readonly string[]
}

/** Throws a ConfigurationError with the value and its origin. */
export function readStartConfiguration(env: NodeJS.ProcessEnv): StartConfiguration {
  const { layer: environment, variables, warnings } = readEnvironment(env)
  const { data_dir } = assembled([environment]).data
  const { settings: file, credentials: given, path } = readConfigurationFile(env['COMMONS_CONFIG'], data_dir)
  const credentials = requiredCredentials(given, path)
  const credentialVariables: Partial<Record<CredentialName, string>> = {}
  const credential = (name: CredentialName): string | null => {
    const names = [credentialName(name), SHORT_NAMES[name]].filter(each => each !== undefined)
    const found = names.map(each => variable(env, each, true)).find(each => each !== null)
    if (!found) return credentials[name] || null
    credentialVariables[name] = found.name
    return requiredKey(name, found.text, found.name)
  }
  const configuration = assembled([file, environment])
  requireOutside(configuration)
  return {
    configuration,
    file,
    environment,
    variables,
    credentials: {
      openai_api_key: credential('openai_api_key'),
      openai_web_access_token: credential('openai_web_access_token'),
    },
    credentialVariables,
    warnings,
  }
}

/** What is shown of the reverse proxy's log must never be the database, a key or somebody's file. */
function requireOutside({ data, log }: Configuration): void {
  if (log.proxy_log_file === null || !liesIn(log.proxy_log_file, data.data_dir)) return
  throw new ConfigurationError(
    `log.proxy_log_file: ${log.proxy_log_file} lies in the data folder; name a file outside of it`,
  )
}

function requiredCredentials(
  given: Record<string, unknown>,
  path: string | null,
): Partial<Record<CredentialName, string | null>> {
  const credentials: Partial<Record<CredentialName, string | null>> = {}
  for (const [name, value] of Object.entries(given)) {
    const at = `${path}: credentials.${name}`
    if (!isCredential(name)) throw new ConfigurationError(`${at}: there is no such credential`)
    if (value !== null && typeof value !== 'string') throw new ConfigurationError(`${at}: not a text`)
    credentials[name] = requiredKey(name, value, at)
  }
  return credentials
}

const isCredential = (name: string): name is CredentialName => Object.hasOwn(Credentials.shape, name)

/** The value of a wrong key is not shown: it may be the key of something else. */
function requiredKey(name: CredentialName, value: string | null, at: string): string | null {
  const { data, error } = Credentials.shape[name].safeParse(value)
  if (data !== undefined) return data
  throw new ConfigurationError(`${at}: ${error.issues[0]?.message ?? 'not allowed'}`)
}

const NAMES = ['config.yaml', 'config.yml', 'config.json']

/** The content of a configuration file: settings and credentials. */
type ConfigurationFile = { settings: Layer; credentials: Record<string, unknown>; path: string | null }

/** Reads the file named by COMMONS_CONFIG, else the one in the data folder, if any. */
function readConfigurationFile(named: string | undefined, data_dir: string): ConfigurationFile {
  const path = named || NAMES.map(name => join(data_dir, name)).find(each => existsSync(each))
  if (path === undefined) return { settings: new Map(), credentials: {}, path: null }
  const { credentials = {}, ...sections } = mapping(contentOf(path), path)
  return { settings: settingsOf(sections, path), credentials: mapping(credentials, `${path}: credentials`), path }
}

function settingsOf(sections: Record<string, unknown>, path: string): Layer {
  const known = new Set<string>(SETTINGS.map(({ section }) => section))
  const layer = new Map<string, unknown>()
  for (const [section, values] of Object.entries(sections)) {
    if (!known.has(section)) throw new ConfigurationError(`${path}: ${section}: there is no such section`)
    for (const [key, given] of Object.entries(mapping(values ?? {}, `${path}: ${section}`))) {
      const setting = settingAt(`${section}.${key}`)
      if (setting === undefined) throw new ConfigurationError(`${path}: ${section}.${key}: there is no such setting`)
      const { value, validationError } = setting.parse(given)
      if (validationError !== null) throw new ConfigurationError(`${path}: ${setting.path}: ${validationError}`)
      layer.set(setting.path, value)
    }
  }
  return layer
}

function contentOf(path: string): unknown {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    throw new ConfigurationError(`${path}: cannot be read`)
  }
  try {
    // JSON is a subset of YAML.
    return parse(text) ?? {}
  } catch (error) {
    // Only the first line of the error, which says what and where: the rest quotes the file, which may contain a
    // secret.
    const [first = ''] = error instanceof Error ? error.message.split('\n') : []
    throw new ConfigurationError(`${path}: ${first.replace(/:$/, '')}`)
  }
}

function mapping(value: unknown, at: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ConfigurationError(`${at}: not a mapping`)
  return { ...value }
}
