import { isDeepStrictEqual } from 'node:util'
import { type Configuration, type Origin, SECTIONS } from '#contract/configuration/configuration.ts'
import type { Section } from '#contract/configuration/declared.ts'
import type { ValidationDetail } from '#contract/envelope.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { upstreamName } from './models.ts'
import { type Setting, settingAt, SETTINGS, valueOf } from './settings.ts'
import { readExpected, readVersion, type WasRead } from './version.ts'

/** Changes from the form: whole or partial, with whatever else clients send back. */
export type Changes = Record<string, unknown>

/** What the changes are compared with. */
type Present = {
  current: Configuration
  /** The values that would be in force if nothing were stored. */
  unstored: Configuration
  originOf(path: string): Origin
  /** What the sender had read of the settings that are sent, in place of a `_version`. */
  expected?: Changes | undefined
}

export type Accepted = {
  kept: { path: string; value: unknown }[]
  /** Paths of settings that go back to the configuration file or the default. */
  reset: string[]
  /** Paths of settings that somebody else has changed since they were read. If there are any, nothing may be stored. */
  conflicts: string[]
}

/** The changes that are to be stored. If any is wrong, refuses all, with an entry for each that is wrong. */
export function accepted(changes: Changes, present: Present): Accepted {
  const { current, unstored, originOf, expected } = present
  const wasRead = expected === undefined ? readVersion(changes['_version']) : readExpected(expected)
  const { reset, detail } = resets(changes['_reset'], originOf)
  detail.push(...noSections(changes))
  if (wasRead === null && (changes['_version'] ?? '') !== '')
    detail.push({ loc: ['body', '_version'], msg: 'not a version that was read here', type: 'configuration' })
  const result: Accepted = { kept: [], reset: [], conflicts: [] }
  for (const setting of SETTINGS) {
    const before = valueOf(current, setting)
    const isConflict = setting.secret !== true && wasRead?.(setting.path, before) === false
    if (reset.has(setting.path)) {
      const isSame = isDeepStrictEqual(before, valueOf(unstored, setting))
      if (isConflict && !isSame) result.conflicts.push(setting.path)
      else result.reset.push(setting.path)
      continue
    }
    const change = changeOf(setting, changes, { ...present, wasRead })
    if (change === null) continue
    const problem = lock(setting, originOf(setting.path)) ?? change.validationError
    if (problem !== null) detail.push(wrong(setting, problem))
    else if (isConflict) result.conflicts.push(setting.path)
    else result.kept.push({ path: setting.path, value: change.value })
  }
  detail.push(...unnamedModels(result, present))
  if (detail.length > 0) throw new Refusal('configurationWrong', {}, { detail })
  return result
}

type Compared = Present & { wasRead: WasRead | null }

/** The new value of a setting, or what is wrong with it; null when it is not changed. */
function changeOf(setting: Setting, changes: Changes, { current, originOf, wasRead }: Compared) {
  const { given, isGiven } = submitted(setting, changes)
  if (!isGiven) return null
  const change = setting.parse(given)
  // An unchanged value is accepted even where its schema would refuse it, such as port 0 from the environment.
  const isAsBefore = isDeepStrictEqual(
    change.validationError === null ? change.value : given,
    valueOf(current, setting),
  )
  if (isAsBefore && !isPick(setting, changes, originOf)) return null
  // A value sent back as it was read is no change, even if somebody else has changed it meanwhile.
  const isAsRead =
    setting.secret !== true &&
    (wasRead?.(setting.path, given) || (change.validationError === null && wasRead?.(setting.path, change.value)))
  return isAsRead && !isPick(setting, changes, originOf) ? null : change
}

/** The settings to reset. Only a stored value can be removed; resetting what is not stored changes nothing. */
function resets(given: unknown, originOf: (path: string) => Origin) {
  const detail: ValidationDetail[] = []
  if (given === undefined || given === null) return { reset: new Set<string>(), detail }
  if (!Array.isArray(given) || given.length > SETTINGS.length) {
    detail.push({ loc: ['body', '_reset'], msg: 'not a list of settings', type: 'configuration' })
    return { reset: new Set<string>(), detail }
  }
  const reset = new Set<string>()
  for (const [at, path] of given.entries()) {
    const setting = typeof path === 'string' ? settingAt(path) : undefined
    const problem = setting === undefined ? 'there is no such setting' : lock(setting, originOf(setting.path))
    if (problem !== null)
      detail.push({
        loc: setting === undefined ? ['body', '_reset', at] : ['body', setting.section, setting.key],
        msg: problem,
        type: 'configuration',
      })
    else if (setting !== undefined) reset.add(setting.path)
  }
  return { reset, detail }
}

const wrong = ({ section, key }: Setting, msg: string): ValidationDetail => ({
  loc: ['body', section, key],
  msg,
  type: 'configuration',
})

/**
 * Whether an administrator chose the models. Sending the default list alone is a choice; sending it back in a whole
 * form is not. Until somebody chooses, an endpoint offers what it lists.
 */
function isPick({ path }: Setting, changes: Changes, originOf: (path: string) => Origin): boolean {
  const isForm = Object.keys(changes).filter(key => !key.startsWith('_')).length > 1
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
 * A blank secret means unchanged, since the form gets it blank. Older clients turn an unknown list into an object,
 * which also means unchanged.
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
 * Models that have no name at the upstream, which would silently not be offered. An endpoint with an address lists its
 * own names (models.ts).
 */
function unnamedModels({ kept, reset }: Accepted, { current, unstored }: Present): ValidationDetail[] {
  const after = new Map(kept.map(({ path, value }) => [path, value]))
  for (const path of reset) {
    const setting = settingAt(path)
    if (setting !== undefined) after.set(path, valueOf(unstored, setting))
  }
  return (['openai_web', 'openai_api'] as const).flatMap(source => {
    if (![...after.keys()].some(path => path.startsWith(`${source}.`))) return []
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
