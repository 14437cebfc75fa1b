import type { Configuration } from '#contract/configuration.ts'
import { Credentials } from '#contract/credentials.ts'
import { ConfigurationMistake } from '#server/foundation/configurationMistake.ts'
import { credentialName, readEnvironment, variable } from './environment.ts'
import { readConfigurationFile } from './file.ts'
import { assembled, type Layer } from './settings.ts'

type CredentialName = keyof Credentials

/** Short names beside COMMONS_CREDENTIALS_…. */
const SHORT_NAMES: Partial<Record<CredentialName, string>> = { openai_api_key: 'OPENAI_API_KEY' }

/** The configuration before the database is open: everything except stored settings. */
export type StartConfiguration = {
  configuration: Configuration
  file: Layer
  environment: Layer
  /** From the environment or the file; they cannot be changed on the page. */
  credentials: Record<CredentialName, string | null>
  /** Settings that are probably mistakes. None prevents the start. */
  warnings: readonly string[]
}

/** Throws a ConfigurationMistake with the value and its origin. */
export function readStartConfiguration(env: NodeJS.ProcessEnv): StartConfiguration {
  const { layer: environment, warnings } = readEnvironment(env)
  const { data_dir } = assembled([environment]).data
  const { settings: file, credentials, path } = readConfigurationFile(env['COMMONS_CONFIG'], data_dir)
  requireCredentials(credentials, path)
  const credential = (name: CredentialName): string | null => {
    const names = [credentialName(name), SHORT_NAMES[name]].filter(each => each !== undefined)
    const given = names.map(each => variable(env, each, true)).find(each => each !== null)
    if (given) requireKey(name, given.text, given.name)
    return given?.text ?? (credentials[name] || null)
  }
  return {
    configuration: assembled([file, environment]),
    file,
    environment,
    credentials: {
      openai_api_key: credential('openai_api_key'),
      openai_web_access_token: credential('openai_web_access_token'),
    },
    warnings,
  }
}

function requireCredentials(
  given: Record<string, unknown>,
  path: string | null,
): asserts given is Partial<Record<CredentialName, string>> {
  for (const [name, value] of Object.entries(given)) {
    const at = `${path}: credentials.${name}`
    if (!Object.hasOwn(Credentials.shape, name)) throw new ConfigurationMistake(`${at}: there is no such credential`)
    if (value !== null && typeof value !== 'string') throw new ConfigurationMistake(`${at}: not a text`)
    requireKey(name as CredentialName, value, at) // one of them, as has just been seen
  }
}

/** The value of a wrong key is not shown: it may be the key of something else. */
function requireKey(name: CredentialName, value: string | null, at: string): void {
  const { error } = Credentials.shape[name].safeParse(value)
  if (error !== undefined) throw new ConfigurationMistake(`${at}: ${error.issues[0]?.message ?? 'not allowed'}`)
}
