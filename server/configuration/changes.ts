import { isDeepStrictEqual } from 'node:util'
import { type Configuration, type Origin, SECTIONS } from '#contract/configuration.ts'
import type { ValidationDetail } from '#contract/envelope.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { upstreamName } from './models.ts'
import { type Section, type Setting, SETTINGS, valueOf } from './settings.ts'
import { readVersion } from './version.ts'

/** Changes from the form: whole or partial, with whatever else clients send back. */
export type Changes = Record<string, unknown>

type Kept = { path: string; value: unknown }

/** The changes that are to be stored. If any is wrong, refuses all, with an entry for each that is wrong. */
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
    // An unchanged value is accepted even where its schema would refuse it, such as port 0 from the environment.
    const isAsBefore = isDeepStrictEqual(mistake === null ? value : given, before)
    if (isAsBefore && !isPick(setting, changes, originOf)) continue
    // A value sent back as it was read is no change, even if somebody else has changed it meanwhile.
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
 * Whether an administrator chose the models. Sending the default list alone is a choice; sending it back in a whole form is not. Until
 * somebody chooses, an endpoint offers what it lists.
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

/**
 * A blank secret means unchanged, since the form gets it blank. Older clients turn an unknown list into an object, which also means
 * unchanged.
 */
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

/**
 * Models that have no name at the upstream, which would silently not be offered. An endpoint with an address lists its own names
 * (models.ts).
 */
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
  // The same keys as before; each value was parsed by its schema.
  return { ...current, [section]: Object.fromEntries(values) } as Configuration
}
