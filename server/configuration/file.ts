import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { ConfigurationMistake } from '#server/foundation/configurationMistake.ts'
import { SETTINGS, settingAt, type Layer } from './settings.ts'

const NAMES = ['config.yaml', 'config.yml', 'config.json']

/** The content of a configuration file: settings and credentials. */
type ConfigurationFile = { settings: Layer; credentials: Record<string, unknown>; path: string | null }

/** Reads the file named by COMMONS_CONFIG, else the one in the data folder, if any. */
export function readConfigurationFile(named: string | undefined, data_dir: string): ConfigurationFile {
  const path = named || NAMES.map(name => join(data_dir, name)).find(each => existsSync(each))
  if (path === undefined) return { settings: new Map(), credentials: {}, path: null }
  const { credentials = {}, ...sections } = mapping(contentOf(path), path)
  return { settings: settingsOf(sections, path), credentials: mapping(credentials, `${path}: credentials`), path }
}

function settingsOf(sections: Record<string, unknown>, path: string): Layer {
  const known = new Set<string>(SETTINGS.map(({ section }) => section))
  const layer = new Map<string, unknown>()
  for (const [section, values] of Object.entries(sections)) {
    if (!known.has(section)) throw new ConfigurationMistake(`${path}: ${section}: there is no such section`)
    for (const [key, given] of Object.entries(mapping(values ?? {}, `${path}: ${section}`))) {
      const setting = settingAt(`${section}.${key}`)
      if (setting === undefined) throw new ConfigurationMistake(`${path}: ${section}.${key}: there is no such setting`)
      const { value, mistake } = setting.parse(given)
      if (mistake !== null) throw new ConfigurationMistake(`${path}: ${setting.path}: ${mistake}`)
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
    throw new ConfigurationMistake(`${path}: cannot be read`)
  }
  try {
    // JSON is a subset of YAML.
    return parse(text) ?? {}
  } catch (error) {
    // Only the first line of the error, which says what and where: the rest quotes the file, which may contain a secret.
    const [first = ''] = error instanceof Error ? error.message.split('\n') : []
    throw new ConfigurationMistake(`${path}: ${first.replace(/:$/, '')}`)
  }
}

function mapping(value: unknown, at: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ConfigurationMistake(`${at}: not a mapping`)
  return { ...value }
}
