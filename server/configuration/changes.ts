import { isDeepStrictEqual } from 'node:util'
import { SECTIONS, type Configuration, type Origin } from '#contract/configuration.ts'
import type { ValidationDetail } from '#contract/envelope.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { SETTINGS, type Section, type Setting, valueOf } from './settings.ts'
import { upstreamName } from './models.ts'
import { readVersion } from './version.ts'

/** As the form sends them: whole or in part, and with whatever else clients like to send back. */
export type Changes = Record<string, unknown>

type Kept = { path: string; value: unknown }

/** What of an administrator's changes is to be stored. Refuses all of it with one entry for each that cannot be. */
export function accepted(changes: Changes, current: Configuration, originOf: (path: string) => Origin): Kept[] {
  const kept: Kept[] = []
  const detail: ValidationDetail[] = noSections(changes)
  const conflicts: string[] = []
  const wasRead = readVersion(changes['_version'])
  for (const setting of SETTINGS) {
    const { given, isGiven } = submitted(setting, changes)
    if (!isGiven) continue
    const { value, mistake } = setting.parse(given)
    const before = valueOf(current, setting)
    // As it is in force, even where its own schema would refuse it: port 0 of the environment.
    const isAsBefore = isDeepStrictEqual(mistake === null ? value : given, before)
    if (isAsBefore && !isPick(setting, changes, originOf)) continue
    // Sent back as it was read: nobody means it, whoever has changed it meanwhile.
    if (wasRead !== null && setting.secret !== true && (wasRead(setting.path, given) || wasRead(setting.path, value)))
      continue
    const problem = lock(setting, originOf(setting.path)) ?? mistake
    if (problem !== null)
      detail.push({ loc: ['body', setting.section, setting.key], msg: problem, type: 'configuration' })
    else if (wasRead !== null && setting.secret !== true && !wasRead(setting.path, before)) conflicts.push(setting.path)
    else kept.push({ path: setting.path, value })
  }
  detail.push(...unnamedModels(kept, current))
  if (detail.length > 0) throw new Refusal('configurationWrong', {}, { detail })
  if (conflicts.length > 0) throw new Refusal('configurationConflict', { settings: conflicts.join(', ') })
  return kept
}

/**
 * The default list of models, sent by itself, is a choice too: until somebody makes one, an endpoint offers what it lists. A form that
 * sends back all that it has read makes none.
 */
function isPick({ path }: Setting, changes: Changes, originOf: (path: string) => Origin): boolean {
  const isForm = Object.keys(changes).length > 1
  return path === 'openai_api.enabled_models' && originOf(path) === 'default' && !isForm
}

function noSections(changes: Changes): ValidationDetail[] {
  return Object.keys(SECTIONS)
    .filter(section => Object.hasOwn(changes, section))
    .flatMap(section => {
      const values = changes[section]
      const isSection = typeof values === 'object' && values !== null && !Array.isArray(values)
      return isSection ? [] : [{ loc: ['body', section], msg: 'not a section of settings', type: 'configuration' }]
    })
}

/** The form gets a blank for a secret, so a blank means no change. Forms of older clients turn a list that they do not know into an object. */
function submitted({ section, key, secret, kind }: Setting, changes: Changes): { given: unknown; isGiven: boolean } {
  const values = changes[section]
  if (typeof values !== 'object' || values === null || !Object.hasOwn(values, key))
    return { given: undefined, isGiven: false }
  const given = (values as Record<string, unknown>)[key] // an object that has this key
  const isUnknownList = kind === 'array' && typeof given === 'object' && given !== null && !Array.isArray(given)
  return { given, isGiven: !(secret && given === '') && !isUnknownList }
}

function lock({ startOnly }: Setting, origin: Origin): string | null {
  if (origin === 'environment') return 'is set by the environment'
  return startOnly ? 'can be set by the configuration file or the environment only' : null
}

/** A model without a name at the upstream would silently not be offered; an endpoint with an address lists names of its own (listedModels.ts). */
function unnamedModels(kept: Kept[], current: Configuration): ValidationDetail[] {
  const after = new Map(kept.map(({ path, value }) => [path, value]))
  return (['openai_web', 'openai_api'] as const).flatMap(source => {
    if (!kept.some(({ path }) => path.startsWith(`${source}.`))) return []
    const section = sectionAfter(current, source, after)
    if (source === 'openai_api' && section.openai_api.openai_base_url !== null) return []
    const unnamed = section[source].enabled_models.find(code => upstreamName(section, source, code) === null)
    if (unnamed === undefined) return []
    return [
      {
        loc: ['body', source, 'enabled_models'],
        msg: `${unnamed}: has no name in model_code_mapping`,
        type: 'configuration',
      },
    ]
  })
}

function sectionAfter(current: Configuration, section: Section, after: Map<string, unknown>): Configuration {
  const values = Object.entries(current[section]).map(([key, value]) => {
    const path = `${section}.${key}`
    return [key, after.has(path) ? after.get(path) : value]
  })
  // The same keys as before, each value parsed by its own schema.
  return { ...current, [section]: Object.fromEntries(values) } as Configuration
}
